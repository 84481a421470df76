/// How a ``MemcachedTier`` uses its servers.
public struct MemcachedSettings: Sendable, Hashable {
    /// The beginning of the names of all entries: two tiers with different ones do not see each other's. Letters, digits, `-`
    /// and `_`, at most 64; other characters are left out. By default `webimage`.
    public var prefix = "webimage"
    /// The longest wait for a connection, and then for an answer: by default 250 ms. A load waits so long at most for a server
    /// that hangs, once: it is left out then for a second, and for up to 32 with each further failure.
    public var timeout = Duration.milliseconds(250)
    /// Larger entries are not stored: by default a little less than 1 MiB, memcached's own limit. Servers that were started with
    /// `-I 16m` take 16 MiB.
    public var maximumByteCount = (1 << 20) - 1024
    /// How long an entry is kept at most; nil, the default, for as long as the server has room.
    public var maximumAge: Duration?

    /// The defaults.
    public init() {}

    /// Changes that are remembered for a server that does not answer.
    var maximumOwedCount = 1000

    func pause(after failureCount: Int) -> Duration { .seconds(1 << min(failureCount - 1, 5)) }

    /// The prefix, of which a name can be made.
    var usablePrefix: String {
        String(
            prefix.unicodeScalars.filter {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains($0))
            }.prefix(64).map(Character.init))
    }

    /// In whole seconds from now; nil for as long as there is room. memcached takes more than thirty days for a date.
    var expiry: Int? { maximumAge.map { min(max(1, Int($0.components.seconds)), 30 * 86_400) } }
}
