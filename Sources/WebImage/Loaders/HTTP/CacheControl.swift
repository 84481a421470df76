/// The directives of a `Cache-Control` field for a private cache (RFC 9111 §5.2.2).
struct CacheControl {
    /// How long a response is fresh.
    enum Lifetime: Equatable {
        case unstated
        case seconds(Int)
        /// Stated in contradictory ways: the response counts as stale (RFC 9111 §4.2.1).
        case contradictory
    }

    /// Whether each use requires a revalidation: `no-cache`, also for some fields only, and `no-store`.
    private(set) var forbidsReuse = false
    /// The lifetime by `max-age`. `s-maxage` is for shared caches.
    private(set) var lifetime = Lifetime.unstated

    init(_ field: String) {
        var rest = Substring(field).utf8
        while let directive = Self.takeDirective(&rest) { apply(directive) }
    }

    private mutating func apply(_ directive: Substring.UTF8View) {
        let parts = directive.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard let written = parts.first else { return }
        let name = written.trimmingBlanks
        switch Substring(name).lowercased() {
        case "no-cache", "no-store": forbidsReuse = true
        // No blanks are allowed around the sign.
        case "max-age" where parts.count > 1 && name.count == written.count:
            apply(maximumAge: DeltaSeconds(Self.unquoted(parts[1])))
        case "max-age": apply(maximumAge: nil)
        default: break
        }
    }

    private mutating func apply(maximumAge: DeltaSeconds?) {
        let stated = maximumAge.map { Lifetime.seconds($0.value) } ?? .contradictory
        lifetime = lifetime == .unstated || lifetime == stated ? stated : .contradictory
    }

    /// The text up to the next comma outside of quotation marks, without surrounding blanks.
    private static func takeDirective(_ rest: inout Substring.UTF8View) -> Substring.UTF8View? {
        guard !rest.isEmpty else { return nil }
        var (isQuoted, isEscaped) = (false, false)
        let end = rest.firstIndex { byte in
            defer { isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\") }
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            return byte == UInt8(ascii: ",") && !isQuoted
        }
        let directive = rest[..<(end ?? rest.endIndex)]
        rest = end.map { rest[rest.index(after: $0)...] } ?? rest[rest.endIndex...]
        return directive.trimmingBlanks
    }

    /// Both forms are accepted, whichever the directive is defined with (RFC 9111 §5.2).
    private static func unquoted(_ value: Substring.UTF8View) -> Substring.UTF8View {
        let quote = UInt8(ascii: "\"")
        guard value.count >= 2, value.first == quote, value.last == quote else { return value }
        return value.dropFirst().dropLast()
    }
}

/// A number of seconds, and nothing else (RFC 9111 §1.2.2).
struct DeltaSeconds {
    /// 0 to 2^31, which stands for everything above.
    let value: Int

    init?(_ text: Substring.UTF8View) {
        guard !text.isEmpty, text.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        value = min(Int(Substring(text)) ?? 1 << 31, 1 << 31)
    }
}

extension Substring.UTF8View {
    var trimmingBlanks: Substring.UTF8View {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = drop(while: isBlank)
        return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? start
    }
}
