import FoundationEssentials

/// The rules of HTTP for a body in a private cache (RFC 9111): how long it is fresh, how to revalidate it, and how a
/// revalidation updates its fields.
///
/// There are no heuristics (RFC 9111 §4.2.2 only allows them): a response without a lifetime is stale at once, and so
/// is one with a contradictory lifetime.
struct HTTPCacheRules: Sendable {
    private let headers: [String: String]
    private let storedAt: Date

    /// - Parameters:
    ///   - headers: Of the stored response, names in lower case.
    ///   - storedAt: When the response arrived, or was last revalidated.
    init(headers: [String: String], storedAt: Date) {
        self.headers = headers
        self.storedAt = storedAt
    }

    /// Whether the body may be used at `now` without a revalidation (RFC 9111 §4.2).
    func isFresh(at now: Date) -> Bool {
        // After the clock was set back the age of the body is unknown.
        guard now >= storedAt, !variesByRequest, let lifetime else { return false }
        return lifetime > age(at: now)
    }

    /// The fields of a conditional request (RFC 9110 §13.1). Validators are returned byte for byte, since only the
    /// server interprets them.
    var validators: [String: String] {
        var fields: [String: String] = [:]
        if let tag = headers["etag"], !tag.isEmpty { fields["If-None-Match"] = tag }
        if let date = headers["last-modified"], !date.isEmpty { fields["If-Modified-Since"] = date }
        return fields
    }

    /// The stored fields after a 304 with `fields`, names in lower case (RFC 9111 §3.2, §4.3.4). To be stored with the
    /// time of the 304.
    func headers(updatedBy fields: [String: String]) -> [String: String] {
        var headers = headers
        // These two describe the time of a response. A 304 without them comes from the origin itself, just now.
        headers["date"] = nil
        headers["age"] = nil
        let listed = fields["connection"]?.lowercased().utf8.split(separator: UInt8(ascii: ",")) ?? []
        let kept = Self.keptFields.union(listed.map { String(Substring($0.trimmingBlanks)) })
        return headers.merging(fields.filter { !kept.contains($0.key) }) { $1 }
    }

    /// Fields of one connection (RFC 9110 §7.6.1), and those that describe the stored bytes.
    private static let keptFields: Set = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade", "content-encoding", "content-length", "content-range",
    ]
}

// MARK: - Freshness

extension HTTPCacheRules {
    /// Whether another request may get another response (RFC 9111 §4.1). The fields of the stored request are unknown,
    /// so only fields that are equal in all requests of a downloader are ignored.
    private var variesByRequest: Bool {
        let names = headers["vary"]?.lowercased().utf8.split(separator: UInt8(ascii: ",")) ?? []
        return names.contains { !Self.constantFields.contains(String(Substring($0.trimmingBlanks))) }
    }

    private static let constantFields: Set = ["accept", "accept-encoding", "origin", "user-agent", ""]

    /// Seconds from the origin's response on; nil when each use requires a revalidation.
    private var lifetime: Double? {
        let control = CacheControl(headers["cache-control"] ?? "")
        guard !control.requiresRevalidation, !control.noStore else { return nil }
        switch control.lifetime {
        case .seconds(let seconds): return Double(seconds)
        case .contradictory: return nil
        case .unstated: return date("expires").map { $0.timeIntervalSince(date("date") ?? storedAt) }
        }
    }

    /// Seconds since the origin's response, as far as known (RFC 9111 §4.2.3).
    private func age(at now: Date) -> Double {
        let apparent = max(0, storedAt.timeIntervalSince(date("date") ?? storedAt))
        return max(apparent, ageWhenStored) + now.timeIntervalSince(storedAt)
    }

    /// The first member of a list counts, and an invalid number is ignored (RFC 9111 §5.1).
    private var ageWhenStored: Double {
        let first = headers["age"]?.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).first
        return first.flatMap { DeltaSeconds($0.trimmingBlanks) }.map { Double($0.value) } ?? 0
    }

    private func date(_ name: String) -> Date? { headers[name].flatMap { HTTPDate($0, now: storedAt)?.date } }
}
