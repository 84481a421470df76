/// Counts loads by priority, to find the highest of thousands without a look at each.
@usableFromInline package struct PriorityTally: Sendable {
    @usableFromInline var counts = InlineArray<4, Int>(repeating: 0)

    @inlinable package init() {}

    /// The highest priority counted; low when there is none.
    @inlinable package var highest: LoadPriority { LoadPriority.allCases.last { counts[$0.level] > 0 } ?? .low }

    @inlinable package mutating func add(_ priority: LoadPriority) { counts[priority.level] += 1 }

    @inlinable package mutating func remove(_ priority: LoadPriority) { counts[priority.level] -= 1 }
}
