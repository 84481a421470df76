import FoundationEssentials

extension GIFCoder: AnimationEncoder {
    package var isLossy: Bool { false }

    /// Whether `format` is GIF.
    ///
    /// The picture, or the animation with all its frames, is written in up to 256 colours a frame; pictures with no more
    /// than that keep theirs. A pixel is opaque from half of the alpha on, and clear below. Durations are in hundredths of a
    /// second.
    public func canEncode(_ format: ImageFormat) -> Bool { format == .gif }

    package func encode(_ frames: OutgoingFrames, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        try GIFCompressor(frames, options: options).encode()
    }
}
