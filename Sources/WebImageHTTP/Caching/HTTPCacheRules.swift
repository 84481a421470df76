import FoundationEssentials
import WebImageCore

/// The rules of HTTP for one response in a private cache (RFC 9111): how it may be used, how to revalidate it, and how a
/// revalidation updates its fields.
package struct HTTPCacheRules: Sendable {
    /// The part of the time since its last change for which a response without a lifetime is fresh.
    let heuristicFraction: Double
    /// Whether a stale response may be used where its server fails and has said nothing about that.
    let allowsStaleOnErrors: Bool
    private let headers: [String: String]
    private let storedAt: Date
    private let control: CacheControl

    /// - Parameters:
    ///   - headers: Of the stored response, names in lower case, with the notes of the cache; see ``HTTPRecord``.
    ///   - storedAt: When the response arrived, or was last revalidated.
    ///   - heuristicFraction: 0 for no heuristics: then a response without a lifetime is stale at once.
    package init(
        headers: [String: String], storedAt: Date, heuristicFraction: Double = 0, allowsStaleOnErrors: Bool = false
    ) {
        self.headers = headers
        self.storedAt = storedAt
        self.heuristicFraction = heuristicFraction
        self.allowsStaleOnErrors = allowsStaleOnErrors
        control = CacheControl(headers["cache-control"] ?? "")
    }

    /// Whether the body may be used at `now` without a revalidation, for a request without fields of its own.
    func isFresh(at now: Date) -> Bool { use(for: [:], at: now) == .atOnce }

    /// Whether the response's lifetime is over at `now`, or has never begun (RFC 9111 §4.2).
    package func isStale(at now: Date) -> Bool { now < storedAt || age(at: now) >= lifetime ?? 0 }

    /// Seconds for which the response stays fresh at `now`, negative where its lifetime is over; nil where nothing says how long
    /// it is fresh.
    package func freshness(at now: Date) -> Double? { lifetime.map { $0 - age(at: now) } }

    /// How the response may be used at `now` (RFC 9111 §4).
    ///
    /// - Parameter request: The fields of the request, names in lower case.
    package func use(for request: [String: String], at now: Date) -> CachedUse {
        let wanted = CacheControl(request["cache-control"] ?? "")
        // After the clock was set back the age of the body is unknown.
        guard now >= storedAt, matches(request) else { return .afterRevalidation(evenOnErrors: false) }
        let mayBeStale = !control.requiresRevalidation && !control.forbidsStaleUse
        let age = age(at: now)
        let staleness = age - (lifetime ?? 0)
        if staleness < 0, isUsable(aged: age, for: wanted, staysFreshFor: -staleness) { return .atOnce }
        guard mayBeStale else { return .afterRevalidation(evenOnErrors: false) }
        if !wanted.requiresRevalidation, !wanted.noStore {
            if let limit = wanted.maxStale, staleness <= Double(limit) { return .atOnce }
            if wanted.lifetime == .unstated, staleness >= 0, isWithin(control.staleWhileRevalidate, staleness) {
                return .whileRevalidated
            }
        }
        return .afterRevalidation(evenOnErrors: coversErrors(staleness, for: wanted))
    }

    /// Whether the response is used where its server fails. The request's demand for a new answer counts there, too.
    private func coversErrors(_ staleness: Double, for wanted: CacheControl) -> Bool {
        guard control.staleIfError == nil, wanted.staleIfError == nil else {
            return isWithin(control.staleIfError, staleness) || isWithin(wanted.staleIfError, staleness)
        }
        return allowsStaleOnErrors && !wanted.requiresRevalidation && !wanted.noStore
    }

    private func isWithin(_ window: Int?, _ staleness: Double) -> Bool {
        window.map { staleness <= Double($0) } ?? false
    }

    /// Whether a fresh response is what the request wants.
    private func isUsable(aged age: Double, for wanted: CacheControl, staysFreshFor rest: Double) -> Bool {
        guard !control.requiresRevalidation, !control.forbidsStorage(of: status), !wanted.requiresRevalidation,
            !wanted.noStore
        else {
            return false
        }
        if let least = wanted.minFresh, rest < Double(least) { return false }
        // A reload does not ask again for what never changes (RFC 8246 §2).
        guard !control.isImmutable, case .seconds(let limit) = wanted.lifetime else { return true }
        return age < Double(limit)
    }

    /// The fields of the stored response as an answer now (RFC 9111 §4, §5.1, §5.2.2.4).
    package func answer(at now: Date) -> [String: String] {
        var fields = headers.withoutNotes.filter { !control.unusableFields.contains($0.key) }
        fields["age"] = "\(Int(max(0, min(age(at: now), Double(1 << 31)))))"
        return fields
    }
}

// MARK: - Revalidation

extension HTTPCacheRules {
    /// The fields of a conditional request (RFC 9110 §13.1). Validators are returned byte for byte, since only the
    /// server interprets them.
    var validators: [String: String] { validators(for: [:]) }

    /// The same for a request with these fields. A response to other fields is only identified by its tag (RFC 9111
    /// §4.1, §4.3.1).
    package func validators(for request: [String: String]) -> [String: String] {
        var fields: [String: String] = [:]
        if let tag = headers["etag"], !tag.isEmpty { fields["If-None-Match"] = tag }
        if let date = headers["last-modified"], !date.isEmpty, matches(request) { fields["If-Modified-Since"] = date }
        return fields
    }

    /// The stored fields after a 304 with `fields`, names in lower case (RFC 9111 §3.2, §4.3.4). To be stored with the
    /// time of the 304.
    ///
    /// - Parameter delay: See ``HTTPRecord/delay``.
    package func headers(updatedBy fields: [String: String], delay: String? = nil) -> [String: String] {
        var headers = headers
        // These describe the time of a response. A 304 without them comes from the origin itself, just now.
        headers["date"] = nil
        headers["age"] = nil
        headers[HTTPRecord.delay] = delay
        let kept = Self.fieldsOfBody.union(Self.fieldsOfConnection(in: fields))
        let news = fields.filter { !kept.contains($0.key) }
        return Self.limited(headers.merging(news) { $1 }, preferring: Set(news.keys))
    }

    /// As many fields as one head may have: a server that adds others with each 304 does not make the stored ones grow. What
    /// the rules need goes first, then the newest.
    private static func limited(_ fields: [String: String], preferring newest: Set<String>) -> [String: String] {
        let byteCount = { (field: (key: String, value: String)) in field.key.utf8.count + field.value.utf8.count + 8 }
        var room = ReceivedHead.largestByteCount
        guard fields.reduce(0, { $0 + byteCount($1) }) > room else { return fields }
        let rank = { (name: String) in needed.contains(name) || name.hasPrefix(":") ? 0 : newest.contains(name) ? 1 : 2
        }
        var kept: [String: String] = [:]
        for field in fields.sorted(by: { (rank($0.key), $0.key) < (rank($1.key), $1.key) })
        where byteCount(field) <= room {
            kept[field.key] = field.value
            room -= byteCount(field)
        }
        return kept
    }

    /// Whether a cache with the fields `updated` decides as with these: where each use requires a revalidation, the times
    /// of a response mean nothing.
    package func decideAlike(_ updated: [String: String]) -> Bool {
        control.requiresRevalidation && Self.withoutTimes(headers) == Self.withoutTimes(updated)
    }

    private static func withoutTimes(_ headers: [String: String]) -> [String: String] {
        headers.filter { !["date", "age", "expires", HTTPRecord.delay].contains($0.key) }
    }

    /// The fields to store of a response: all but those of its connection (RFC 9111 §3.1).
    static func storedFields(of headers: [String: String]) -> [String: String] {
        let left = fieldsOfConnection(in: headers)
        return headers.withoutNotes.filter { !left.contains($0.key) }
    }

    /// Fields of one connection (RFC 9110 §7.6.1).
    private static func fieldsOfConnection(in headers: [String: String]) -> Set<String> {
        hopByHop.union(headers["connection"].map(\.listedNames) ?? [])
    }

    private static let hopByHop: Set = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    private static let needed: Set = [
        "age", "cache-control", "content-encoding", "content-length", "content-range", "content-type", "date", "etag",
        "expires", "last-modified", "pragma", "vary",
    ]

    /// Those that describe the stored bytes.
    private static let fieldsOfBody: Set = ["content-encoding", "content-length", "content-range"]
}

// MARK: - Variants

extension HTTPCacheRules {
    /// Whether the stored response is one to a request with these fields (RFC 9111 §4.1).
    private func matches(_ request: [String: String]) -> Bool {
        guard let vary = headers["vary"] else { return true }
        guard headers[HTTPRecord.variesUnknown] == nil else { return false }
        return vary.listedNames.allSatisfy { name in
            name != "*"
                && headers[HTTPRecord.variedField + name].map { $0.normalized(asValueOf: name) }
                    == request[name].map { $0.normalized(asValueOf: name) }
        }
    }
}

extension String {
    /// The members of a list of names, in lower case.
    package var listedNames: [String] {
        lowercased().utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0.trimmingBlanks)) }
            .filter { !$0.isEmpty }
    }

    /// The same for all values that mean the same in a field called `name`: without blanks around members, and for
    /// languages, whose order alone means nothing, in one order and in lower case (RFC 9110 §5.6.1, §12.5.4).
    fileprivate func normalized(asValueOf name: String) -> [String] {
        guard !utf8.contains(UInt8(ascii: "\"")) else { return [self] }
        if name == "accept-language" { return listedNames.sorted() }
        return utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0.trimmingBlanks)) }
            .filter { !$0.isEmpty }
    }
}

// MARK: - Freshness

extension HTTPCacheRules {
    /// Seconds from the origin's response on; nil when each use requires a revalidation.
    private var lifetime: Double? {
        let redirects = headers[HTTPRecord.redirectLifetime].flatMap { Double($0) }
        switch (lifetimeOfResponse, redirects) {
        case (let own?, let redirects?): return min(own, redirects)
        case (let own, _): return own
        }
    }

    private var lifetimeOfResponse: Double? {
        switch control.lifetime {
        case .seconds(let seconds): return Double(seconds)
        case .contradictory: return nil
        case .unstated: break
        }
        guard headers["expires"] == nil else {
            return date("expires").map { $0.timeIntervalSince(date("date") ?? storedAt) }
        }
        return heuristicLifetime
    }

    /// RFC 9111 §4.2.2.
    private var heuristicLifetime: Double? {
        guard heuristicFraction > 0, control.isPublic || isHeuristicallyCacheable, let changed = date("last-modified")
        else { return nil }
        let age = (date("date") ?? storedAt).timeIntervalSince(changed)
        return min(max(0, age) * heuristicFraction, Self.longestHeuristicLifetime)
    }

    /// A week, as in browsers.
    private static let longestHeuristicLifetime = 7.0 * 24 * 60 * 60

    private var isHeuristicallyCacheable: Bool { HTTPStatus.isHeuristicallyCacheable(status) }

    private var status: Int { headers[HTTPRecord.status].flatMap { Int($0) } ?? 200 }

    /// Seconds for which a redirect need not be asked for again: for ever where it is permanent and its server says nothing
    /// else (RFC 9110 §15.4).
    static func redirectLifetime(of response: HTTPResponse, at now: Date) -> Double {
        let rules = HTTPCacheRules(headers: response.headers, storedAt: now)
        guard !rules.control.requiresRevalidation, !rules.control.noStore, response.headers["vary"] == nil else {
            return 0
        }
        if rules.control.lifetime == .unstated, response.headers["expires"] == nil {
            return [301, 308].contains(response.statusCode) ? .infinity : 0
        }
        return max(0, (rules.lifetimeOfResponse ?? 0) - rules.age(at: now))
    }

    /// Seconds since the origin's response, as far as known (RFC 9111 §4.2.3).
    private func age(at now: Date) -> Double {
        let apparent = max(0, storedAt.timeIntervalSince(date("date") ?? storedAt))
        return max(apparent, ageWhenStored + delay) + now.timeIntervalSince(storedAt)
    }

    /// For which the response was on its way, or waited at a cache that does not say so.
    private var delay: Double { headers[HTTPRecord.delay].flatMap { Double($0) } ?? 0 }

    /// The first member of a list counts, and an invalid number is ignored (RFC 9111 §5.1).
    private var ageWhenStored: Double {
        let first = headers["age"]?.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).first
        return first.flatMap { DeltaSeconds($0.trimmingBlanks) }.map { Double($0.value) } ?? 0
    }

    private func date(_ name: String) -> Date? { headers[name].flatMap { HTTPDate($0, now: storedAt)?.date } }
}
