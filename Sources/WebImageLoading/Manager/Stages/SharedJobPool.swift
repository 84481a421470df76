import WebImageCore

/// Runs the same work once for all subscribers at the same time, as a job on a queue; see ``SharedWork``.
final class SharedJobPool<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Work = @Sendable (CancellationFlag) -> Value
    typealias Completion = @Sendable (Value) -> Void

    private final class Job: Sendable {
        let flag = CancellationFlag()
        let work = SharedWork<Completion, Void>(())
    }

    private let queue: JobQueue
    private let jobs = SharedWorks<Key, Job>()

    /// A pool whose work runs on `queue`.
    init(queue: JobQueue) { self.queue = queue }

    /// Joins the work called `key`, or starts it as `work`.
    ///
    /// - Parameter completion: Called once on the queue with the outcome, and never after the task was cancelled.
    func submit(
        _ key: Key, priority: LoadPriority, work: @escaping Work, completion: @escaping Completion
    ) -> any CancellableTask {
        let (job, number) = jobs.join(key, orMake: Job.init) { $0.work.join(completion, priority: priority) }
        if number == 1 { start(job, key, work) }
        return Membership(pool: self, job: job, key: key, number: number)
    }

    private func start(_ job: Job, _ key: Key, _ work: @escaping Work) {
        job.work.run { priority in
            queue.schedule(priority: priority) {
                guard !job.flag.isCancelled else { return }
                let value = work(job.flag)
                self.jobs.remove(job, of: key)
                for completion in job.work.end() { completion(value) }
            }
        }
    }

    private func leave(_ job: Job, _ key: Key, _ number: UInt64) {
        guard job.work.leave(number, abandon: { _ in job.flag.cancel() }) != nil else { return }
        jobs.remove(job, of: key)
    }

    private final class Membership: CancellableTask {
        private let pool: SharedJobPool
        private let job: Job
        private let key: Key
        private let number: UInt64

        init(pool: SharedJobPool, job: Job, key: Key, number: UInt64) {
            self.pool = pool
            self.job = job
            self.key = key
            self.number = number
        }

        func cancel() { pool.leave(job, key, number) }
        func setPriority(_ priority: LoadPriority) { job.work.setPriority(priority, of: number) }
    }
}
