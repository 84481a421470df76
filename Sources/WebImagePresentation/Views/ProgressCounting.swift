import WebImageCore

/// A toolkit's object for the progress of a load, such as Foundation's `Progress`.
@MainActor
package protocol ProgressCounting: AnyObject, Sendable {
    /// Shows `completed` of `total` bytes; `total` is 0 while unknown.
    func show(completed: Int64, of total: Int64)
}

/// The number of received and of expected bytes.
package struct ProgressCounts: Sendable, Hashable {
    /// The received bytes.
    package var completed: Int64
    /// The expected bytes; 0 while unknown.
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

    /// The counts at the end. Without bytes, as from memory, 1 of 1.
    var finished: ProgressCounts {
        let all = max(completed, 1)
        return ProgressCounts(completed: all, total: all)
    }
}
