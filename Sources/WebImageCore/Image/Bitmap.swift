/// Pixels in memory: one allocation, its geometry, and its colour space.
///
/// The base address is 64-byte aligned and every row starts on a 4-byte boundary, so GTK, cairo and the codecs read a
/// bitmap in place. A bitmap is immutable: share it instead of copying it. The memory is freed with the last reference.
/// Safe to use from any thread.
public final class Bitmap: Sendable {
    /// Width and height in pixels, orientation applied.
    public let size: PixelSize
    /// The layout of one pixel.
    public let format: PixelFormat
    /// The colours that the numbers stand for.
    public let colorSpace: ColorSpace
    /// True when every pixel is known to be opaque, so that encoders may drop alpha and views need not blend.
    public let isOpaque: Bool
    /// Bytes from one row to the next, a multiple of 4.
    public let bytesPerRow: Int

    private let storage: PixelStorage

    /// Allocates uninitialised pixels and lets `fill` write all of them before the bitmap is visible to other code.
    ///
    /// - Parameter fill: Gets the first byte's address; rows are `bytesPerRow` apart. Returns whether all pixels that
    ///   it wrote are opaque.
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory, and the errors of `fill`.
    package init(
        size: PixelSize, format: PixelFormat = .rgba8Premultiplied, colorSpace: ColorSpace = .sRGB,
        fill: (_ rows: UnsafeMutableRawPointer, _ bytesPerRow: Int) throws(WebImageError) -> Bool
    ) throws(WebImageError) {
        let bytesPerRow = size.width * format.bytesPerPixel
        guard !size.isEmpty, size.area <= Int.max / 8,
            let storage = PixelStorage.ofBitmap(byteCount: bytesPerRow * size.height),
            let base = storage.bytes.baseAddress
        else { throw .outOfMemory(for: size) }
        isOpaque = try fill(base, bytesPerRow)
        self.size = size
        self.format = format
        self.colorSpace = colorSpace
        self.bytesPerRow = bytesPerRow
        self.storage = storage
    }

    /// Pixels in memory that another process has written and cannot change any more.
    ///
    /// - Parameter offset: The place of the first byte, a multiple of 64.
    /// - Returns: nil where the buffer is too small.
    package init?(
        sharing buffer: SharedBuffer, from offset: Int = 0, size: PixelSize, format: PixelFormat,
        colorSpace: ColorSpace, isOpaque: Bool
    ) {
        guard !size.isEmpty, size.area <= Int.max / 8,
            let storage = PixelStorage(
                sharing: buffer, from: offset, byteCount: size.area * format.bytesPerPixel)
        else { return nil }
        buffer.becomePicture()
        self.size = size
        self.format = format
        self.colorSpace = colorSpace
        self.isOpaque = isOpaque
        bytesPerRow = size.width * format.bytesPerPixel
        self.storage = storage
    }

    /// The memory that another process shares; nil for memory of this process.
    package var sharedBuffer: SharedBuffer? { storage.buffer }

    /// The bytes of all pixels: `bytesPerRow` × height.
    public var byteCount: Int { storage.bytes.count }

    /// Calls `body` with all rows, top row first. The buffer is valid only during the call.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(storage.bytes))
    }
}

extension Bitmap {
    /// A bitmap with a copy of rows of bytes.
    ///
    /// ```swift
    /// let red = try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [255, 0, 0, 255])
    /// ```
    /// - Parameter pixels: `size.area * format.bytesPerPixel` bytes, rows without padding; channels of 16 bits in
    ///   native byte order.
    /// - Throws: ``WebImageError/Code/badImageData`` for another number of bytes.
    public convenience init(
        size: PixelSize, format: PixelFormat = .rgba8Premultiplied, colorSpace: ColorSpace = .sRGB, pixels: [UInt8]
    ) throws(WebImageError) {
        guard !size.isEmpty, pixels.count == size.area * format.bytesPerPixel else {
            throw WebImageError(
                .badImageData, stage: .decode, kind: .permanent,
                reason: "\(pixels.count) bytes are not \(size) pixels of \(format.bytesPerPixel) bytes each")
        }
        try self.init(size: size, format: format, colorSpace: colorSpace) { rows, _ in
            rows.copyMemory(from: pixels, byteCount: pixels.count)
            return format.isOpaque(rows.assumingMemoryBound(to: UInt8.self), count: size.area)
        }
    }
}
