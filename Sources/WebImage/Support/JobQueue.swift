import Dispatch
import Synchronization

/// A bounded executor: at most `limit` jobs at a time, the most urgent first, the newest first within a priority.
///
/// Newest first is what a scrolling list wants: the cell that just appeared is the one that is looked at. A queue owns
/// no threads of its own; it borrows them from Dispatch while there is work.
package final class JobQueue: Sendable {
    package typealias Job = @Sendable () -> Void

    private struct State {
        var waiting: [[(ticket: UInt64, job: Job)]] = LoadPriority.allCases.map { _ in [] }
        var running = 0
        var nextTicket: UInt64 = 0

        mutating func next() -> Job? {
            for level in waiting.indices.reversed() {
                if let entry = waiting[level].popLast() { return entry.job }
            }
            running -= 1
            return nil
        }
    }

    /// Names a job that may still be waiting.
    package struct Ticket: Sendable, Hashable {
        fileprivate let number: UInt64
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
            let ticket = state.nextTicket
            state.nextTicket += 1
            state.waiting[priority.rawValue].append((ticket, job))
            guard state.running < limit else { return (ticket, false) }
            state.running += 1
            return (ticket, true)
        }
        if startsWorker { queue.async { self.work() } }
        return Ticket(number: ticket)
    }

    /// Moves a waiting job to another priority, as its newest; without effect once the job has started.
    package func move(_ ticket: Ticket, to priority: LoadPriority) {
        state.withLock { state in
            for level in state.waiting.indices where level != priority.rawValue {
                guard let index = state.waiting[level].firstIndex(where: { $0.ticket == ticket.number }) else {
                    continue
                }
                state.waiting[priority.rawValue].append(state.waiting[level].remove(at: index))
                return
            }
        }
    }

    /// Takes a waiting job out of the queue; false when it has started or ended, or was taken out before.
    @discardableResult
    package func remove(_ ticket: Ticket) -> Bool {
        state.withLock { state in
            for level in state.waiting.indices {
                guard let index = state.waiting[level].firstIndex(where: { $0.ticket == ticket.number }) else {
                    continue
                }
                state.waiting[level].remove(at: index)
                return true
            }
            return false
        }
    }

    private func work() {
        while let job = state.withLock({ $0.next() }) { job() }
    }
}
