import FoundationEssentials
import WebImageCore

extension ImageCodersManager {
    /// The picture in a file, by the coder that recognises its beginning.
    ///
    /// - Parameter colorSpace: See ``ImageCoder/openRegions(of:limits:in:)``.
    /// - Throws: ``WebImageError/Code/badImageData`` when none does, and the coder's errors.
    package func openPicture(
        in file: RandomAccessFile, limits: ImageLimits, colors colorSpace: ColorSpace
    ) throws(WebImageError) -> any RegionImageFile {
        let head = Data(try file.bytes(at: 0, count: Self.longestHead))
        guard let coder = decoder(for: head) else {
            var options = ImageDecodeOptions()
            options.limits = limits
            _ = try decode(head, options: options)
            throw .unsupported(.undefined, "no coder recognises it")
        }
        if let opened = try coder.openRegions(of: file, limits: limits, in: colorSpace) { return opened }
        return try WholeImageFile(
            file, coder: coder, format: ImageFormat(sniffing: head), limits: limits, in: colorSpace)
    }
}
