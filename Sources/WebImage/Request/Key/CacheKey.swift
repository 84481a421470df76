/// The key of a cached picture, with its hash computed once per load instead of once per tier.
///
/// Two keys are equal when their UTF-8 bytes are; text that only looks alike is a different key. The hash has a random
/// key per process: strangers choose URLs, and must not be able to aim at one bucket.
public struct CacheKey: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The text that names the picture, usually its URL.
    public let string: String

    /// Represents the text in tables.
    let fingerprint: KeyFingerprint

    /// A key of any text.
    public init(_ string: String) {
        self.init(string, fingerprint: KeyFingerprint(string))
    }

    /// A key in source code: `cache.imageFromMemory(for: "avatar of 17")`.
    public init(stringLiteral text: String) { self.init(text) }

    /// A key with a given fingerprint, for tests with collisions in a table.
    init(_ string: String, fingerprint: KeyFingerprint) {
        self.string = string
        self.fingerprint = fingerprint
    }

    /// Equal by bytes, the hash compared first.
    public static func == (lhs: CacheKey, rhs: CacheKey) -> Bool {
        lhs.fingerprint == rhs.fingerprint
            && lhs.string.withUTF8Bytes { mine in rhs.string.withUTF8Bytes { mine.hasSameBytes(as: $0) } }
    }

    /// Feeds the hash that was computed before.
    public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }

    /// The text, shortened when it is too long for a line.
    public var description: String { string.abbreviated(to: 200) }
}
