/// Counts loads by priority, to find the highest of thousands without a look at each.
package struct PriorityTally: Sendable {
    private var counts = InlineArray<4, Int>(repeating: 0)

    package init() {}

    /// The highest priority counted; low when there is none.
    package var highest: LoadPriority { LoadPriority.allCases.last { counts[$0.level] > 0 } ?? .low }

    package mutating func add(_ priority: LoadPriority) { counts[priority.level] += 1 }

    package mutating func remove(_ priority: LoadPriority) { counts[priority.level] -= 1 }
}
