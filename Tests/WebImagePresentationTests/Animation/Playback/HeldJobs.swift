import Synchronization
import WebImageCore

/// A queue whose jobs run when the test says so.
final class HeldJobs: Sendable {
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    var queue: JobQueue {
        JobQueue(limit: 1) { _, work in self.waiting.withLock { $0.append(work) } }
    }

    /// Runs what waits, and what that adds.
    func run() {
        while let work = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work() }
    }

    /// Runs the oldest job.
    func runOne() { waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }?() }

    var count: Int { waiting.withLock { $0.count } }
}
