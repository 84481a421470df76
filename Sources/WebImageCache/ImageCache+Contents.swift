import FoundationEssentials
import WebImageCore

// The contents of the tiers.
extension ImageCache {
    /// Finds out which of the given tiers has a key: memory on the calling thread, the disk on the cache's threads.
    public func contains(
        _ key: CacheKey, in tiers: ImageCacheType, completion: @escaping @Sendable (ImageCacheType) -> Void
    ) {
        if tiers.contains(.memory), containsInMemory(key) { return completion(.memory) }
        guard tiers.contains(.disk) else { return completion(.noCache) }
        reads.submit { completion(self.containsOnDiskBlocking(key) ? .disk : .noCache) }
    }

    /// Whether the picture is in memory; counts as a use.
    public func containsInMemory(_ key: CacheKey) -> Bool { memoryCache.image(for: key) != nil }

    /// Whether there is a file that has not expired, or a pending store will write one. On the calling thread; reads
    /// the beginning of a file.
    public func containsOnDiskBlocking(_ key: CacheKey) -> Bool {
        let isThere =
            switch writer.contents(of: key) {
            case .entry(let entry): entry.expiresAt.isAhead
            case .encoding(let record): record.expiresAt.isAhead
            case .nothing: false
            case nil:
                key.isDerived ? diskCache.head(for: key).map { isCurrent($0, key) } ?? false : diskCache.contains(key)
            }
        return isThere || additional.contains(key)
    }

    /// The path of the file of `key`, whether the file exists or not; nil for a disk tier without files. An app that
    /// writes there damages the entry.
    public func cachePath(for key: CacheKey) -> String? { diskCache.cachePath(for: key) }

    /// Removes expired and surplus entries; see ``removeExpired()``.
    ///
    /// - Parameter completion: Called once on the cache's threads.
    package func removeExpired(completion: @escaping @Sendable (Result<Void, WebImageError>) -> Void) {
        onDisk { disk in completion(Result { () throws(WebImageError) in try disk.removeExpired() }) }
    }

    /// Entries on disk, and the bytes of their files; the same as ``DiskCaching/usage()`` without blocking.
    ///
    /// - Parameter completion: Called once on the cache's threads.
    package func usage(completion: @escaping @Sendable (DiskCacheUsage) -> Void) {
        onDisk { completion($0.usage()) }
    }
}

extension Date? {
    /// Whether this date, or no date, is in the future.
    var isAhead: Bool { map { $0 > Date() } ?? true }
}
