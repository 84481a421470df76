import FoundationEssentials

/// One request that an origin saw.
public struct OriginRequest: Sendable {
    /// 1 for the first request of the origin, and so on in the order of arrival.
    package let number: Int
    /// 1 for the origin's first connection; requests with the same number came over the same connection.
    package let connectionNumber: Int
    /// `GET`, `HEAD`, …
    public let method: String
    /// The path as sent, with percent escapes, without the query: `/a%20b.jpg`.
    public let path: String
    /// The text after the question mark; nil without one.
    public let query: String?
    /// Header fields, names in lower case; fields that came more than once are joined by `, ` (RFC 9110 §5.3).
    public let headers: [String: String]
    /// The request's body; empty for most.
    public let body: Data
    /// How the exchange ended; nil while it is under way.
    package internal(set) var ending: OriginEnding?

    /// The header field called `name`, in any case.
    public func header(_ name: String) -> String? { headers[name.lowercased()] }

    /// The cookies that came with the request, by name.
    public var cookies: [String: String] {
        let pairs = (header("cookie") ?? "").split(separator: ";").map { pair in
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
        return Dictionary(pairs) { $1 }
    }

    /// Path and query, as in the request line.
    public var target: String { query.map { "\(path)?\($0)" } ?? path }
}

/// How an exchange between an origin and its client ended.
package enum OriginEnding: Sendable, Hashable {
    /// The system accepted the whole response for sending.
    case answered
    /// The client hung up first.
    case clientLeft
    /// The script ended the connection early.
    case brokenOff
    /// The origin was stopped.
    case stopped
}
