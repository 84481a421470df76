/// What had happened to a load's caches when it read from them. A picture takes its time from there to the caches: what
/// somebody has removed or replaced meanwhile must not come back by it.
struct CacheGeneration: Sendable, Equatable {
    /// In the cache of finished pictures.
    var result = 0
    /// In the cache of originals, where that is another one.
    var original = 0
}

/// Counts changes, of any number of keys in little space: two keys that share a count cost a picture its place in memory
/// once in a while, which the next load gives it back.
struct GenerationCounts: Sendable {
    private var clearings = 0
    private var changes = [Int](repeating: 0, count: 256)

    mutating func addClearing() { clearings += 1 }

    mutating func add(_ key: CacheKey) { changes[Self.place(of: key)] += 1 }

    /// Grows with each change of what a load reads or writes.
    func generation(of keys: LoadKeys) -> Int {
        clearings + changes[Self.place(of: keys.original)] + changes[Self.place(of: keys.result)]
    }

    private static func place(of key: CacheKey) -> Int { Int(key.fingerprint.low >> 56) }
}

extension ImageCaching {
    /// Grows with each change of what a load reads or writes; 0 for caches that do not count.
    func generation(of keys: LoadKeys) -> Int {
        switch self {
        case let cache as ImageCache: cache.staged.generation(of: keys)
        case let manager as ImageCachesManager: manager.caches.reduce(0) { $0 + $1.generation(of: keys) }
        default: 0
        }
    }

    /// Counts a change, so that what was read before does not come back.
    func noteChange(of key: CacheKey) {
        switch self {
        case let cache as ImageCache: cache.staged.noteChange(of: key)
        case let manager as ImageCachesManager: for cache in manager.caches { cache.noteChange(of: key) }
        default: break
        }
    }

    /// The picture under `key` is that of another file from now on: whatever memory has of the old one goes.
    func forgetInMemory(_ key: CacheKey, unlessOf file: FileFingerprint) {
        switch self {
        case let cache as ImageCache:
            guard let memory = cache.memoryCache as? MemoryCache else { return cache.memoryCache.remove(for: key) }
            memory.remove(for: key, unlessOf: file)
        case let manager as ImageCachesManager:
            for cache in manager.caches { cache.forgetInMemory(key, unlessOf: file) }
        default: break
        }
    }
}
