import FoundationEssentials
import WebImage

extension JXLCoder: AnimationEncoder {
    package var isLossy: Bool { true }

    /// Whether `format` is JPEG XL.
    ///
    /// Written is JPEG XL of the quality asked for, 8 bits, with alpha where the picture may be translucent.
    /// `ImageEncodeOptions.isLossless` keeps all pixels as they are. An animation is written with all its frames.
    public func canEncode(_ format: ImageFormat) -> Bool { format == .jpegXL }

    package func encode(_ frames: OutgoingFrames, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        let (size, isOpaque) = try (frames.bitmap(at: 0).size, frames.areOpaque())
        return try QualitySearch.encodeOrKeep(options) { quality throws(WebImageError) in
            let isAnimated = frames.count > 1
            let compressor = try JXLCompressor(
                size: size, isOpaque: isOpaque, quality: quality, playCount: isAnimated ? frames.loopCount : nil)
            for (index, milliseconds) in frames.durations.enumerated() {
                try compressor.add(frames.bitmap(at: index), milliseconds: isAnimated ? milliseconds : nil)
            }
            return try compressor.finish()
        }
    }
}
