import WebImageCore

// A load's picture gets into its caches only if the entries that the load has read were neither removed nor replaced
// meanwhile.

extension LoadPlan {
    /// The generations of its caches, added up; to be read before the entries. Those of an app's own cache may begin with any
    /// number.
    var generation: Int {
        let files = keys.files
        return cache.generation(of: files) &+ (context.originalCache?.generation(of: files) ?? 0)
    }

    /// Puts a picture into the memory of a cache, unless the generation has changed: its source was removed or
    /// replaced.
    func storeInMemory(_ image: Image, for key: CacheKey, of cache: any ImageCaching, at generation: Int) {
        guard self.generation == generation, image.origin.keeping != .nowhere, requestedRange == nil
        else { return }
        cache.storeInMemory(image, for: key, expiresAt: image.expiresAt)
        // No lock covers both steps, since a cache may be an app's own: a removal counts first and removes then.
        if self.generation != generation { cache.removeAlone(for: key, from: .memory, completion: nil) }
    }

    /// Writes a file whose source was read at `generation`, unless the generation has changed.
    ///
    /// - Parameters:
    ///   - file: Determines the cache.
    ///   - completion: Called in any case.
    func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, inCacheOf file: DiskFile, at generation: Int,
        completion: @escaping @Sendable () -> Void
    ) {
        // In this order: if the sum is unchanged afterwards, so is each part.
        let part = cache(of: file).generation(of: keys.files)
        guard self.generation == generation else { return completion() }
        cache(of: file).storeOnDisk(entry, for: key, ifStill: part, of: keys.files) { _ in completion() }
    }

    /// The files of an older answer, which are to be removed when the newest one may not be written: they would be found
    /// again.
    var olderFiles: [(key: CacheKey, cache: any ImageCaching)] {
        guard revalidates || !queriesCaches else { return [] }
        let originals = cachesOfOriginalFile.map { (key: keys.original, cache: $0) }
        return storesResultOnDisk ? originals + [(key: keys.result, cache: cache)] : originals
    }

    /// Removes pictures of an older file, in whatever way they were decoded: the load got a new file for the same key.
    func removeOlder(than image: Image) {
        // Else the cache ends them when it writes the file.
        let writesNone = image.origin.keeping != .anywhere || !storeTiers.union(originalStoreTiers).contains(.disk)
        guard revalidates || !queriesCaches || writesNone else { return }
        for cache in [cache] + (context.originalCache.map { [$0] } ?? []) {
            for key in keys.files { cache.removeOlder(than: image, for: key) }
        }
    }
}
