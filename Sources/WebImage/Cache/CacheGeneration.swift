/// The state of a load's caches when the load read from them. A picture arrives in the caches some time later: it must
/// not restore what was removed or replaced meanwhile.
struct CacheGeneration: Sendable, Equatable {
    /// Of the cache of finished pictures.
    var result = 0
    /// Of the cache of originals, where that is another cache.
    var original = 0
}

/// Counts changes of any number of keys in little space. Two keys may share a count: then a change of one keeps a
/// picture of the other out of memory once, and the next load puts it there.
struct GenerationCounts: Sendable {
    private var clearings = 0
    private var changes = [Int](repeating: 0, count: 256)

    mutating func addClearing() { clearings += 1 }

    mutating func add(_ key: CacheKey) { changes[Self.place(of: key)] += 1 }

    /// Grows with each change of any of `keys`.
    func generation(of keys: [CacheKey]) -> Int { keys.reduce(clearings) { $0 + changes[Self.place(of: $1)] } }

    private static func place(of key: CacheKey) -> Int { Int(key.fingerprint.low >> 56) }
}
