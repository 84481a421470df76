/// How urgently work is wanted; within one priority, decoding takes the newest first.
public enum LoadPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// For later: prefetched, or bound to a cell that nobody sees yet.
    case low
    /// The default.
    case normal
    /// Somebody waits for it.
    case high
    /// Before all that somebody waits for: what is seen in a view and was asked for with
    /// ``WebImageOptions/highPriority``.
    case veryHigh

    /// Lower priorities come first.
    public static func < (lhs: LoadPriority, rhs: LoadPriority) -> Bool { lhs.rawValue < rhs.rawValue }
}
