import WebImageCore

/// The meaning of a status code (RFC 9110 §15), for messages and for retries.
struct HTTPStatus {
    let code: Int

    /// Whether the same request may succeed later.
    var isTransient: Bool {
        code == 408 || code == 425 || code == 429 || code >= 500 && !Self.inabilities.contains(code)
    }

    /// Codes of a server that cannot do what it was asked for, not even later.
    private static let inabilities: Set = [501, 505, 506, 508, 510]

    /// Whether the code has a meaning that this library knows.
    var isKnown: Bool { code == 200 || code == 203 || Self.phrases[code] != nil }

    /// Whether a response with the code may be stored and used without an explicit lifetime (RFC 9110 §15.1), and has a
    /// body.
    static func isHeuristicallyCacheable(_ code: Int) -> Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(code)
    }

    /// `404 Not Found`; the number alone where the code has no well-known phrase.
    var text: String { Self.phrases[code].map { "\(code) \($0)" } ?? "\(code)" }

    /// Advice for the reader of the message.
    var advice: String {
        switch code {
        case 300..<400: "check the address: the redirect has no Location"
        case 401, 403, 407: "check the credentials that are sent"
        case 414: "shorten the address"
        case _ where isTransient: "try again later"
        case _ where Self.inabilities.contains(code): "check the server"
        case 400..<500: "check the address"
        default: "check acceptableStatusCodes"
        }
    }

    private static let phrases = [
        204: "No Content", 206: "Partial Content", 300: "Multiple Choices", 301: "Moved Permanently", 302: "Found",
        303: "See Other", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
        401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict",
        410: "Gone", 412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
        415: "Unsupported Media Type", 416: "Range Not Satisfiable", 421: "Misdirected Request",
        425: "Too Early", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 501: "Not Implemented",
        502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        505: "HTTP Version Not Supported", 507: "Insufficient Storage", 511: "Network Authentication Required",
    ]
}

extension HTTPResponse {
    /// True when the body has a content encoding, so that its announced length is not the decoded length.
    var isEncoded: Bool { !contentEncodings.isEmpty && !hasUnknownEncoding }

    /// True when the body is said to have an encoding that is none, or none of HTTP's, such as `aws-chunked` or `utf-8`.
    var hasUnknownEncoding: Bool { contentEncodings.contains { !Self.knownEncodings.contains($0) } }

    private var contentEncodings: [String] {
        let names = headers["content-encoding"]?.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" } ?? []
        return names.map(String.init).filter { $0 != "identity" }
    }

    private static let knownEncodings: Set = ["gzip", "x-gzip", "deflate", "br", "zstd", "compress", "x-compress"]

    /// True when repeated fields announce different lengths: no reader knows where the body ends (RFC 9110 §8.6).
    fileprivate var hasContradictoryLength: Bool {
        guard let lengths = headers["content-length"]?.utf8, lengths.contains(UInt8(ascii: ",")) else { return false }
        let members = lengths.split(separator: UInt8(ascii: ",")).map { String(Substring($0.trimmingBlanks)) }
        return Set(members).count > 1
    }

    /// True when the body is a part of the picture's file (RFC 9110 §15.3.7), or may be.
    package var isPart: Bool {
        guard statusCode == 206 else { return false }
        let range = header("content-range")?.lowercased().split { $0 == " " || $0 == "-" || $0 == "/" } ?? []
        guard range.count == 4, range[0] == "bytes", let last = Int(range[2]), let total = Int(range[3]) else {
            return true
        }
        return Int(range[1]) != 0 || last != total - 1
    }
}

extension WebImageDownloaderConfig {
    /// The error for a `response` that is refused; nil when it is accepted.
    ///
    /// - Parameter asksForPart: Whether the request had a `Range` field, so that a part is expected.
    func rejection(of response: HTTPResponse, toRequestForPart asksForPart: @autoclosure () -> Bool) -> WebImageError? {
        let status = HTTPStatus(code: response.statusCode)
        if response.hasContradictoryLength { return .contradictoryLength }
        if response.statusCode == 304 { return .notModified }
        if let acceptableStatusCodes, !acceptableStatusCodes.contains(response.statusCode) {
            return .status(status)
        }
        if response.isPart, !asksForPart() { return .unaskedPart }
        if let acceptableContentTypes, let type = response.mimeType, !acceptableContentTypes.contains(type) {
            return .contentType(type, statusCode: response.statusCode)
        }
        return nil
    }
}

extension WebImageError {
    static let refusedByResponseModifier = WebImageError(
        .invalidDownloadResponse, stage: .load, kind: .policy,
        reason: "the response modifier gave no response; return one to accept the answer")

    fileprivate static let notModified = WebImageError(
        .cacheNotModified, stage: .load, kind: .permanent,
        reason: "the server answered 304 Not Modified: the picture that was loaded before is current",
        statusCode: 304)

    fileprivate static func status(_ status: HTTPStatus) -> WebImageError {
        WebImageError(
            .invalidDownloadStatusCode, stage: .load, kind: status.isTransient ? .transient : .permanent,
            reason: "the server answered \(status.text); \(status.advice)", statusCode: status.code)
    }

    fileprivate static let contradictoryLength = WebImageError(
        .invalidDownloadResponse, stage: .load, kind: .permanent,
        reason: "the server announced two lengths for one body (Content-Length); check the server")

    fileprivate static let unaskedPart = WebImageError(
        .invalidDownloadResponse, stage: .load, kind: .permanent,
        reason: "the server answered 206 Partial Content to a request without a range; check the server",
        statusCode: 206)

    fileprivate static func contentType(_ type: String, statusCode: Int) -> WebImageError {
        WebImageError(
            .invalidDownloadContentType, stage: .load, kind: HTTPResponse.isNotice(type) ? .transient : .permanent,
            reason: "the server sent \(type.abbreviated(to: 60)), which acceptableContentTypes does not have",
            statusCode: statusCode)
    }
}

extension HTTPResponse {
    /// Whether a body of this media type is a text in the picture's place, as from a network that asks to log in first.
    fileprivate static func isNotice(_ type: String) -> Bool {
        type.hasPrefix("text/") || ["application/json", "application/xml", "application/xhtml+xml"].contains(type)
    }
}
