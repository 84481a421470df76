import FoundationEssentials
import WebImageCore

/// A response of an origin, and its script: slow, in pieces, late, or incomplete.
///
/// A value that is built by chaining:
/// ```swift
/// OriginResponse(body: jpeg).header("ETag", "\"1\"").delayed(by: .milliseconds(50)).limited(toBytesPerSecond: 100_000)
/// ```
public struct OriginResponse: Sendable {
    /// A field of the head.
    package struct HeaderField: Sendable, Hashable {
        /// The name, in the case that is sent.
        package var name: String
        /// The value.
        package var value: String
    }

    /// The way the end of the body is marked.
    package enum Framing: Sendable, Hashable {
        /// A correct `Content-Length`.
        case contentLength
        /// `Transfer-Encoding: chunked`; HTTP/1.0 clients get ``untilClose`` instead.
        case chunked
        /// The end of the connection.
        case untilClose
        /// A `Content-Length` that may be wrong.
        case claimedLength(Int)
    }

    /// A fault that cuts the body short.
    package enum Fault: Sendable, Hashable {
        /// Nothing more is sent, and the connection stays open until the client leaves or the origin stops.
        case stall(afterBytes: Int)
        /// The connection is reset (TCP RST).
        case reset(afterBytes: Int)
        /// The connection is closed gracefully (TCP FIN), too early.
        case close(afterBytes: Int)
    }

    struct Hold: Sendable {
        var offset: Int?
        var gate: Gate
    }

    /// The status code, 200 by default.
    package var status: Int
    /// Fields of the head, in addition to those that the origin adds (`Date`, `Content-Length`, …).
    package var headers: [HeaderField]
    /// The body as sent: for a content encoding, the encoded bytes.
    package var body: Data
    /// The way the end of the body is marked.
    package var framing: Framing = .contentLength
    /// The time before the first byte of the head.
    package var delay: Duration = .zero
    /// The maximum rate of body bytes; nil for no limit.
    package var bytesPerSecond: Int?
    /// The maximum number of body bytes handed to the system at once; nil leaves it to the origin.
    package var pieceSize: Int?
    /// The fault that cuts the body short; nil for none.
    package var fault: Fault?

    var holds: [Hold] = []
    var rawBytes: Data?
    /// Whether a client with a matching validator gets 304.
    var isConditional = false
    /// The required `Authorization` field, without which the response is 401; nil for none.
    var authorization: String?

    /// A response with `body`; only the content type is added to `headers`.
    public init(status: Int = 200, contentType: String? = nil, headers: [(String, String)] = [], body: Data = Data()) {
        self.status = status
        self.body = body
        self.headers = headers.map { HeaderField(name: $0.0, value: $0.1) }
        if let contentType { self.headers.append(HeaderField(name: "Content-Type", value: contentType)) }
    }
}

extension OriginResponse {
    /// A picture; without a content type, the type is detected from its bytes.
    public static func picture(_ data: Data, contentType: String? = nil) -> OriginResponse {
        OriginResponse(contentType: contentType ?? ImageFormat(sniffing: data).mimeType, body: data)
    }

    /// Text of the type `contentType`, by default plain.
    public static func text(
        _ text: String, status: Int = 200, contentType: String = "text/plain; charset=utf-8"
    ) -> OriginResponse {
        OriginResponse(status: status, contentType: contentType, body: Data(text.utf8))
    }

    /// A redirect to `location`, which may be relative.
    public static func redirect(to location: String, status: Int = 302) -> OriginResponse {
        OriginResponse(status: status, headers: [("Location", location)])
    }

    /// A response with `status` and no body.
    public static func status(_ status: Int) -> OriginResponse { OriginResponse(status: status) }

    /// Sends exactly these bytes instead of an HTTP response, then closes the connection. No bytes: an empty reply.
    ///
    /// An HTTPS origin writes the bytes into the TLS stream, where they are a protocol error.
    package static func raw(_ bytes: Data) -> OriginResponse {
        var response = OriginResponse()
        response.rawBytes = bytes
        return response
    }
}
