import Synchronization
import WebImageCore

/// The results that are being found or made: all who want the same one at the same time get it from one task. Any thread.
final class ResultsInTheMaking: Sendable {
    typealias Outcome = Result<(result: StoredResult, origin: ResultOrigin), ServiceError>

    /// Work for one result. Texts of addresses are in the names of results, so that only name and source together are sure.
    struct Key: Hashable {
        let source: CacheKey
        let result: CacheKey
        /// Of the source, before the work.
        let purgeCount: Int
    }

    private let tasks = Mutex<[Key: Task<Outcome, Never>]>([:])

    /// The result of a key; `make` is called where no task makes it.
    @discardableResult
    func result(
        for key: Key, make: @escaping @Sendable () async -> Outcome
    ) async -> (outcome: Outcome, isJoined: Bool) {
        let (task, isJoined) = tasks.withLock { tasks in
            if let task = tasks[key] { return (task, true) }
            let task = Task { [self] in
                let outcome = await make()
                self.tasks.withLock { $0[key] = nil }
                return outcome
            }
            tasks[key] = task
            return (task, false)
        }
        return (await task.value, isJoined)
    }
}

/// The place that a result has come from.
enum ResultOrigin: String, Sendable {
    case disk
    case shared
    /// Made for this request.
    case made
    /// Older than its source allows; it is made anew meanwhile.
    case stale
}
