/// The priority of work; within one priority, the oldest comes first.
public enum LoadPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// For later: prefetched, or bound to a cell that is not visible yet.
    case low
    /// The default.
    case normal
    /// A user waits for the picture, as in a visible view.
    case high
    /// Before `high`: a visible view's load with ``WebImageOptions/highPriority``.
    case veryHigh

    /// Lower priorities come first.
    public static func < (lhs: LoadPriority, rhs: LoadPriority) -> Bool { lhs.rawValue < rhs.rawValue }
}
