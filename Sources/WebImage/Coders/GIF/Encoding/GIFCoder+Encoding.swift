import FoundationEssentials

extension GIFCoder {
    /// Whether `format` is GIF.
    public func canEncode(_ format: ImageFormat) -> Bool { format == .gif }

    /// Writes the picture, or the animation with all its frames, in up to 256 colours a frame; pictures with no more than
    /// that keep theirs. A pixel is opaque from half of the alpha on, and clear below. What came as a GIF file and is to
    /// have quality 1 is that file.
    public func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        guard canEncode(format) else { throw .notEncoded(format, "the GIF coder was asked for it") }
        if let file = image.untouchedFile(for: format, options: options) { return file }
        guard let animation = image.animation, !options.encodesFirstFrameOnly else {
            return try encode(
                [ImageFrame(bitmap: image.bitmap, duration: 0)], loopCount: 0, to: format, options: options)
        }
        return try GIFCompressor(OutgoingFrames(animation, options: options), options: options).encode()
    }

    /// Writes frames as an animation, with durations in hundredths of a second.
    public func encode(
        _ frames: [ImageFrame], loopCount: Int, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        guard canEncode(format) else { throw .notEncoded(format, "the GIF coder was asked for it") }
        let frames = try OutgoingFrames(frames, loopCount: loopCount, to: format, options: options)
        return try GIFCompressor(frames, options: options).encode()
    }
}
