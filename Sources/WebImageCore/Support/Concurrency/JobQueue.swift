import Dispatch
import Synchronization

/// A bounded executor: at most `limit` jobs at a time, the highest priority first, the oldest first within a priority.
/// Jobs of low priority do not count for the others; see ``WorkPlaces``.
///
/// A queue has no threads of its own; it borrows them from Dispatch while there is work.
package final class JobQueue: Sendable {
    package typealias Job = @Sendable () -> Void
    /// Names a job that may still be waiting.
    package typealias Ticket = WaitingTicket

    /// A structure, because a bare closure is wrapped in another one each time it passes through a generic container.
    private struct Entry {
        let job: Job
    }

    private struct State {
        var waiting = WaitingList<Entry>()
        var places: WorkPlaces

        /// Takes a place for one more worker, and returns the priority of the next job; nil when there is no place, or
        /// no job.
        mutating func takePlace() -> LoadPriority? {
            guard let priority = waiting.highestPriority, places.hasPlace(for: priority) else { return nil }
            places.enter(priority)
            return priority
        }

        /// The next job for a worker that gives up its place, and the place for the job.
        mutating func next(after place: LoadPriority) -> (entry: Entry, place: LoadPriority)? {
            places.leave(place)
            guard let place = takePlace() else { return nil }
            return waiting.popOldest().map { ($0, place) }
        }
    }

    /// Lends a thread: runs `work`, which begins with a job of `priority`, soon and once, and never before it returns.
    package typealias Executor = @Sendable (_ priority: LoadPriority, _ work: @escaping @Sendable () -> Void) -> Void

    private let executor: Executor
    private let state: Mutex<State>

    /// A queue named `label` in debuggers that runs up to `limit` jobs at once, and as many beside those of low priority.
    package convenience init(label: String, limit: Int) {
        let queue = DispatchQueue(label: label, qos: .userInitiated, attributes: .concurrent)
        // Dispatch lends each quality of service as many threads as there are processors: jobs of low priority must not
        // take the threads of the others.
        let lowQueue = DispatchQueue(label: label, qos: .utility, attributes: .concurrent)
        self.init(limit: limit) { priority, work in (priority > .low ? queue : lowQueue).async(execute: work) }
    }

    /// A queue whose jobs run on `executor`: in a test, at the place and time that the test chooses.
    package init(limit: Int, executor: @escaping Executor) {
        state = Mutex(State(places: WorkPlaces(limit: limit, room: .beside)))
        self.executor = executor
    }

    /// Queues `job`.
    @discardableResult
    package func submit(priority: LoadPriority = .normal, _ job: @escaping Job) -> Ticket {
        let (ticket, place) = state.withLock { state in
            (state.waiting.append(Entry(job: job), priority: priority), state.takePlace())
        }
        startWorker(at: place)
        return ticket
    }

    /// Moves a waiting job to another priority, as its newest; without effect once the job has started.
    package func move(_ ticket: Ticket, to priority: LoadPriority) {
        let place = state.withLock { state in
            state.waiting.move(ticket, to: priority)
            return state.takePlace()
        }
        startWorker(at: place)
    }

    /// Removes a waiting job from the queue; false when it has started or ended, or was removed before.
    @discardableResult
    package func remove(_ ticket: Ticket) -> Bool {
        // The job's references are released here, outside the lock.
        let removed = state.withLock { $0.waiting.remove(ticket) }
        return removed != nil
    }

    private func startWorker(at place: LoadPriority?) {
        guard let place else { return }
        executor(place) { self.work(at: place) }
    }

    private func work(at place: LoadPriority) {
        var place = place
        while let next = state.withLock({ $0.next(after: place) }) {
            next.entry.job()
            place = next.place
        }
    }
}
