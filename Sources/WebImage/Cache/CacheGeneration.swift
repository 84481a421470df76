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

    /// Grows with each change of what stands under any of `keys`.
    func generation(of keys: [CacheKey]) -> Int { keys.reduce(clearings) { $0 + changes[Self.place(of: $1)] } }

    private static func place(of key: CacheKey) -> Int { Int(key.fingerprint.low >> 56) }
}
