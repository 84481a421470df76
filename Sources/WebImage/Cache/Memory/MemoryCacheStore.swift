/// What a memory cache holds and whom it evicts, as a plain value under the cache's lock.
///
/// A hit only marks its entry. Eviction goes from the oldest entry on: a marked one loses its mark and queues up anew,
/// the first without a mark goes. So what is used again stays nearly as long as with a list in order of use, and a hit
/// writes one byte.
///
/// Pictures that go are handed to the caller, who frees them outside the lock.
struct MemoryCacheStore {
    private struct Entry {
        var key: CacheKey
        var image: Image?
        var cost: Int
        var isUsed = false

        /// What stands in a slot that nobody uses.
        static let empty = Entry(key: CacheKey(""), image: nil, cost: 0)
    }

    /// More than any picture costs; keeps the sum of all costs in range whatever callers say.
    private static let highestCost = 1 << 40

    var costLimit: Int
    var countLimit: Int
    private(set) var totalCost = 0
    private(set) var hits = 0
    private(set) var misses = 0
    private(set) var evictions = 0

    private var entries: [Entry] = []
    private var freeSlots: [Int] = []
    private var table = FingerprintTable()
    private var queue = SlotQueue()

    init(costLimit: Int, countLimit: Int) {
        self.costLimit = costLimit
        self.countLimit = countLimit
    }

    var count: Int { table.count }

    mutating func image(for key: CacheKey) -> Image? {
        guard let slot = slot(of: key) else {
            misses += 1
            return nil
        }
        hits += 1
        entries[slot].isUsed = true
        return entries[slot].image
    }

    /// - Returns: Every picture that is no longer held; `image` itself when it is larger than the whole cache.
    mutating func store(_ image: Image, for key: CacheKey, cost: Int) -> [Image] {
        let cost = min(max(0, cost), Self.highestCost)
        var released: [Image] = []
        if let old = remove(for: key) { released.append(old) }
        guard costLimit <= 0 || cost <= costLimit else {
            evictions += 1
            return released + [image]
        }
        // Room is made before the picture comes in, so that it cannot be the one that goes.
        released += makeRoom(cost: cost, count: 1)
        insert(Entry(key: key, image: image, cost: cost))
        return released
    }

    mutating func remove(for key: CacheKey) -> Image? {
        slot(of: key).flatMap { removeSlot($0) }
    }

    mutating func removeAll() -> [Image] {
        let released = entries.compactMap(\.image)
        entries = []
        freeSlots = []
        table = FingerprintTable()
        queue = SlotQueue()
        totalCost = 0
        return released
    }

    /// Evicts until `cost` and `count` more fit within the limits.
    mutating func makeRoom(cost: Int = 0, count: Int = 0) -> [Image] {
        var released: [Image] = []
        while isOverLimit(adding: cost, count), let slot = queue.oldest {
            if entries[slot].isUsed {
                entries[slot].isUsed = false
                queue.remove(slot)
                queue.append(slot)
            } else if let image = removeSlot(slot) {
                released.append(image)
                evictions += 1
            }
        }
        return released
    }

    private func isOverLimit(adding cost: Int, _ count: Int) -> Bool {
        (costLimit > 0 && totalCost + cost > costLimit) || (countLimit > 0 && self.count + count > countLimit)
    }

    private func slot(of key: CacheKey) -> Int? {
        let entries = entries.span
        return table.slot(for: key.fingerprint) { entries[$0].key == key }
    }

    private mutating func insert(_ entry: Entry) {
        let slot = freeSlots.popLast() ?? entries.count
        if slot == entries.count { entries.append(entry) } else { entries[slot] = entry }
        table.insert(slot, for: entry.key.fingerprint)
        queue.append(slot)
        totalCost += entry.cost
    }

    private mutating func removeSlot(_ slot: Int) -> Image? {
        let entry = entries[slot]
        entries[slot] = .empty
        freeSlots.append(slot)
        table.remove(slot, for: entry.key.fingerprint)
        queue.remove(slot)
        totalCost -= entry.cost
        return entry.image
    }
}
