import WebImageCore

/// Slots in first-in-first-out order, with their total cost.
struct EvictionQueue {
    private var slots = SlotQueue()
    private(set) var cost = 0
    private(set) var count = 0

    /// The slot that was added first.
    var oldest: Int? { slots.oldest }

    mutating func append(_ slot: Int, cost: Int) {
        slots.append(slot)
        self.cost += cost
        count += 1
    }

    mutating func remove(_ slot: Int, cost: Int) {
        slots.remove(slot)
        self.cost -= cost
        count -= 1
    }
}
