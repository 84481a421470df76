extension ImageLimits {
    /// Checks what a header claims, before any memory is taken for it.
    ///
    /// - Parameters:
    ///   - source: The picture's size by its header.
    ///   - held: The size that is held in memory while decoding; differs from `source` for decoders that scale on
    ///     the fly.
    /// - Throws: ``WebImageError/Code/limitExceeded``, naming the limit.
    package func check(source: PixelSize, held: PixelSize) throws(WebImageError) {
        if source.area > maximumSourcePixelCount {
            throw .tooManyPixels(source, limit: maximumSourcePixelCount, name: "maximumSourcePixelCount", advice: "")
        }
        if held.area > maximumPixelCount {
            throw .tooManyPixels(
                held, limit: maximumPixelCount, name: "maximumPixelCount", advice: "ask for a thumbnail or ")
        }
    }
}

extension WebImageError {
    fileprivate static func tooManyPixels(
        _ size: PixelSize, limit: Int, name: String, advice: String
    ) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .decode, kind: .policy,
            reason: "the picture has \(size) pixels and \(limit) are allowed; \(advice)raise ImageLimits.\(name)")
    }
}
