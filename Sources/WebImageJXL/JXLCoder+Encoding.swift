import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImagePixels

extension JXLCoder: AnimationEncoder {
    package var isLossy: Bool { true }

    /// Whether `format` is JPEG XL.
    ///
    /// The output is JPEG XL of the requested quality, with 8 bits, or 16 where the bitmap has them, and with alpha
    /// where the picture may be translucent. Display P3, and high dynamic range with 16 bits, are kept.
    /// `ImageEncodeOptions.isLossless` keeps all pixels. An animation is written with all its frames.
    public func canEncode(_ format: ImageFormat) -> Bool { format == .jpegXL }

    package func encode(_ frames: OutgoingFrames, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        let kind = try kind(of: frames)
        return try QualitySearch.encodeOrKeep(options) { quality throws(WebImageError) in
            let isAnimated = frames.count > 1
            let isLossless = quality == nil
            try frames.checkMemory(.jpegXL, advice: "write PNG or GIF") { _ in
                kind.encoderByteCount(isLossless: isLossless, isFrugal: true)
            }
            let isFrugal =
                isAnimated
                && !OutgoingFrames.allows(kind.encoderByteCount(isLossless: isLossless, isFrugal: false))
            let compressor = try JXLCompressor(
                kind, quality: quality, playCount: isAnimated ? frames.loopCount : nil, isFrugal: isFrugal)
            for (index, milliseconds) in frames.durations.enumerated() {
                let bitmap = try frames.bitmap(at: index, depth: kind.depth, colorSpace: kind.colorSpace)
                try compressor.add(bitmap, milliseconds: isAnimated ? milliseconds : nil)
            }
            return try compressor.finish()
        }
    }

    private func kind(of frames: OutgoingFrames) throws(WebImageError) -> JXLCompressor.Kind {
        let (depth, colorSpace) = frames.pixelKind
        let first = try frames.bitmap(at: 0, depth: depth, colorSpace: colorSpace)
        return JXLCompressor.Kind(
            size: first.size, isOpaque: try frames.areOpaque(), depth: depth, colorSpace: colorSpace,
            peakLuminance: try Self.peakLuminance(of: first))
    }

    /// The peak luminance, which displays use for tone mapping. For HLG it is libjxl's value; for PQ, where libjxl
    /// would write the maximum of the curve, it is that of the brightest pixel.
    private static func peakLuminance(of bitmap: Bitmap) throws(WebImageError) -> Double {
        guard bitmap.colorSpace == .bt2100PQ else { return bitmap.colorSpace == .bt2100HLG ? hlgLuminance : 0 }
        return try bitmap.withDeepStraightPixels { channels in
            var brightest: UInt16 = 0
            for place in channels.indices where place & 3 != 3 { brightest = max(brightest, channels[place]) }
            let luminance = PerceptualQuantizer.light(Double(brightest) / 65_535) * PerceptualQuantizer.peakLuminance
            return max(luminance.rounded(.up), leastLuminance)
        }
    }

    /// The luminance of diffuse white (ITU-R BT.2408).
    private static let leastLuminance = 203.0
    /// The peak of HLG's nominal display (BT.2100).
    private static let hlgLuminance = 1000.0
}
