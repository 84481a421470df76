import FoundationEssentials
import WebImageCore
import WebImagePixels

extension WebPCoder: AnimationEncoder {
    package var isLossy: Bool { true }

    /// Whether `format` is WebP.
    ///
    /// The output is lossy WebP of the requested quality, in which 1 is libwebp's 100, or lossless WebP when the
    /// options ask for it; with alpha where the picture may be translucent. An animation is written with all its
    /// frames; equal ones may be merged into one with their total duration.
    public func canEncode(_ format: ImageFormat) -> Bool { format == .webP }

    package func encode(_ frames: OutgoingFrames, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        guard frames.count == 1 else {
            try frames.checkMemory(.webP) { $0.area * WebPAnimationCompressor.bytesPerPixel }
            return try QualitySearch.encodeOrKeep(options) { quality throws(WebImageError) in
                try Self.encodeAnimation(frames, quality: quality)
            }
        }
        let bitmap = try frames.bitmap(at: 0)
        return try bitmap.withStraightPixels { base, bytesPerRow throws(WebImageError) in
            try QualitySearch.encodeOrKeep(options) { quality throws(WebImageError) in
                try WebPCompressor(
                    quality: quality ?? 1, isLossless: quality == nil, cancellation: options.cancellation
                ).encode(base, bytesPerRow: bytesPerRow, size: bitmap.size, isOpaque: bitmap.isOpaque)
            }
        }
    }

    private static func encodeAnimation(_ frames: OutgoingFrames, quality: Double?) throws(WebImageError) -> Data {
        let compressor = try WebPAnimationCompressor(
            size: frames.bitmap(at: 0).size, quality: quality ?? 1, isLossless: quality == nil,
            loopCount: frames.loopCount)
        var time = 0
        for (index, duration) in frames.durations.enumerated() {
            try compressor.append(frames.bitmap(at: index), time: time)
            // Times must differ; a frame with a duration of 0 gets the minimum.
            time += max(1, duration)
        }
        return try compressor.finish(end: time)
    }
}
