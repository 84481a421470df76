import Synchronization
import WebImageCore

/// The latest progress of a load on its way from the loading threads to a handler on the main thread. Progress that the
/// handler has not got yet is replaced by newer progress.
package final class LatestProgress: Sendable {
    private let waiting = Mutex<LoadProgress?>(nil)

    package init() {}

    /// - Returns: Whether to schedule a call of the handler; otherwise one is scheduled already.
    package func put(_ progress: LoadProgress) -> Bool {
        waiting.withLock { waiting in
            defer { waiting = progress }
            return waiting == nil
        }
    }

    /// nil when the handler has got the latest one.
    package func take() -> LoadProgress? { waiting.withLock { $0.take() } }
}
