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
        try check(format, source: source)
        if held.area > maximumPixelCount {
            throw .tooManyPixels(
                format, held, limit: maximumPixelCount, name: "maximumPixelCount", advice: "ask for a thumbnail or ")
        }
    }

    /// Checks the picture's size in the header alone: for coders of large pictures, which are not in memory as a whole.
    ///
    /// - Parameter format: The format of the file, for the error.
    /// - Throws: ``WebImageError/Code/limitExceeded``, with the name of the limit.
    public func check(_ format: ImageFormat?, source: PixelSize) throws(WebImageError) {
        guard source.area > maximumSourcePixelCount else { return }
        throw .tooManyPixels(
            format, source, limit: maximumSourcePixelCount, name: "maximumSourcePixelCount", advice: "")
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
