import WebImageCore

/// One query of the disk: it calls back exactly once, with the entry or with a cancellation, whichever comes first.
///
/// Its jobs run on one queue after the other, at the query's current priority.
final class DiskQuery: CancellableTask {
    typealias Completion = @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void

    private let work = SharedWork<Completion, Void>(())
    /// Of the one that asks.
    private let number: UInt64?

    init(priority: LoadPriority, completion: @escaping Completion) {
        number = work.join(completion, priority: priority)
    }

    /// Runs `job` on `queue`, unless the query ends before.
    func run(on queue: JobQueue, _ job: @escaping @Sendable () -> Void) {
        work.run { priority in
            queue.schedule(priority: priority) { [self] in if !work.isOver { job() } }
        }
    }

    /// Runs `job` in a task, unless the query ends before, which cancels it.
    func run(_ job: @escaping @Sendable () async -> Void) {
        work.run { _ in AsyncTask(task: Task { await job() }) }
    }

    /// Calls back, unless that has happened.
    func finish(_ result: Result<DiskCacheEntry?, WebImageError>) {
        for completion in work.end() { completion(result) }
    }

    func cancel() {
        for completion in work.cancel() { completion(.failure(.cancelled())) }
    }

    func setPriority(_ priority: LoadPriority) {
        if let number { work.setPriority(priority, of: number) }
    }
}

/// A Swift task as the work of a query.
private final class AsyncTask: CancellableTask {
    private let task: Task<Void, Never>

    init(task: Task<Void, Never>) { self.task = task }

    func cancel() { task.cancel() }
}
