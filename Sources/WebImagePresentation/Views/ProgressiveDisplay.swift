/// The way a view shows partial pictures.
public enum ProgressiveDisplay: Sendable, Equatable {
    /// Each part replaces the one before: a picture stored row by row appears from top to bottom, and one stored in
    /// passes becomes sharper step by step.
    case topToBottom
    /// Each part cross-dissolves into the next, sharper one in `duration`: for pictures stored in passes, and
    /// where a small picture stands in for a large one.
    case blurToSharp(duration: Duration = .seconds(0.25))
}
