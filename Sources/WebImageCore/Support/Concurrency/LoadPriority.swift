/// The priority of work; within one priority, the oldest comes first.
public enum LoadPriority: Sendable, Comparable, CaseIterable {
    /// For later: prefetched, or bound to a cell that is not visible yet.
    case low
    /// The default.
    case normal
    /// A user waits for the picture, as in a visible view.
    case high
    /// Before `high`: a visible view's load with ``WebImageOptions/highPriority``.
    case veryHigh
}

extension LoadPriority {
    /// The place among all.
    @inlinable var level: Int {
        switch self {
        case .low: 0
        case .normal: 1
        case .high: 2
        case .veryHigh: 3
        }
    }
}
