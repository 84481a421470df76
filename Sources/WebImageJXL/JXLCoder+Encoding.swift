import FoundationEssentials
import WebImage

extension JXLCoder {
    /// Whether `format` is JPEG XL.
    public func canEncode(_ format: ImageFormat) -> Bool { format == .jpegXL }

    /// Writes JPEG XL of the quality asked for, 8 bits, with alpha where the picture may be translucent.
    /// `options.isLossless` keeps all pixels as they are.
    ///
    /// - Throws: ``WebImageError/Code/encodeFailed``.
    public func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        try encode([ImageFrame(bitmap: image.bitmap, duration: 0)], loopCount: 0, to: format, options: options)
    }

    /// Writes an animation, or a still picture of one frame.
    public func encode(
        _ frames: [ImageFrame], loopCount: Int, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        guard canEncode(format) else { throw .notEncoded(format, "the JPEG XL coder was asked for it") }
        let frames = try frames.limited(by: options, for: format)
        guard !options.isLossless else { return try Self.encode(frames, loopCount, quality: nil) }
        return try QualitySearch.encode(options) { quality throws(WebImageError) in
            try Self.encode(frames, loopCount, quality: quality)
        }
    }

    private static func encode(
        _ frames: [ImageFrame], _ loopCount: Int, quality: Double?
    ) throws(WebImageError) -> Data {
        let durations = FrameDuration.milliseconds(of: frames.map(\.duration))
        let compressor = try JXLCompressor(
            size: frames[0].bitmap.size, isOpaque: frames.allSatisfy { $0.bitmap.isOpaque }, quality: quality,
            playCount: frames.count > 1 ? loopCount : nil)
        for (frame, milliseconds) in zip(frames, durations) {
            try compressor.add(frame.bitmap, milliseconds: frames.count > 1 ? milliseconds : nil)
        }
        return try compressor.finish()
    }
}
