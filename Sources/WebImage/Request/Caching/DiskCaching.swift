/// A disk tier: bytes by key. Called on the cache's own executor, by several threads at once; blocks. ``DiskCache`` is
/// the one that is built in.
public protocol DiskCaching: Sendable {
    /// Whether there is an entry, without reading it.
    func contains(_ key: CacheKey) -> Bool
    /// Reads an entry and counts it as used; nil when there is none. A damaged one is removed and counts as none.
    func entry(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry?
    /// Writes an entry in place of any other under that key: readers see the old one or the new one, never a part.
    func store(_ entry: DiskCacheEntry, for key: CacheKey) throws(WebImageError)
    /// Removes an entry if it is there.
    func remove(for key: CacheKey) throws(WebImageError)
    /// Removes all entries.
    func removeAll() throws(WebImageError)
    /// Removes what is older than the configured age; then, where the rest passes a limit, the oldest until it fits.
    func removeExpired() throws(WebImageError)
    /// Entries, and the bytes of their files.
    func usage() -> DiskCacheUsage
    /// Where the file of an entry is, or would be; nil, which is the default, for a tier that has no files.
    func cachePath(for key: CacheKey) -> String?
}

extension DiskCaching {
    /// nil: the tier has no files.
    public func cachePath(for key: CacheKey) -> String? { nil }
}

/// What a disk tier holds.
public struct DiskCacheUsage: Sendable, Hashable {
    /// Entries.
    public var count: Int
    /// Bytes of their files.
    public var byteCount: Int

    /// `count` entries of `byteCount` bytes together.
    public init(count: Int, byteCount: Int) {
        self.count = count
        self.byteCount = byteCount
    }
}
