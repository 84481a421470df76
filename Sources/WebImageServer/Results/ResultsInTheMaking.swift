import Synchronization
import WebImageCore

/// The results that are being found or made: all who want the same one at the same time get it from the first. Any thread.
final class ResultsInTheMaking: Sendable {
    typealias Outcome = Result<(result: StoredResult, origin: ResultOrigin), ServiceError>

    /// Work for one result. Texts of addresses are in the names of results, so that only name and source together are sure.
    struct Key: Hashable {
        let source: CacheKey
        let result: CacheKey
        /// Of the source, before the work.
        let purgeCount: Int
    }

    /// Those who wait for each result, beside the one that makes it.
    private let waiting = Mutex<[Key: [CheckedContinuation<Outcome?, Never>]]>([:])

    /// The result of a key; `make` is called where nothing makes it.
    @discardableResult
    func result(
        for key: Key, make: @Sendable () async -> Outcome
    ) async -> (outcome: Outcome, isJoined: Bool) {
        if let outcome = await joined(key) { return (outcome, true) }
        let outcome = await make()
        for waiter in waiting.withLock({ $0.removeValue(forKey: key) }) ?? [] { waiter.resume(returning: outcome) }
        return (outcome, false)
    }

    /// nil where nothing makes it: the caller does now.
    private func joined(_ key: Key) async -> Outcome? {
        await withCheckedContinuation { continuation in
            let isJoined = waiting.withLock { waiting in
                if waiting[key]?.append(continuation) != nil { return true }
                waiting[key] = []
                return false
            }
            if !isJoined { continuation.resume(returning: nil) }
        }
    }
}

/// The place that a result has come from.
enum ResultOrigin: String, Sendable {
    case disk
    case shared
    /// Made for this request.
    case made
    /// Made before of a source that was asked for this request, and is the same.
    case revalidated
    /// Older than its source allows; it is made anew meanwhile.
    case stale
}
