import FoundationEssentials

// What is there, without reading it.
extension ImageCache {
    /// Finds out which of the tiers named has a key: memory on the calling thread, the disk on the cache's threads, and
    /// without touching it once its index is there.
    public func contains(
        _ key: CacheKey, in tiers: ImageCacheType, completion: @escaping @Sendable (ImageCacheType) -> Void
    ) {
        if tiers.contains(.memory), containsInMemory(key) { return completion(.memory) }
        guard tiers.contains(.disk) else { return completion(.none) }
        reads.submit { completion(self.containsOnDisk(key) ? .disk : .none) }
    }

    /// Whether the picture is in memory; counts as a use.
    public func containsInMemory(_ key: CacheKey) -> Bool { memoryCache.image(for: key) != nil }

    /// Whether there is a file that has not expired, or will be when what was asked for is written. On the calling thread;
    /// until the disk tier has its index, and in ``ImageCacheConfig/additionalDirectories`` and
    /// ``ImageCacheConfig/additionalCachePath``, the beginning of a file is looked at.
    public func containsOnDisk(_ key: CacheKey) -> Bool {
        let isThere =
            switch staged.change(of: key) {
            case .stored(let entry): entry.expiresAt.isAhead
            case .encoding(let record): record.expiresAt.isAhead
            case .removed: false
            case nil: diskCache.contains(key)
            }
        return isThere || additional.contains(key)
    }

    /// Where the file of `key` is, or would be; nil for a disk tier without files. Whoever writes there damages the
    /// entry.
    public func cachePath(for key: CacheKey) -> String? { diskCache.cachePath(for: key) }

    /// Removes what has expired or is too much; see ``removeExpired()``.
    ///
    /// - Parameter completion: Called once on the cache's threads.
    public func removeExpired(completion: @escaping @Sendable (Result<Void, WebImageError>) -> Void) {
        onDisk { disk in completion(Result { () throws(WebImageError) in try disk.removeExpired() }) }
    }

    /// Entries on disk, and the bytes of their files; the same as ``DiskCaching/usage()`` without waiting for it.
    ///
    /// - Parameter completion: Called once on the cache's threads.
    public func usage(completion: @escaping @Sendable (DiskCacheUsage) -> Void) {
        onDisk { completion($0.usage()) }
    }
}

extension Date? {
    /// Whether what ends then has not ended yet.
    var isAhead: Bool { map { $0 > Date() } ?? true }
}
