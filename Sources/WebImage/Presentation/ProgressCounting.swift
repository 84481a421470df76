/// A toolkit's own object that shows how far a load is, as Foundation's `Progress`.
@MainActor
package protocol ProgressCounting: AnyObject, Sendable {
    /// Shows `completed` of `total` bytes; `total` is 0 where nobody knows it.
    func show(completed: Int64, of total: Int64)
}

/// Bytes that have come, of those that will.
package struct ProgressCounts: Sendable, Hashable {
    /// Bytes that have come.
    package var completed: Int64
    /// Bytes that will have come at the end; 0 where nobody knows.
    package var total: Int64

    /// `completed` of `total` bytes, 0 of an unknown number by default.
    package init(completed: Int64 = 0, total: Int64 = 0) {
        self.completed = completed
        self.total = total
    }

    init(_ progress: LoadProgress) {
        self.init(
            completed: Int64(progress.receivedByteCount), total: Int64(max(0, progress.expectedByteCount ?? 0)))
    }

    /// The same, at its end. Without any bytes, as from memory, it is one of one.
    var finished: ProgressCounts {
        let all = max(completed, 1)
        return ProgressCounts(completed: all, total: all)
    }
}
