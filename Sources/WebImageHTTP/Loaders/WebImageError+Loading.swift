import FoundationEssentials
import WebImageCore

extension WebImageError {
    package static func invalidAddress(_ reason: String) -> WebImageError {
        WebImageError(.invalidURL, stage: .request, kind: .permanent, reason: reason)
    }

    /// A server in trouble sends none, and so does one that is still writing the file.
    static let emptyBody = WebImageError(
        .badImageData, stage: .load, kind: .transient, reason: "the body is empty; check what the server has there")

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

    static func tooManyHeaderFields(_ detail: String) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .load, kind: .policy,
            reason: "the answer has too many header fields (\(detail)); check the server")
    }

    /// - Parameter line: The first line of an answer, which libcurl has accepted.
    static func badStatusLine(_ line: String) -> WebImageError {
        WebImageError(
            .invalidDownloadResponse, stage: .load, kind: .permanent,
            reason: "the answer begins with \(line.abbreviated(to: 200)), which is no status of HTTP; check the server")
    }

    static func expandsTooMuch(_ byteCount: Int, from packed: Int, ratio: Int) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .load, kind: .policy,
            reason: "the compressed body grows from \(packed) to more than \(byteCount) bytes; raise "
                + "maximumExpansionRatio, \(ratio) now, if it is meant to")
    }

    static func noMemoryForBody(_ byteCount: Int) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .load, kind: .transient,
            reason:
                "there is no memory for a body of \(byteCount) bytes; try again later, or lower maximumBodyByteCount")
    }

    /// A load that needed a socket, or a file, and could open none.
    static let noFileDescriptor = WebImageError(
        .limitExceeded, stage: .load, kind: .transient,
        reason: "the process has too many open files for another connection; close some, or raise its limit (ulimit -n)"
    )

    /// A load that needed a thread, and could start none.
    static func noThread(_ detail: String) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .load, kind: .transient,
            reason: "the process can start no other thread (\(detail)); end some, or raise its limit (ulimit -u)")
    }

    static func privateAddress(_ url: URL) -> WebImageError {
        WebImageError(
            .accessDenied, stage: .load, kind: .policy,
            reason:
                "the host of \(url.abbreviated), or its proxy, has no address of the internet; "
                + "deniesPrivateAddresses refuses others")
    }

    /// The server sent no byte of the answer within the load's timeout.
    ///
    /// - Parameter isBody: Whether the head has arrived.
    static func nothingCame(for time: Duration, inBody isBody: Bool) -> WebImageError {
        let what = isBody ? "the server sent nothing more of the body" : "no complete head of an answer came"
        return WebImageError(
            .timedOut, stage: .load, kind: .transient,
            reason: "\(what) for \(time.seconds) s; try again later or allow more time")
    }

    static func tookTooLong(_ limit: Duration) -> WebImageError {
        WebImageError(
            .timedOut, stage: .load, kind: .transient,
            reason: "the transfer took longer than \(limit.seconds) s; try again later or raise totalTimeout")
    }
}
