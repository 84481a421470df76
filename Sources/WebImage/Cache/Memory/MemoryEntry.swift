import Glibc
import Synchronization

/// A picture in memory, with what its eviction depends on.
///
/// The key's bytes are a copy: a look-up that touched a `String` would count its references, in a place where all threads
/// write.
struct MemoryEntry: ~Copyable {
    let fingerprint: KeyFingerprint
    let image: Image
    /// Bytes, at least 0.
    let cost: Int
    /// When it expires, by the cache's clock; `never` for not at all.
    let deadline: Int
    /// Whether it has earned its place among those that are asked for again and again.
    var isProven = false
    /// Look-ups since the last decision, up to `mostUses`. Written by several readers at once, who may lose a use.
    private let uses: Atomic<UInt8>
    private let name: MemoryEntryKey

    static let never = Int.max
    static let mostUses: UInt8 = 3

    init(_ image: Image, for key: CacheKey, cost: Int, deadline: Int = never, uses: UInt8 = 0) {
        fingerprint = key.fingerprint
        self.image = image
        self.cost = cost
        self.deadline = deadline
        self.uses = Atomic(uses)
        name = MemoryEntryKey(key.string)
    }

    func isNamed(_ key: CacheKey) -> Bool {
        fingerprint == key.fingerprint && key.string.withUTF8Bytes { name.hasSameBytes(as: $0) }
    }

    var useCount: UInt8 { uses.load(ordering: .relaxed) }

    /// Counts a look-up; writes nothing for a picture that is asked for often, so that threads can share it.
    func countUse() {
        let count = useCount
        if count < Self.mostUses { uses.store(count + 1, ordering: .relaxed) }
    }

    func setUseCount(_ count: UInt8) { uses.store(count, ordering: .relaxed) }
}
