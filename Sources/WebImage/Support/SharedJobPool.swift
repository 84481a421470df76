import Synchronization

/// Runs the same work once for everybody who wants it at the same time.
///
/// Work is the same when its key is. The first to ask starts it, later ones join while it waits or runs; its priority
/// is the highest of those waiting, and it stops when the last of them leaves.
package final class SharedJobPool<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    package typealias Work = @Sendable (CancellationFlag) -> Value
    package typealias Completion = @Sendable (Value) -> Void

    private struct Subscriber {
        var priority: LoadPriority
        let completion: Completion
    }

    private struct Job {
        let number: UInt64
        let ticket: JobQueue.Ticket
        let flag: CancellationFlag
        var subscribers: [UInt64: Subscriber]

        var priority: LoadPriority { subscribers.values.map(\.priority).max() ?? .low }
    }

    private struct State {
        var jobs: [Key: Job] = [:]
        var nextNumber: UInt64 = 0

        mutating func makeNumber() -> UInt64 {
            nextNumber += 1
            return nextNumber
        }
    }

    private let queue: JobQueue
    private let state = Mutex(State())

    /// A pool whose work runs on `queue`.
    package init(queue: JobQueue) { self.queue = queue }

    /// Joins the work called `key`, or starts it as `work`.
    ///
    /// - Parameter completion: Called once on the queue with the outcome, and never after the task was cancelled.
    package func submit(
        _ key: Key, priority: LoadPriority, work: @escaping Work, completion: @escaping Completion
    ) -> any ImageLoadTask {
        let subscriber = Subscriber(priority: priority, completion: completion)
        let number = state.withLock { state in
            let number = state.makeNumber()
            if var job = state.jobs[key] {
                job.subscribers[number] = subscriber
                state.jobs[key] = job
                queue.move(job.ticket, to: job.priority)
            } else {
                state.jobs[key] = start(key, number: number, subscriber: subscriber, work: work)
            }
            return number
        }
        return Membership(pool: self, key: key, number: number)
    }

    /// Called under the lock: the job cannot find itself missing, since it takes the lock before it looks.
    private func start(_ key: Key, number: UInt64, subscriber: Subscriber, work: @escaping Work) -> Job {
        let flag = CancellationFlag()
        let ticket = queue.submit(priority: subscriber.priority) {
            guard !flag.isCancelled else { return }
            self.finish(key, number: number, with: work(flag))
        }
        return Job(number: number, ticket: ticket, flag: flag, subscribers: [number: subscriber])
    }

    private func finish(_ key: Key, number: UInt64, with value: Value) {
        let finished = state.withLock { state -> Job? in
            // A cancelled job may have a successor under the same key.
            guard state.jobs[key]?.number == number else { return nil }
            return state.jobs.removeValue(forKey: key)
        }
        for subscriber in finished?.subscribers.sorted(by: { $0.key < $1.key }) ?? [] {
            subscriber.value.completion(value)
        }
    }

    private func leave(_ key: Key, number: UInt64) {
        state.withLock { state in
            guard state.jobs[key]?.subscribers.removeValue(forKey: number) != nil, let job = state.jobs[key] else {
                return
            }
            guard job.subscribers.isEmpty else { return queue.move(job.ticket, to: job.priority) }
            state.jobs[key] = nil
            job.flag.cancel()
            queue.remove(job.ticket)
        }
    }

    private func setPriority(_ priority: LoadPriority, of key: Key, number: UInt64) {
        state.withLock { state in
            state.jobs[key]?.subscribers[number]?.priority = priority
            guard let job = state.jobs[key], job.subscribers[number] != nil else { return }
            queue.move(job.ticket, to: job.priority)
        }
    }

    private final class Membership: ImageLoadTask {
        private let pool: SharedJobPool
        private let key: Key
        private let number: UInt64

        init(pool: SharedJobPool, key: Key, number: UInt64) {
            self.pool = pool
            self.key = key
            self.number = number
        }

        func cancel() { pool.leave(key, number: number) }
        func setPriority(_ priority: LoadPriority) { pool.setPriority(priority, of: key, number: number) }
    }
}
