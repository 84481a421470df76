import CAVIF
import FoundationEssentials
import WebImage

extension AVIFCoder {
    /// Whether `format` is AVIF and libavif has an encoder.
    public func canEncode(_ format: ImageFormat) -> Bool {
        format == .avif && avifCodecName(AVIF_CODEC_CHOICE_AUTO, AVIF_CODEC_FLAG_CAN_ENCODE.rawValue) != nil
    }

    /// Writes AVIF of the quality asked for, 8 bits, with alpha where the picture may be translucent; alpha keeps every
    /// value. Below a quality of 0.9 colour is stored at half the resolution (4:2:0). `options.isLossless` keeps all
    /// pixels as they are.
    ///
    /// - Throws: ``WebImageError/Code/encodeFailed``: another format, libavif without an encoder, a side of more than
    ///   65,536 pixels.
    public func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        try encode([ImageFrame(bitmap: image.bitmap, duration: 0)], loopCount: 0, to: format, options: options)
    }

    /// Writes an image sequence, or a still picture of one frame. Before version 1.0 libavif cannot write how often a
    /// sequence plays: it plays for ever.
    public func encode(
        _ frames: [ImageFrame], loopCount: Int, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        guard canEncode(format) else {
            throw .notEncoded(format, "libavif has no encoder here, or the AVIF coder was asked for another format")
        }
        let frames = try frames.limited(by: options, for: format)
        guard !options.isLossless else { return try Self.encode(frames, loopCount, quality: nil) }
        return try QualitySearch.encode(options) { quality throws(WebImageError) in
            try Self.encode(frames, loopCount, quality: quality)
        }
    }

    private static func encode(
        _ frames: [ImageFrame], _ loopCount: Int, quality: Double?
    ) throws(WebImageError) -> Data {
        let compressor = try AVIFCompressor(quality: quality)
        guard frames.count > 1 else {
            for frame in frames { try compressor.add(frame.bitmap, milliseconds: nil) }
            return try compressor.finish()
        }
        compressor.setPlayCount(loopCount)
        // All frames must have alpha, or none.
        let isOpaque = frames.allSatisfy { $0.bitmap.isOpaque }
        for (frame, milliseconds) in zip(frames, FrameDuration.milliseconds(of: frames.map(\.duration))) {
            try compressor.add(frame.bitmap, milliseconds: milliseconds, isOpaque: isOpaque)
        }
        return try compressor.finish()
    }
}
