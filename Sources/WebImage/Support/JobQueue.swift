import Dispatch
import Synchronization

/// A bounded executor: at most `limit` jobs at a time, the most urgent first, the newest first within a priority.
///
/// Newest first is what a scrolling list wants: the cell that just appeared is the one that is looked at. A queue owns
/// no threads of its own; it borrows them from Dispatch while there is work.
package final class JobQueue: Sendable {
    package typealias Job = @Sendable () -> Void
    /// Names a job that may still be waiting.
    package typealias Ticket = WaitingTicket

    /// A structure, because a bare closure is wrapped in another one each time it goes through a generic container.
    private struct Entry {
        let job: Job
    }

    private struct State {
        var waiting = WaitingList<Entry>()
        var running = 0

        mutating func next() -> Entry? {
            if let entry = waiting.popNewest() { return entry }
            running -= 1
            return nil
        }
    }

    private let limit: Int
    private let queue: DispatchQueue
    private let state = Mutex(State())

    /// A queue named `label` in debuggers that runs up to `limit` jobs at once.
    package init(label: String, limit: Int, qos: DispatchQoS = .userInitiated) {
        self.limit = max(1, limit)
        queue = DispatchQueue(label: label, qos: qos, attributes: .concurrent)
    }

    /// Runs `job` when its turn comes.
    @discardableResult
    package func submit(priority: LoadPriority = .normal, _ job: @escaping Job) -> Ticket {
        let (ticket, startsWorker) = state.withLock { state in
            let ticket = state.waiting.append(Entry(job: job), priority: priority)
            guard state.running < limit else { return (ticket, false) }
            state.running += 1
            return (ticket, true)
        }
        if startsWorker { queue.async { self.work() } }
        return ticket
    }

    /// Moves a waiting job to another priority, as its newest; without effect once the job has started.
    package func move(_ ticket: Ticket, to priority: LoadPriority) {
        state.withLock { $0.waiting.move(ticket, to: priority) }
    }

    /// Takes a waiting job out of the queue; false when it has started or ended, or was taken out before.
    @discardableResult
    package func remove(_ ticket: Ticket) -> Bool {
        // What the job holds is let go here, outside the lock.
        let removed = state.withLock { $0.waiting.remove(ticket) }
        return removed != nil
    }

    private func work() {
        while let entry = state.withLock({ $0.next() }) { entry.job() }
    }
}
