import Synchronization
import WebImageCore

/// Runs the same work once for all subscribers at the same time.
///
/// Work is the same when its key is. The first subscriber starts it, later ones join while it waits or runs. Its
/// priority is the highest of its subscribers, and it stops when the last of them leaves.
final class SharedJobPool<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Work = @Sendable (CancellationFlag) -> Value
    typealias Completion = @Sendable (Value) -> Void

    private struct Subscriber {
        var priority: LoadPriority
        let completion: Completion
    }

    private struct Job {
        let number: UInt64
        let flag = CancellationFlag()
        /// nil until it is in the queue.
        var ticket: JobQueue.Ticket?
        private(set) var subscribers: [UInt64: Subscriber] = [:]

        private var tally = PriorityTally()

        init(number: UInt64) { self.number = number }

        var priority: LoadPriority { tally.highest }

        mutating func add(_ subscriber: Subscriber, as number: UInt64) {
            subscribers[number] = subscriber
            tally.add(subscriber.priority)
        }

        /// nil when there is no subscriber of that number.
        mutating func remove(_ number: UInt64) -> Subscriber? {
            let subscriber = subscribers.removeValue(forKey: number)
            if let subscriber { tally.remove(subscriber.priority) }
            return subscriber
        }

        /// Returns whether that changes the priority of the job.
        mutating func setPriority(_ priority: LoadPriority, of number: UInt64) -> Bool {
            guard let before = subscribers[number]?.priority else { return false }
            let priorityBefore = self.priority
            subscribers[number]?.priority = priority
            tally.remove(before)
            tally.add(priority)
            return self.priority != priorityBefore
        }

        /// Its ticket and its priority in the queue; nil before it is queued, and if the queue has that priority
        /// already.
        func place(unlessAt known: LoadPriority?) -> (JobQueue.Ticket, LoadPriority)? {
            guard let ticket, priority != known else { return nil }
            return (ticket, priority)
        }
    }

    private struct State {
        var jobs: [Key: Job] = [:]
        var nextNumber: UInt64 = 0

        mutating func makeNumber() -> UInt64 {
            nextNumber += 1
            return nextNumber
        }

        /// Adds a job, and returns its flag.
        mutating func begin(_ key: Key, for subscriber: Subscriber, as number: UInt64) -> CancellationFlag {
            var job = Job(number: number)
            job.add(subscriber, as: number)
            jobs[key] = job
            return job.flag
        }

        /// Where the job of that number is; nil for one that is over or was left by all, which may have a successor.
        func index(of key: Key, _ number: UInt64) -> Dictionary<Key, Job>.Index? {
            jobs.index(forKey: key).flatMap { jobs.values[$0].number == number ? $0 : nil }
        }
    }

    private let queue: JobQueue
    private let state = Mutex(State())

    /// A pool whose work runs on `queue`.
    init(queue: JobQueue) { self.queue = queue }

    /// Joins the work called `key`, or starts it as `work`.
    ///
    /// - Parameter completion: Called once on the queue with the outcome, and never after the task was cancelled.
    func submit(
        _ key: Key, priority: LoadPriority, work: @escaping Work, completion: @escaping Completion
    ) -> any CancellableTask {
        let subscriber = Subscriber(priority: priority, completion: completion)
        let (number, flag, isMoreUrgent) = state.withLock { state -> (UInt64, CancellationFlag?, Bool) in
            let number = state.makeNumber()
            guard let index = state.jobs.index(forKey: key) else {
                return (number, state.begin(key, for: subscriber, as: number), false)
            }
            let before = state.jobs.values[index].priority
            // In place: a copy of the job would copy its subscribers.
            state.jobs.values[index].add(subscriber, as: number)
            return (number, nil, before < priority)
        }
        if let flag { start(key, number: number, priority: priority, flag: flag, work: work) }
        if isMoreUrgent { tellPriority(of: key) }
        return Membership(pool: self, key: key, number: number)
    }

    // The queue is called outside the lock: it may take long to create a thread, and every ending job needs the lock.
    private func start(
        _ key: Key, number: UInt64, priority: LoadPriority, flag: CancellationFlag, work: @escaping Work
    ) {
        let ticket = queue.submit(priority: priority) {
            guard !flag.isCancelled else { return }
            self.finish(key, number: number, with: work(flag))
        }
        let (isWanted, isMoved) = state.withLock { state in
            guard let index = state.index(of: key, number) else { return (!flag.isCancelled, false) }
            state.jobs.values[index].ticket = ticket
            // Other subscribers may have joined or changed their priority.
            return (true, state.jobs.values[index].priority != priority)
        }
        if !isWanted { queue.remove(ticket) }
        if isMoved { tellPriority(of: key) }
    }

    /// Sets a job's priority in the queue, if it is there.
    private func tellPriority(of key: Key) {
        // Repeated if another thread has changed it meanwhile: the last priority given to the queue must be the last
        // one set.
        var told: LoadPriority?
        while let (ticket, priority) = state.withLock({ $0.jobs[key]?.place(unlessAt: told) }) {
            queue.move(ticket, to: priority)
            told = priority
        }
    }

    private func finish(_ key: Key, number: UInt64, with value: Value) {
        let finished = state.withLock { state in
            state.index(of: key, number).map { state.jobs.remove(at: $0).value }
        }
        for subscriber in finished?.subscribers.sorted(by: { $0.key < $1.key }) ?? [] {
            subscriber.value.completion(value)
        }
    }

    private func leave(_ key: Key, number: UInt64) {
        // Removed objects are released outside the lock: one may be the last reference to an object of the caller that
        // calls the pool.
        let (_, abandoned, isLessUrgent) = state.withLock { state -> (Subscriber?, Job?, Bool) in
            guard let index = state.jobs.index(forKey: key) else { return (nil, nil, false) }
            let before = state.jobs.values[index].priority
            guard let subscriber = state.jobs.values[index].remove(number) else { return (nil, nil, false) }
            guard state.jobs.values[index].subscribers.isEmpty else {
                return (subscriber, nil, state.jobs.values[index].priority != before)
            }
            return (subscriber, state.jobs.remove(at: index).value, false)
        }
        if isLessUrgent { tellPriority(of: key) }
        guard let abandoned else { return }
        abandoned.flag.cancel()
        if let ticket = abandoned.ticket { queue.remove(ticket) }
    }

    private func setPriority(_ priority: LoadPriority, of key: Key, number: UInt64) {
        if state.withLock({ $0.jobs[key]?.setPriority(priority, of: number) }) == true { tellPriority(of: key) }
    }

    private final class Membership: CancellableTask {
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
