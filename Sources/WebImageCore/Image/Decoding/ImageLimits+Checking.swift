extension ImageLimits {
    /// Checks the claims of a header, before memory is allocated.
    ///
    /// - Parameters:
    ///   - format: The format of the file, for the error.
    ///   - source: The picture's size in the header.
    ///   - held: The size that is held in memory during the decode; differs from `source` for decoders that scale on
    ///     the fly.
    /// - Throws: ``WebImageError/Code/limitExceeded``, with the name of the limit.
    package func check(
        _ format: ImageFormat? = nil, source: PixelSize, held: PixelSize
    ) throws(WebImageError) {
        if source.area > maximumSourcePixelCount {
            throw .tooManyPixels(
                format, source, limit: maximumSourcePixelCount, name: "maximumSourcePixelCount", advice: "")
        }
        if held.area > maximumPixelCount {
            throw .tooManyPixels(
                format, held, limit: maximumPixelCount, name: "maximumPixelCount", advice: "ask for a thumbnail or ")
        }
    }
}

extension WebImageError {
    fileprivate static func tooManyPixels(
        _ format: ImageFormat?, _ size: PixelSize, limit: Int, name: String, advice: String
    ) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .decode, kind: .policy,
            reason: "the \(format.map { "\($0) " } ?? "")picture has \(size) pixels and \(limit) are allowed; "
                + "\(advice)raise ImageLimits.\(name)")
    }
}
