/// What a memory cache may hold, and for how long.
struct MemoryCacheLimits: Sendable, Hashable {
    /// Bytes; 0 or less for no limit.
    var cost: Int
    /// Pictures; 0 or less for no limit.
    var count: Int
    /// How long a picture is kept that is stored without a time of its own; nil for ever.
    var lifetime: Duration?
    /// Whether pictures are found again that went from the cache and are still in use elsewhere.
    var keepsWeakReferences = false

    /// More than any picture costs; keeps the sum of all costs in range whatever callers say.
    static let highestCost = 1 << 40

    /// The most that one picture may cost: a tenth of the whole, so that one picture never empties the cache.
    var entryCost: Int { cost > 0 ? cost / 10 : Self.highestCost }

    /// What may be held so that `cost` and `count` more still fit.
    func room(for cost: Int = 0, count: Int = 0) -> Room {
        Room(
            cost: self.cost > 0 ? max(0, self.cost - cost) : .max,
            count: self.count > 0 ? max(0, self.count - count) : .max)
    }

    /// Bytes and pictures that may be held.
    struct Room {
        var cost = Int.max
        var count = Int.max
    }
}
