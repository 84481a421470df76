// What a load made of what it had read gets into its caches only if nobody has removed or replaced that meanwhile.

extension LoadPlan {
    /// What has happened so far; to be asked for before reading.
    var generation: CacheGeneration {
        CacheGeneration(
            result: cache.generation(of: keys), original: context.originalImageCache?.generation(of: keys) ?? 0)
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
    /// - Parameter completion: Called in any case.
    func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, of cache: any ImageCaching, at generation: CacheGeneration,
        completion: @escaping @Sendable () -> Void
    ) {
        guard self.generation == generation else { return completion() }
        guard let own = cache as? ImageCache else { return cache.storeOnDisk(entry, for: key) { _ in completion() } }
        let isOriginals = context.originalImageCache.map { InstanceIdentity($0) == InstanceIdentity(own) } ?? false
        let known = isOriginals ? generation.original : generation.result
        guard let ticket = own.staged.begin(.stored(entry), of: key, ifStill: known, of: keys) else {
            return completion()
        }
        own.write(entry, for: key, ticket: ticket, unlessOvertaken: true) { _ in completion() }
    }

    /// The load got a new file although there may have been one: nobody is to find the old one's picture any more, in
    /// whatever way it was decoded.
    func forgetOthers(thanThoseOf file: FileFingerprint) {
        guard refreshes || !queriesCaches else { return }
        for cache in [cache] + (context.originalImageCache.map { [$0] } ?? []) {
            for key in isDerived ? [keys.original, keys.result] : [keys.result] {
                cache.noteChange(of: key)
                cache.forgetInMemory(key, unlessOf: file)
            }
        }
    }
}
