import FoundationEssentials
import WebImageCore

extension ImageCodersManager: AnimatedImageCoder {
    /// The frames of a file, by the coder that recognises it; a coder without animations gives one frame.
    ///
    /// - Throws: ``WebImageError/Code/badImageData`` when no coder recognises it, and the coder's errors.
    public func makeAnimation(
        of data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> any AnimatedImageProvider {
        let limits = options.limits
        guard data.count <= limits.maximumByteCount else { throw .tooManyBytes(data.count, limits) }
        if let coder = decoder(for: data)?.animatedCoder {
            let stopwatch = Stopwatch()
            defer { stopwatch.stop() }
            return try coder.makeAnimation(of: data, options: options.timed(by: stopwatch))
        }
        let image = try decode(data, options: options)
        return image.animation ?? FrameListAnimation([ImageFrame(bitmap: image.bitmap, duration: .zero)], loopCount: 0)
    }

    /// Encodes frames by the first coder that writes `format`.
    public func encode(
        _ frames: [ImageFrame], loopCount: Int, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        try requireEncoder(for: format).encode(frames, loopCount: loopCount, to: format, options: options)
    }
}
