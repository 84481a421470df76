/// The accounts of a memory cache.
public struct MemoryCacheStatistics: Sendable, Hashable {
    /// Lookups that found a picture.
    public var hits: Int
    /// Lookups that found none.
    public var misses: Int
    /// Pictures that had to go for others or for want of memory, or that were too large to be held at all.
    public var evictions: Int
    /// Pictures that were let go because their time was over.
    public var expirations: Int
    /// Pictures held now.
    public var count: Int
    /// What they cost, in bytes.
    public var byteCount: Int
}

/// Look-ups that were counted in one place.
struct MemoryCacheTally: Sendable {
    var hits = 0
    var misses = 0
}
