import CAVIF
import FoundationEssentials
import WebImageCoders
import WebImageCore

extension AVIFCoder: AnimationEncoder {
    package var isLossy: Bool { true }

    /// Whether `format` is AVIF and libavif has an encoder.
    ///
    /// The output is AVIF of the requested quality, with 8 bits, or 10 where the bitmap has 16, and with alpha where
    /// the picture may be translucent; alpha is always lossless. Display P3, and high dynamic range with 16 bits, are
    /// kept. Below a quality of 0.9 colour is stored at half the resolution (4:2:0). `ImageEncodeOptions.isLossless` keeps all
    /// pixels, and the upper 12 of 16 bits. The maximum side is 65,536 pixels. An animation becomes an image sequence
    /// with all its frames. libavif before version 1.0 cannot store the number of plays: the sequence plays forever.
    public func canEncode(_ format: ImageFormat) -> Bool {
        format == .avif && avifCodecName(AVIF_CODEC_CHOICE_AUTO, AVIF_CODEC_FLAG_CAN_ENCODE.rawValue) != nil
    }

    package func encode(_ frames: OutgoingFrames, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        let isOpaque = try frames.areOpaque()
        let (depth, colorSpace) = frames.pixelKind
        let isAnimated = frames.count > 1
        return try QualitySearch.encodeOrKeep(options) { quality throws(WebImageError) in
            let kind = AVIFCompressor.Kind(quality: quality, depth: depth, isOpaque: isOpaque)
            let memory = AVIFSequenceMemory(kind)
            try frames.checkMemory(.avif, advice: "write PNG or GIF", memory.leastByteCount)
            let looksAhead = !isAnimated || OutgoingFrames.allows(memory.byteCountLookingAhead(for: frames.frameSize))
            let compressor = try AVIFCompressor(kind, looksAhead: looksAhead)
            if isAnimated { compressor.setPlayCount(frames.loopCount) }
            for (index, milliseconds) in frames.durations.enumerated() {
                let bitmap = try frames.bitmap(at: index, depth: depth, colorSpace: colorSpace)
                try compressor.add(bitmap, milliseconds: isAnimated ? milliseconds : nil)
            }
            return try compressor.finish()
        }
    }
}
