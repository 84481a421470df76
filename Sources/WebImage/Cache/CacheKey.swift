/// The name of a cached picture, with its hash computed once per load instead of once per tier.
///
/// The hash is keyed per process: URLs are chosen by strangers, who must not be able to aim at one bucket.
public struct CacheKey: Sendable, Hashable, CustomStringConvertible {
    /// The text that names the picture, usually its URL.
    public let string: String
    private let low: Int
    private let high: Int

    /// A key of any text.
    public init(_ string: String) {
        self.string = string
        var hasher = Hasher()
        hasher.combine(string)
        low = hasher.finalize()
        // A second, independent 64 bits: the same keyed function from another starting state.
        var second = Hasher()
        second.combine(low)
        second.combine(string)
        high = second.finalize()
    }

    /// 128 bits that name the key within this process, and never outside it.
    package var fingerprint: (low: Int, high: Int) { (low, high) }

    /// Equal by text, the hash compared first.
    public static func == (lhs: CacheKey, rhs: CacheKey) -> Bool {
        lhs.low == rhs.low && lhs.high == rhs.high && lhs.string == rhs.string
    }

    /// Feeds the hash that is there already.
    public func hash(into hasher: inout Hasher) { hasher.combine(low) }

    /// The text.
    public var description: String { string.abbreviated(to: 200) }
}
