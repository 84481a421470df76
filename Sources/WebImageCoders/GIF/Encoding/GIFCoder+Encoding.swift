import FoundationEssentials
import WebImageCore

extension GIFCoder: AnimationEncoder {
    package var isLossy: Bool { false }

    /// Whether `format` is GIF.
    ///
    /// The picture, or the animation with all its frames, is written with up to 256 colours a frame; a picture with no
    /// more colours keeps them exactly. A pixel is opaque from half of the alpha on, and transparent below. Durations
    /// are in hundredths of a second.
    public func canEncode(_ format: ImageFormat) -> Bool { format == .gif }

    package func encode(_ frames: OutgoingFrames, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        try frames.checkMemory(.gif) { $0.area * GIFCompressor.bytesPerPixel }
        return try GIFCompressor(frames, options: options).encode()
    }
}
