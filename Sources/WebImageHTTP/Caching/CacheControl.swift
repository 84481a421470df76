/// The directives of a `Cache-Control` field of a response (RFC 9111 §5.2.2) or of a request (§5.2.1), for a private
/// cache.
package struct CacheControl {
    /// How long a response is fresh, by `max-age`. `s-maxage` is for shared caches.
    enum Lifetime: Equatable {
        case unstated
        case seconds(Int)
        /// Stated in contradictory ways: the response counts as stale (RFC 9111 §4.2.1).
        case contradictory
    }

    private(set) var lifetime = Lifetime.unstated
    /// `no-cache` without fields: each use requires a revalidation.
    private(set) var requiresRevalidation = false
    /// The fields of `no-cache="…"`, in lower case: only these need a revalidation.
    private(set) var unusableFields: Set<String> = []
    private(set) var noStore = false
    private(set) var mustUnderstand = false
    /// `must-revalidate`: it is never used after its lifetime.
    private(set) var forbidsStaleUse = false
    private(set) var isPublic = false
    private(set) var isImmutable = false
    /// RFC 5861 §3, in seconds.
    private(set) var staleWhileRevalidate: Int?
    /// RFC 5861 §4, in seconds.
    private(set) var staleIfError: Int?
    /// The request accepts a response that is stale for so many seconds; `.max` for any.
    private(set) var maxStale: Int?
    /// The request wants a response that stays fresh for so many seconds.
    private(set) var minFresh: Int?
    package private(set) var onlyIfCached = false

    package init(_ field: String) {
        var rest = Substring(field).utf8
        while let directive = rest.takePart(before: UInt8(ascii: ",")) { apply(directive) }
    }

    /// Whether a response with this status may not be stored. `must-understand` overrides `no-store` for a cache that
    /// knows the status (RFC 9111 §5.2.2.3).
    package func forbidsStorage(of status: Int) -> Bool {
        noStore && !(mustUnderstand && HTTPStatus(code: status).isKnown)
    }

    private mutating func apply(_ directive: Substring.UTF8View) {
        let parts = directive.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard let written = parts.first else { return }
        let name = written.trimmingBlanks
        // No blanks are allowed around the sign. Both forms of values are accepted, whichever the directive is defined with
        // (RFC 9111 §5.2).
        let value = parts.count > 1 && name.count == written.count ? parts[1].unquoted : nil
        let seconds = value.flatMap { DeltaSeconds($0)?.value }
        switch Substring(name).lowercased() {
        case "max-age": apply(maximumAge: seconds)
        case "no-cache": applyNoCache(value)
        case "no-store": noStore = true
        case "must-understand": mustUnderstand = true
        case "must-revalidate": forbidsStaleUse = true
        case "public": isPublic = true
        case "immutable": isImmutable = true
        case "stale-while-revalidate": staleWhileRevalidate = seconds
        case "stale-if-error": staleIfError = seconds
        case "max-stale": maxStale = parts.count > 1 ? seconds : .max
        case "min-fresh": minFresh = seconds
        case "only-if-cached": onlyIfCached = true
        default: break
        }
    }

    private mutating func apply(maximumAge: Int?) {
        let stated = maximumAge.map { Lifetime.seconds($0) } ?? .contradictory
        lifetime = lifetime == .unstated || lifetime == stated ? stated : .contradictory
    }

    private mutating func applyNoCache(_ fields: Substring.UTF8View?) {
        let names = fields.map { $0.split(separator: UInt8(ascii: ",")) } ?? []
        if names.isEmpty { requiresRevalidation = true }
        unusableFields.formUnion(names.map { Substring($0.trimmingBlanks).lowercased() })
    }
}
