import Synchronization
import WebImageCore

/// A picture in memory, with the values that its eviction depends on.
///
/// It is identified by the fingerprint alone: the key's bytes would be another cache line to fetch, which takes more
/// time than the rest of a look-up. It takes one cache line itself.
struct MemoryEntry: ~Copyable {
    let fingerprint: KeyFingerprint
    let image: Image
    /// Bytes, at least 0.
    let cost: Int
    /// When it expires, by the cache's clock; `never` for no expiry.
    let deadline: Int
    /// The text of its key, which no look-up reads: keys are listed by it.
    private let name: String
    /// The text that the key adds to its original's; see ``KeyDerivation``.
    private let derivedStart: UInt32
    private let derivedCount: UInt16
    /// Whether it has moved to the queue of proven pictures.
    var isProven = false
    /// Look-ups since the last decision, up to `mostUses`. Several readers write it at once, and may lose a use.
    private let uses: Atomic<UInt8>

    static let never = Int.max
    static let mostUses: UInt8 = 3

    init(_ image: Image, for key: CacheKey, cost: Int, deadline: Int = never, uses: UInt8 = 0) {
        fingerprint = key.fingerprint
        name = key.string
        (derivedStart, derivedCount) = key.derivation?.packed ?? (0, 0)
        self.image = image
        self.cost = cost
        self.deadline = deadline
        self.uses = Atomic(uses)
    }

    /// The key.
    var key: CacheKey {
        let derivation = derivedCount == 0 ? nil : KeyDerivation(start: Int(derivedStart), count: Int(derivedCount))
        return CacheKey(name, derivation: derivation)
    }

    var useCount: UInt8 { uses.load(ordering: .relaxed) }

    /// Counts a look-up; does not write for a picture that is used often, so that threads can share its cache line.
    func countUse() {
        let count = useCount
        if count < Self.mostUses { uses.store(count + 1, ordering: .relaxed) }
    }

    func setUseCount(_ count: UInt8) { uses.store(count, ordering: .relaxed) }
}
