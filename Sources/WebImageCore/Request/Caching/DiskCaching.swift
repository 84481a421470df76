/// A disk tier: bytes by key. Called on the cache's own executor, by several threads at once; blocks. ``DiskCache`` is
/// the built-in one.
public protocol DiskCaching: Sendable {
    /// Whether there is an entry, without reading it.
    func contains(_ key: CacheKey) -> Bool
    /// Whether there may be an entry: false only if there is certainly none. A query asks this first, so that a missing
    /// entry does not wait for the reads of others; it takes microseconds. True by default. The queries of a cache ask one
    /// after the other, so that one that blocks, as on a network file system, stops them all.
    func mayContain(_ key: CacheKey) -> Bool
    /// Reads an entry and counts it as used; nil when there is none. A damaged one is removed and counts as none.
    func entry(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry?
    /// An entry without its bytes, which does not count as used; nil when there is none, and when it cannot be read. By
    /// default, for tiers that keep both together, reads the entry.
    func head(for key: CacheKey) -> DiskCacheEntry?
    /// The fingerprint of an entry's file, which the entries of its thumbnails note (``DiskCacheEntry/fileFingerprint``), without
    /// reading it as a whole; nil when there is no entry. nil, the default, for tiers that cannot tell: then a thumbnail
    /// counts, whatever it was made from.
    func fileFingerprint(for key: CacheKey) -> String?
    /// Writes an entry, and replaces any other under that key: readers see the old one or the new one, never a part.
    func store(_ entry: DiskCacheEntry, for key: CacheKey) throws(WebImageError)
    /// Removes an entry if it exists, and no other.
    func remove(for key: CacheKey) throws(WebImageError)
    /// Removes the entries of what was made from the picture called `original`: those whose keys have it as their
    /// ``CacheKey/original``. Does nothing by default: a tier that does not look for them keeps old thumbnails.
    ///
    /// - Parameter file: The fingerprint of the picture's file now; entries that were made of it stay
    ///   (``DiskCacheEntry/fileFingerprint``). nil removes all.
    func removeDerived(from original: CacheKey, unlessOf file: String?) throws(WebImageError)
    /// Removes all entries.
    func removeAll() throws(WebImageError)
    /// Removes entries above the configured age. If the rest is above a limit, then removes the oldest until it fits.
    func removeExpired() throws(WebImageError)
    /// Calls `body` with the key of each entry, in no order, until it returns false. Does nothing by default, for tiers that
    /// cannot list them.
    func forEachKey(_ body: (CacheKey) -> Bool) throws(WebImageError)
    /// Entries, and the bytes of their files.
    func usage() -> DiskCacheUsage
    /// The path of an entry's file, whether the file exists or not; nil, the default, for a tier without files.
    func cachePath(for key: CacheKey) -> String?
    /// Takes new limits: bytes, entries, and the time until an entry expires; nil for no limit. Called when
    /// ``ImageCache/config`` has changed, on the thread that changes it; must not wait for the disk. Does nothing by
    /// default.
    func setLimits(size: Int?, count: Int?, age: Duration?)
}

extension DiskCaching {
    /// True: only a read tells.
    public func mayContain(_ key: CacheKey) -> Bool { true }

    /// Reads the entry.
    public func head(for key: CacheKey) -> DiskCacheEntry? { (try? entry(for: key)) ?? nil }

    /// nil: the tier cannot tell.
    public func fileFingerprint(for key: CacheKey) -> String? { nil }

    /// Does nothing: the tier cannot list its entries.
    public func forEachKey(_ body: (CacheKey) -> Bool) throws(WebImageError) {}

    /// Does nothing.
    public func removeDerived(from original: CacheKey, unlessOf file: String?) throws(WebImageError) {}

    /// nil: the tier has no files.
    public func cachePath(for key: CacheKey) -> String? { nil }

    /// Does nothing: the tier has limits of its own.
    public func setLimits(size: Int?, count: Int?, age: Duration?) {}
}

/// The totals of a disk tier.
public struct DiskCacheUsage: Sendable, Equatable {
    /// The number of entries.
    public var count: Int
    /// The bytes of their files.
    public var byteCount: Int

    /// `count` entries of `byteCount` bytes together.
    public init(count: Int, byteCount: Int) {
        self.count = count
        self.byteCount = byteCount
    }
}
