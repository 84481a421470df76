import FoundationEssentials
import WebImageCore

// The defaults of a coder that does not define these itself.
extension ImageCoder {
    /// Throws: the coder only reads. The library's coders that write animations write all frames here, except where a file
    /// of their own format is to be written unchanged in the best quality: then it is that file.
    public func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        // A default of the package's own protocol cannot stand for a public requirement: Swift wants one that is public.
        guard let encoder = self as? any AnimationEncoder else {
            throw .notEncoded(format, "\(Self.self) only reads; write PNG instead")
        }
        return try encoder.encodeAllFrames(of: image, to: format, options: options)
    }

    /// Writes a still picture of the only frame, or of the first where no more are wanted; the library's coders of animations
    /// write all.
    public func encode(
        _ frames: [ImageFrame], loopCount: Int, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        if let encoder = self as? any AnimationEncoder {
            return try encoder.encodeAll(frames, loopCount: loopCount, to: format, options: options)
        }
        guard let first = frames.first else { throw .notEncoded(format, "there are no frames") }
        guard frames.count == 1 || options.encodesFirstFrameOnly else {
            throw .notEncoded(format, "there are \(frames.count) frames and the coder writes one; use GIF, PNG or WebP")
        }
        return try encode(Image(bitmap: first.bitmap), to: format, options: options)
    }
}
