extension [ImageFrame] {
    /// The frames to write: the first one or all, made to fit as the options have it.
    ///
    /// - Throws: ``WebImageError/Code/encodeFailed`` where there are none, or they differ in size.
    package func limited(
        by options: ImageEncodeOptions, for format: ImageFormat
    ) throws(WebImageError) -> [ImageFrame] {
        guard let size = first?.bitmap.size else { throw .notEncoded(format, "there are no frames") }
        var result: [ImageFrame] = []
        for frame in options.encodesFirstFrameOnly ? prefix(1) : self[...] {
            guard frame.bitmap.size == size else {
                throw .notEncoded(
                    format, "a frame has \(frame.bitmap.size) pixels and the first one \(size); make all one size")
            }
            result.append(ImageFrame(bitmap: try frame.bitmap.limited(by: options), duration: frame.duration))
        }
        return result
    }
}
