import Synchronization
import WebImageCore

/// One query of the disk: it calls back exactly once, with the entry or with a cancellation, whichever comes first.
///
/// Its jobs run on one queue after the other, at the query's current priority.
final class DiskQuery: CancellableTask {
    typealias Completion = @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void

    private struct State {
        /// nil when it has called back.
        var completion: Completion?
        var priority: LoadPriority
        /// The number of jobs so far, and where the latest of them waits.
        var jobCount = 0
        var place: (queue: JobQueue, ticket: JobQueue.Ticket)?
    }

    private let state: Mutex<State>

    init(priority: LoadPriority, completion: @escaping Completion) {
        state = Mutex(State(completion: completion, priority: priority))
    }

    /// Runs `job` on `queue`, unless the query ends before.
    func run(on queue: JobQueue, _ job: @escaping @Sendable () -> Void) {
        let (number, priority) = state.withLock { state in
            state.jobCount += 1
            return (state.jobCount, state.priority)
        }
        let ticket = queue.submit(priority: priority) { [self] in
            if state.withLock({ $0.completion != nil }) { job() }
        }
        let isOver = state.withLock { state in
            // The job may have run already, and submitted the next one.
            if state.jobCount == number { state.place = (queue, ticket) }
            return state.completion == nil
        }
        if isOver { queue.remove(ticket) } else { move(from: priority) }
    }

    /// Calls back, unless that has happened.
    func finish(_ result: Result<DiskCacheEntry?, WebImageError>) {
        end().completion?(result)
    }

    func cancel() {
        let (completion, place) = end()
        if let place { place.queue.remove(place.ticket) }
        completion?(.failure(.cancelled()))
    }

    func setPriority(_ priority: LoadPriority) {
        let before = state.withLock { state in
            defer { state.priority = priority }
            return state.priority
        }
        move(from: before)
    }

    /// Tells the queue the priority, unless it knows it.
    private func move(from known: LoadPriority) {
        // Repeated if another thread has changed it meanwhile: the last priority delivered must be the last one set.
        var told = known
        while let (place, wanted) = state.withLock({ $0.priority == told ? nil : ($0.place, $0.priority) }) {
            if let place { place.queue.move(place.ticket, to: wanted) }
            told = wanted
        }
    }

    private func end() -> (completion: Completion?, place: (queue: JobQueue, ticket: JobQueue.Ticket)?) {
        state.withLock { state in
            defer { (state.completion, state.place) = (nil, nil) }
            return (state.completion, state.place)
        }
    }
}
