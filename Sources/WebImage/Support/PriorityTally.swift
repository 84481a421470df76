/// Counts loads by priority, to find the highest of thousands without a look at each.
struct PriorityTally: Sendable {
    private var counts = InlineArray<4, Int>(repeating: 0)

    /// The highest priority counted; low when there is none.
    var highest: LoadPriority { LoadPriority.allCases.last { counts[$0.level] > 0 } ?? .low }

    mutating func add(_ priority: LoadPriority) { counts[priority.level] += 1 }

    mutating func remove(_ priority: LoadPriority) { counts[priority.level] -= 1 }
}
