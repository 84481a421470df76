import FoundationEssentials
import WebImage
import WebImageCore
import WebImageHTTP

/// How long a source, and what is made of it, may be kept, by the source's answer.
struct SourceAge: Equatable {
    enum Keeping: String {
        case anywhere = "public"
        /// By the client alone.
        case client = "private"
        /// Its server is asked before each use.
        case asked = "no-cache"
        case nowhere = "no-store"
    }

    let keeping: Keeping
    /// Seconds; nil where the answer says nothing.
    let seconds: Double?
    /// Whether it may be used for a while after that.
    let mayBeStale: Bool

    /// - Parameter response: nil for a source that is no HTTP server's.
    init(_ response: HTTPResponse?, now: Date = Date()) {
        guard let response else {
            (keeping, seconds, mayBeStale) = (.anywhere, nil, true)
            return
        }
        var control = response.headers["cache-control"].map(Self.directives) ?? [:]
        // RFC 9111 §4.1.
        if response.headers["vary"]?.contains("*") == true { control["no-cache"] = "" }
        let rules = HTTPCacheRules(headers: response.headers, storedAt: now, heuristicFraction: 0.1)
        // A lifetime that cannot be read is over (RFC 9111 §4.2.1 and §5.3).
        let hasLifetime = response.headers["expires"] != nil || control["max-age"] != nil
        seconds = rules.freshness(at: now) ?? (hasLifetime ? 0 : nil)
        keeping = Self.keeping(control, seconds)
        mayBeStale = control["must-revalidate"] == nil && control["proxy-revalidate"] == nil
    }

    private static func keeping(_ control: [String: String], _ seconds: Double?) -> Keeping {
        if control["no-store"] != nil { return .nowhere }
        if control["private"] != nil { return .client }
        return control["no-cache"] != nil || seconds.map({ $0 <= 0 }) == true ? .asked : .anywhere
    }

    private static func directives(_ field: String) -> [String: String] {
        let pairs = field.lowercased().split(separator: ",").map { part in
            let sides = part.split(separator: "=", maxSplits: 1)
            return (sides.first.map(\.trimmed) ?? "", sides.count > 1 ? sides[1].trimmed.replacing("\"", with: "") : "")
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
