import FoundationEssentials

extension PNGCoder {
    /// Writes frames as an animated PNG, with durations in milliseconds; one frame becomes a plain PNG.
    public func encode(
        _ frames: [ImageFrame], loopCount: Int, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        guard canEncode(format) else { throw .notEncoded(format, "the PNG coder was asked for it") }
        let outgoing = try OutgoingFrames(frames, loopCount: loopCount, to: format, options: options)
        guard frames.count > 1 else { return try encode(Image(bitmap: frames[0].bitmap), to: format, options: options) }
        var compressor = APNGCompressor(outgoing)
        return try compressor.encode()
    }
}
