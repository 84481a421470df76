/// The counters of a memory cache.
public struct MemoryCacheStatistics: Sendable, Equatable {
    /// Lookups that found a picture.
    public var hits: Int
    /// Lookups that found none.
    public var misses: Int
    /// Pictures that were evicted for others or under memory pressure, or that were too large to be stored.
    public var evictions: Int
    /// Pictures that were removed because they had expired.
    public var expirations: Int
    /// Pictures held now.
    public var count: Int
    /// The cost of these pictures, in bytes.
    public var byteCount: Int
}

/// The look-ups counted on one processor.
struct MemoryCacheTally: Sendable {
    var hits = 0
    var misses = 0
}
