/// The limits of a memory cache.
struct MemoryCacheLimits: Sendable, Hashable {
    /// Bytes; nil for no limit.
    var cost: Int?
    /// Pictures; nil for no limit.
    var count: Int?
    /// The lifetime of pictures that are stored without one; nil for no expiry.
    var lifetime: Duration?
    /// Whether evicted pictures are found again while other code holds them.
    var keepsWeakReferences = false

    /// More than any picture costs; keeps the sum of all costs in range for any argument.
    static let highestCost = 1 << 40

    /// The most that one picture may cost: a tenth of the limit, so that one picture never empties the cache. Below 0
    /// where a limit leaves room for none.
    var entryCost: Int {
        if let count, count <= 0 { return -1 }
        guard let cost else { return Self.highestCost }
        return cost > 0 ? cost / 10 : -1
    }

    /// The room to evict to, so that `cost` and `count` more fit.
    func room(for cost: Int = 0, count: Int = 0) -> Room {
        Room(
            cost: self.cost.map { max(0, max(0, $0) - cost) } ?? .max,
            count: self.count.map { max(0, max(0, $0) - count) } ?? .max)
    }

    /// The most bytes and pictures.
    struct Room {
        var cost = Int.max
        var count = Int.max
    }
}
