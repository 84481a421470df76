import WebImageCore
import WebImageTesting

/// Records the callbacks of a load, and lets a test wait for its end.
final class LoadRecorder: Sendable {
    private let told = Observed((outcomes: [Result<LoadResult, WebImageError>](), progress: [LoadProgress]()))

    /// Every ending so far; more than one is a fault.
    var outcomes: [Result<LoadResult, WebImageError>] { told.value.outcomes }
    var progress: [LoadProgress] { told.value.progress }

    var completed: @Sendable (Result<LoadResult, WebImageError>) -> Void {
        { outcome in self.told.update { $0.outcomes.append(outcome) } }
    }

    var progressed: @Sendable (LoadProgress) -> Void {
        { progress in self.told.update { $0.progress.append(progress) } }
    }

    /// The first ending, once it is there; a cancellation where the time of the test is over before.
    func outcome() async -> Result<LoadResult, WebImageError> {
        let told = try? await told.wait { !$0.outcomes.isEmpty }
        return told?.outcomes.first ?? .failure(.cancelled())
    }

    /// The code of the only ending, when that is a failure.
    var failureCode: WebImageError.Code? {
        guard outcomes.count == 1, case .failure(let error) = outcomes[0] else { return nil }
        return error.code
    }
}
