import WebImageCore

/// The priority of a load as a server is told it: a weight of HTTP/2 and a field. The weights are deprecated (RFC 9113
/// §5.3.2), and nghttp2 1.65 and newer send none, but older servers know nothing else.
extension LoadPriority {
    /// The share of an HTTP/2 connection, 1 to 256; 16 is the protocol's default (RFC 7540 §5.3.5).
    var streamWeight: Int {
        switch self {
        case .low: 4
        case .normal: 16
        case .high: 64
        case .veryHigh: 256
        }
    }

    /// The `Priority` field of RFC 9218 §4.1: a smaller number is more urgent, and 3, the default, is not sent.
    fileprivate var field: String? {
        switch self {
        case .low: "u=5"
        case .normal: nil
        case .high: "u=1"
        case .veryHigh: "u=0"
        }
    }
}

extension OutgoingRequest {
    /// The fields that are sent, with those of a signature, and with the priority unless the load has such a field of its
    /// own. Over plain http, requests do not share a connection.
    func headers(for priority: LoadPriority) -> [String: String] {
        let headers = credential?.signature.map { self.headers.overlaid(by: $0.fields(for: body)) } ?? self.headers
        guard url.hasScheme("https"), let field = priority.field, !headers.hasField("priority") else { return headers }
        return headers.overlaid(by: ["Priority": field])
    }
}
