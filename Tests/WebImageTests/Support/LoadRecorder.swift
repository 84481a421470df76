import Synchronization
import WebImage

/// Records the callbacks of a load, and lets a test wait for its end.
final class LoadRecorder: Sendable {
    private struct State {
        var outcomes: [Result<LoadResult, WebImageError>] = []
        var progress: [LoadProgress] = []
        var waiter: CheckedContinuation<Result<LoadResult, WebImageError>, Never>?
    }

    private let state = Mutex(State())

    /// Every ending so far; more than one is a fault.
    var outcomes: [Result<LoadResult, WebImageError>] { state.withLock { $0.outcomes } }
    var progress: [LoadProgress] { state.withLock { $0.progress } }

    var completed: @Sendable (Result<LoadResult, WebImageError>) -> Void {
        { outcome in
            let waiter = self.state.withLock { state in
                defer { state.waiter = nil }
                state.outcomes.append(outcome)
                return state.waiter
            }
            waiter?.resume(returning: outcome)
        }
    }

    var progressed: @Sendable (LoadProgress) -> Void {
        { progress in self.state.withLock { $0.progress.append(progress) } }
    }

    /// The first ending; waits for it.
    func outcome() async -> Result<LoadResult, WebImageError> {
        await withCheckedContinuation { continuation in
            let ended = state.withLock { state -> Result<LoadResult, WebImageError>? in
                if state.outcomes.isEmpty { state.waiter = continuation }
                return state.outcomes.first
            }
            if let ended { continuation.resume(returning: ended) }
        }
    }

    /// The code of the only ending, when that is a failure.
    var failureCode: WebImageError.Code? {
        guard outcomes.count == 1, case .failure(let error) = outcomes[0] else { return nil }
        return error.code
    }
}
