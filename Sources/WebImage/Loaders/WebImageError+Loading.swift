import FoundationEssentials

extension WebImageError {
    static func invalidAddress(_ reason: String) -> WebImageError {
        WebImageError(.invalidURL, stage: .request, kind: .permanent, reason: reason)
    }

    static let emptyBody = WebImageError(
        .badImageData, stage: .load, kind: .permanent, reason: "the body is empty; check what the server has there")

    /// - Parameter byteCount: nil when the length was not announced.
    static func bodyTooLarge(_ byteCount: Int?, limit: Int) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .load, kind: .policy,
            reason: "the body\(byteCount.map { " of \($0) bytes" } ?? "") is larger than the limit of \(limit) bytes; "
                + "raise maximumBodyByteCount if it is meant to be")
    }

    static func headTooLarge(limit: Int) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .load, kind: .policy,
            reason: "the header fields of the answer are larger than the limit of \(limit) bytes; check the server")
    }

    static func noMemoryForBody(_ byteCount: Int) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .load, kind: .transient,
            reason:
                "there is no memory for a body of \(byteCount) bytes; try again later, or lower maximumBodyByteCount")
    }

    /// The server sent no byte within the load's timeout.
    static func nothingCame(for time: Duration) -> WebImageError {
        WebImageError(
            .timedOut, stage: .load, kind: .transient,
            reason: "the server sent nothing for \(time.seconds) s; try again later or allow more time")
    }
}
