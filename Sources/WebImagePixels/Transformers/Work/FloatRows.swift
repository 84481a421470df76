import WebImageCore

/// Memory for rows of floats, four numbers a pixel, that a thread works with.
final class FloatRows {
    private let buffer: PixelBuffer
    private let width: Int

    static let bytesPerPixel = 16

    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    init(width: Int, count: Int) throws(WebImageError) {
        let size = PixelSize(width: width, height: count)
        guard let buffer = PixelBuffer(byteCount: max(1, size.area) * Self.bytesPerPixel) else {
            throw .outOfMemory(for: size)
        }
        self.buffer = buffer
        self.width = width
    }

    /// The first number of row `index`.
    func row(_ index: Int) -> UnsafeMutablePointer<Float> {
        UnsafeMutableRawPointer(buffer.base).assumingMemoryBound(to: Float.self) + index * width * 4
    }
}
