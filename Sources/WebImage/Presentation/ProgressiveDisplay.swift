/// How a view shows the parts of a picture that is still coming.
public enum ProgressiveDisplay: Sendable, Hashable {
    /// As they are, one in place of the other: a picture that is stored row by row appears from top to bottom, and one
    /// that is stored in passes becomes sharper step by step.
    case topToBottom
    /// Each one changes gradually into the next, sharper one, in so many seconds: for pictures that are stored in passes,
    /// and where a small picture stands in for a large one.
    case blurToSharp(duration: Double = 0.25)
}
