import Dispatch

/// Runs tasks on a dispatch queue of its own in place of the few threads that all tasks share: these may all be waiting
/// for what such a task makes.
final class DispatchTaskExecutor: TaskExecutor {
    private let queue: DispatchQueue

    /// - Parameter label: The queue's name in debuggers.
    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
