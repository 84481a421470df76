/// How many want something at each priority: the highest of thousands without looking at each.
struct PriorityTally: Sendable {
    private var counts = InlineArray<4, Int>(repeating: 0)

    /// As urgent as the most urgent of those counted; low when there is none.
    var highest: LoadPriority { LoadPriority.allCases.last { counts[$0.rawValue] > 0 } ?? .low }

    mutating func add(_ priority: LoadPriority) { counts[priority.rawValue] += 1 }

    mutating func remove(_ priority: LoadPriority) { counts[priority.rawValue] -= 1 }
}
