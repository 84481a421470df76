import FoundationEssentials
import WebImage

/// What an origin answers, and how: slowly, in pieces, late, or not to the end.
///
/// A value that is built up by chaining:
/// ```swift
/// OriginResponse(body: jpeg).header("ETag", "\"1\"").delayed(by: .milliseconds(50)).limited(toBytesPerSecond: 100_000)
/// ```
public struct OriginResponse: Sendable {
    /// A field of the head.
    public struct HeaderField: Sendable, Hashable {
        /// The name, sent as it is spelled here.
        public var name: String
        /// The value.
        public var value: String
    }

    /// How the client learns where the body ends.
    public enum Framing: Sendable, Hashable {
        /// By a true `Content-Length`.
        case contentLength
        /// By `Transfer-Encoding: chunked`; HTTP/1.0 clients get ``untilClose`` instead.
        case chunked
        /// By the end of the connection.
        case untilClose
        /// By a `Content-Length` that may lie.
        case claimedLength(Int)
    }

    /// What breaks the body off.
    public enum Fault: Sendable, Hashable {
        /// Nothing more is sent, and the connection stays open until the client leaves or the origin stops.
        case stall(afterBytes: Int)
        /// The connection is reset (TCP RST).
        case reset(afterBytes: Int)
        /// The connection is closed in good order (TCP FIN), too early.
        case close(afterBytes: Int)
    }

    struct Hold: Sendable {
        var offset: Int?
        var gate: Gate
    }

    /// The status code, 200 by default.
    public var status: Int
    /// Fields of the head, beside those of HTTP itself (`Date`, `Content-Length`, …), which the origin adds.
    public var headers: [HeaderField]
    /// The body, as it goes over the wire: for a content encoding, the encoded bytes.
    public var body: Data
    /// How the client learns where the body ends.
    public var framing: Framing = .contentLength
    /// Time that passes before the first byte of the head.
    public var delay: Duration = .zero
    /// Most body bytes per second; nil for no limit.
    public var bytesPerSecond: Int?
    /// Most body bytes that are handed to the system at once; nil leaves it to the origin.
    public var pieceSize: Int?
    /// What breaks the body off; nil for nothing.
    public var fault: Fault?

    var holds: [Hold] = []
    var rawBytes: Data?
    /// Whether a client that has this already gets 304 instead.
    var isConditional = false
    /// The `Authorization` field without which the answer is 401; nil for all clients.
    var authorization: String?

    /// An answer of `body`; nothing is added to `headers` but the content type.
    public init(status: Int = 200, contentType: String? = nil, headers: [(String, String)] = [], body: Data = Data()) {
        self.status = status
        self.body = body
        self.headers = headers.map { HeaderField(name: $0.0, value: $0.1) }
        if let contentType { self.headers.append(HeaderField(name: "Content-Type", value: contentType)) }
    }
}

extension OriginResponse {
    /// A picture; without a content type, the one that its first bytes show.
    public static func picture(_ data: Data, contentType: String? = nil) -> OriginResponse {
        OriginResponse(contentType: contentType ?? ImageFormat(sniffing: data).mimeType, body: data)
    }

    /// Plain text, or whatever `contentType` says it is.
    public static func text(
        _ text: String, status: Int = 200, contentType: String = "text/plain; charset=utf-8"
    ) -> OriginResponse {
        OriginResponse(status: status, contentType: contentType, body: Data(text.utf8))
    }

    /// A redirect to `location`, which may be relative.
    public static func redirect(to location: String, status: Int = 302) -> OriginResponse {
        OriginResponse(status: status, headers: [("Location", location)])
    }

    /// An answer with `status` and no body.
    public static func status(_ status: Int) -> OriginResponse { OriginResponse(status: status) }

    /// These very bytes instead of an HTTP answer, and then the end of the connection. No bytes: an empty reply.
    ///
    /// On an HTTPS origin the bytes go into the middle of the TLS stream, where they are a protocol error.
    public static func raw(_ bytes: Data) -> OriginResponse {
        var response = OriginResponse()
        response.rawBytes = bytes
        return response
    }
}
