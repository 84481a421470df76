import FoundationEssentials
import WebImageCore

/// A picture whose parts are not decoded by themselves: all rows are decoded once, by any coder, within its limits.
package struct WholeImageFile: RegionImageFile {
    package let format: ImageFormat
    package let storedSize: PixelSize
    package let orientation: ImageOrientation
    package let colorSpace: ColorSpace
    package let baseSide: Int
    package var rowReduction: Int { 1 }

    private let coder: any ImageCoder
    private let file: RandomAccessFile
    private let limits: ImageLimits

    package init(
        _ file: RandomAccessFile, coder: any ImageCoder, format: ImageFormat, limits: ImageLimits,
        in colorSpace: ColorSpace = .sRGB, baseSide: Int = ImageDecodeOptions.baseSide
    ) throws(WebImageError) {
        guard file.byteCount <= limits.maximumByteCount else { throw .tooManyBytes(file.byteCount, limits) }
        let head = Data(try file.bytes(at: 0, count: Self.headByteCount))
        var found = try FileBeginning.read { () throws(WebImageError) in
            try coder.properties(of: head, isComplete: head.count == file.byteCount)
        }
        if found == nil { found = try coder.properties(of: try file.everything(), isComplete: true) }
        guard let found else { throw .truncated(format) }
        try limits.check(format, source: found.pixelSize)
        orientation = found.orientation
        storedSize = found.orientation.apply(to: found.pixelSize)
        self.format = format
        self.colorSpace = colorSpace
        self.coder = coder
        self.file = file
        self.limits = limits
        self.baseSide = baseSide
    }

    private static let headByteCount = 1 << 18

    package func readRows(
        reducedBy reduction: Int, into receiver: any PixelRowReceiver, cancellation: CancellationFlag
    ) throws(WebImageError) {
        var options = ImageDecodeOptions.forRows(in: colorSpace, cancellation: cancellation)
        options.limits = limits
        options.rowReceiver = receiver
        let image = try coder.decode(try file.everything(), options: options)
        // A coder that makes its pixels in another way knows no receiver.
        if image.bitmap.size == storedSize, storedSize.area > 1 { image.bitmap.deliverRows(to: receiver) }
    }
}

extension RandomAccessFile {
    /// The whole file in memory.
    package func everything() throws(WebImageError) -> Data {
        do {
            return try all()
        } catch {
            throw error.webImageError(stage: .decode)
        }
    }
}

extension Bitmap {
    /// Hands on the rows of a finished bitmap.
    package func deliverRows(to receiver: any PixelRowReceiver) {
        withUnsafeBytes { bytes in
            for row in 0..<size.height {
                receiver.receive(UnsafeRawBufferPointer(rebasing: bytes[row * bytesPerRow..<(row + 1) * bytesPerRow]))
            }
        }
    }
}
