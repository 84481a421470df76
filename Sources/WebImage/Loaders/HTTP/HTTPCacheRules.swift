import FoundationEssentials

/// What HTTP says about a body that is kept in a private cache (RFC 9111): how long it may be used without asking, how to
/// ask whether it is still good, and what its fields are after the server said so.
///
/// There is no guessing: an answer that states no lifetime is stale at once (RFC 9111 §4.2.2 only allows heuristics), and
/// so is one that states it in a way that cannot be relied on.
struct HTTPCacheRules: Sendable {
    private let headers: [String: String]
    private let storedAt: Date

    /// - Parameters:
    ///   - headers: Of the answer that was stored, names in lower case.
    ///   - storedAt: When that came, or when the server last said that it is still good.
    init(headers: [String: String], storedAt: Date) {
        self.headers = headers
        self.storedAt = storedAt
    }

    /// Whether the body may be used at `now` without asking the server (RFC 9111 §4.2).
    func isFresh(at now: Date) -> Bool {
        // After the clock was set back nobody knows how old the body is.
        guard now >= storedAt, !variesByRequest, let lifetime else { return false }
        return lifetime > age(at: now)
    }

    /// The fields of a request for the body if it has changed (RFC 9110 §13.1). What the server gave is handed back as it
    /// came, since it need not make sense to anybody else.
    var validators: [String: String] {
        var fields: [String: String] = [:]
        if let tag = headers["etag"], !tag.isEmpty { fields["If-None-Match"] = tag }
        if let date = headers["last-modified"], !date.isEmpty { fields["If-Modified-Since"] = date }
        return fields
    }

    /// The stored fields after a 304 with `fields`, names in lower case (RFC 9111 §3.2, §4.3.4). Goes with the time at which
    /// that came.
    func headers(updatedBy fields: [String: String]) -> [String: String] {
        var headers = headers
        // These two describe the moment of an answer. Without them the 304 comes from the origin itself, just now.
        headers["date"] = nil
        headers["age"] = nil
        let listed = fields["connection"]?.lowercased().utf8.split(separator: UInt8(ascii: ",")) ?? []
        let kept = Self.keptFields.union(listed.map { String(Substring($0.trimmingBlanks)) })
        return headers.merging(fields.filter { !kept.contains($0.key) }) { $1 }
    }

    /// Fields of one connection (RFC 9110 §7.6.1), and those that describe the bytes as they are stored.
    private static let keptFields: Set = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade", "content-encoding", "content-length", "content-range",
    ]
}

// MARK: - Freshness

extension HTTPCacheRules {
    /// Whether another request might have been answered otherwise (RFC 9111 §4.1). What the stored one said is not known,
    /// so that only fields which are the same in all requests of a downloader do not count.
    private var variesByRequest: Bool {
        let names = headers["vary"]?.lowercased().utf8.split(separator: UInt8(ascii: ",")) ?? []
        return names.contains { !Self.constantFields.contains(String(Substring($0.trimmingBlanks))) }
    }

    private static let constantFields: Set = ["accept", "accept-encoding", "origin", "user-agent", ""]

    /// Seconds from the origin's answer on; nil when the answer must not be used without asking.
    private var lifetime: Double? {
        let control = CacheControl(headers["cache-control"] ?? "")
        guard !control.forbidsReuse else { return nil }
        switch control.lifetime {
        case .seconds(let seconds): return Double(seconds)
        case .contradictory: return nil
        case .unstated: return date("expires").map { $0.timeIntervalSince(date("date") ?? storedAt) }
        }
    }

    /// Seconds since the origin's answer, as well as can be known (RFC 9111 §4.2.3).
    private func age(at now: Date) -> Double {
        let apparent = max(0, storedAt.timeIntervalSince(date("date") ?? storedAt))
        return max(apparent, ageWhenStored) + now.timeIntervalSince(storedAt)
    }

    /// Of a list the first member counts, and what is no number is ignored (RFC 9111 §5.1).
    private var ageWhenStored: Double {
        let first = headers["age"]?.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).first
        return first.flatMap { DeltaSeconds($0.trimmingBlanks) }.map { Double($0.value) } ?? 0
    }

    private func date(_ name: String) -> Date? { headers[name].flatMap { HTTPDate($0, now: storedAt)?.date } }
}
