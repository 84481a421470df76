/// The key of a cached picture, with its hash computed once per load instead of once per tier.
///
/// Two keys are equal when their UTF-8 bytes are; text that only looks alike is a different key. The hash has a random
/// key per process: strangers choose URLs, and must not be able to aim at one bucket.
public struct CacheKey: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The text that names the picture, usually its URL: `https://ada:*81f5b1e3d4c6a790@host/a.jpg` for one with a
    /// password, so that no cache tells the password, and users with different passwords have different keys.
    public var string: String { name.text }

    /// Represents the text in tables.
    package var fingerprint: KeyFingerprint { name.fingerprint }

    private let name: KeyName
    /// The part that the text adds to that of the original's key; nil for a key that is not derived. Equal keys may
    /// differ in it.
    package let derivation: KeyDerivation?

    /// A key of any text. The password of a URL is no part of it: a digest is in its place.
    public init(_ string: String) {
        let name = string.withPasswordDigest
        self.init(name, fingerprint: KeyFingerprint(name))
    }

    /// The key of what was made from another picture.
    package init(_ string: String, derivation: KeyDerivation?) {
        name = KeyName(text: string, fingerprint: KeyFingerprint(string))
        self.derivation = derivation
    }

    /// A key in source code: `cache.imageFromMemory(for: "avatar of 17")`.
    public init(stringLiteral text: String) { self.init(text) }

    /// A key with a given fingerprint, for tests with collisions in a table.
    init(_ string: String, fingerprint: KeyFingerprint) {
        name = KeyName(text: string, fingerprint: fingerprint)
        derivation = nil
    }

    /// Equal by the bytes of the text.
    public static func == (lhs: CacheKey, rhs: CacheKey) -> Bool { lhs.name == rhs.name }

    /// Feeds the hash that was computed before.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The text without passwords, shortened when it is too long for a line.
    public var description: String { string.withoutPasswords.abbreviated(to: 200) }
}

/// The text of a key, with its hash.
private struct KeyName: Sendable, Hashable {
    let text: String
    let fingerprint: KeyFingerprint

    /// Equal by bytes, the hash compared first.
    static func == (lhs: KeyName, rhs: KeyName) -> Bool {
        lhs.fingerprint == rhs.fingerprint
            && lhs.text.withUTF8Bytes { mine in rhs.text.withUTF8Bytes { mine.hasSameBytes(as: $0) } }
    }

    /// Feeds the hash that was computed before.
    func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}
