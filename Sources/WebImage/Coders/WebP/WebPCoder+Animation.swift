import FoundationEssentials

extension WebPCoder {
    /// Writes frames as an animation, each as the options say; one frame becomes a still picture. Frames that look alike
    /// may become one that is shown as long as all of them.
    public func encode(
        _ frames: [ImageFrame], loopCount: Int, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        guard canEncode(format) else { throw .notEncoded(format, "the WebP coder was asked for it") }
        let outgoing = try OutgoingFrames(frames, loopCount: loopCount, to: format, options: options)
        guard frames.count > 1 else { return try encode(Image(bitmap: frames[0].bitmap), to: format, options: options) }
        return try encode(outgoing, options: options)
    }

    func encode(_ frames: OutgoingFrames, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        let compressor = try WebPAnimationCompressor(
            size: frames.bitmap(at: 0).size, quality: options.compressionQuality, isLossless: options.isLossless,
            loopCount: frames.loopCount)
        var time = 0
        for (index, duration) in frames.durations.enumerated() {
            try compressor.append(frames.bitmap(at: index), time: time)
            // Moments must differ; a frame of no duration gets the shortest there is.
            time += max(1, duration)
        }
        return try compressor.finish(end: time)
    }
}
