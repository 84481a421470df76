import FoundationEssentials
import WebImage

extension JXLCoder: AnimationEncoder {
    package var isLossy: Bool { true }

    /// Whether `format` is JPEG XL.
    ///
    /// Written is JPEG XL of the quality asked for, of 8 bits, or of 16 where the bitmap has them, with alpha where the picture
    /// may be translucent. High dynamic range of 16 bits stays what it is. `ImageEncodeOptions.isLossless` keeps all pixels as
    /// they are. An animation is written with all its frames.
    public func canEncode(_ format: ImageFormat) -> Bool { format == .jpegXL }

    package func encode(_ frames: OutgoingFrames, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        let kind = try kind(of: frames)
        return try QualitySearch.encodeOrKeep(options) { quality throws(WebImageError) in
            let isAnimated = frames.count > 1
            let compressor = try JXLCompressor(
                kind, quality: quality, playCount: isAnimated ? frames.loopCount : nil)
            for (index, milliseconds) in frames.durations.enumerated() {
                let bitmap = try frames.bitmap(at: index, depth: kind.depth, colorSpace: kind.colorSpace)
                try compressor.add(bitmap, milliseconds: isAnimated ? milliseconds : nil)
            }
            return try compressor.finish()
        }
    }

    private func kind(of frames: OutgoingFrames) throws(WebImageError) -> JXLCompressor.Kind {
        let (depth, colorSpace) = try frames.pixelKind()
        let first = try frames.bitmap(at: 0, depth: depth, colorSpace: colorSpace)
        return JXLCompressor.Kind(
            size: first.size, isOpaque: try frames.areOpaque(), depth: depth, colorSpace: colorSpace,
            peakLuminance: try Self.peakLuminance(of: first))
    }

    /// Whoever shows the picture maps it by this. Of HLG it is what libjxl says; of PQ, for which libjxl would say that it is as
    /// bright as can be, the brightest pixel's.
    private static func peakLuminance(of bitmap: Bitmap) throws(WebImageError) -> Double {
        guard bitmap.colorSpace == .bt2100PQ else { return bitmap.colorSpace == .bt2100HLG ? hlgLuminance : 0 }
        return try bitmap.withDeepStraightPixels { channels in
            var brightest: UInt16 = 0
            for place in channels.indices where place & 3 != 3 { brightest = max(brightest, channels[place]) }
            let luminance = PerceptualQuantizer.light(Double(brightest) / 65_535) * PerceptualQuantizer.peakLuminance
            return max(luminance.rounded(.up), leastLuminance)
        }
    }

    /// That of white paper (ITU-R BT.2408).
    private static let leastLuminance = 203.0
    /// Of the screen that HLG is made for (BT.2100).
    private static let hlgLuminance = 1000.0
}
