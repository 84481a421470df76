// What a load made of what it had read gets into its caches only if nobody has removed or replaced that meanwhile.

extension LoadPlan {
    /// What has happened so far; to be asked for before reading.
    var generation: CacheGeneration {
        let files = keys.files
        return CacheGeneration(
            result: cache.generation(of: files), original: context.originalImageCache?.generation(of: files) ?? 0)
    }

    /// Puts a picture into the memory of a cache, unless what it was made of has gone since `generation`.
    func storeInMemory(_ image: Image, for key: CacheKey, of cache: any ImageCaching, at generation: CacheGeneration) {
        guard self.generation == generation else { return }
        cache.storeInMemory(image, for: key, expiresAt: image.expiresAt)
        // No lock is held over both, since a cache may be an app's own: who removes counts first and removes then.
        if self.generation != generation { cache.remove(for: key, from: .memory, completion: nil) }
    }

    /// Writes a file that was made of what was there at `generation`, unless that has gone since.
    ///
    /// - Parameters:
    ///   - file: Whose cache gets it.
    ///   - completion: Called in any case.
    func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, inCacheOf file: DiskFile, at generation: CacheGeneration,
        completion: @escaping @Sendable () -> Void
    ) {
        guard self.generation == generation else { return completion() }
        let hasCacheOfItsOwn = file == .original && context.originalImageCache != nil
        cache(of: file).storeOnDisk(
            entry, for: key, ifStill: hasCacheOfItsOwn ? generation.original : generation.result, of: keys.files
        ) { _ in completion() }
    }

    /// The load got a new file although there may have been one: nobody is to find the old one's picture any more, in
    /// whatever way it was decoded.
    func removeOlder(than image: Image) {
        guard refreshes || !queriesCaches else { return }
        for cache in [cache] + (context.originalImageCache.map { [$0] } ?? []) {
            for key in keys.files { cache.removeOlder(than: image, for: key) }
        }
    }
}
