import Dispatch
import Synchronization
import WebImageCore

/// A frame that a thread waits for.
final class PendingFrame: Sendable {
    private let result = Mutex<Result<Bitmap, WebImageError>?>(nil)
    private let isFinished = DispatchSemaphore(value: 0)

    /// Ends the wait; later results are ignored.
    func finish(_ result: Result<Bitmap, WebImageError>) {
        let isFirst = self.result.withLock { known in
            guard known == nil else { return false }
            known = result
            return true
        }
        if isFirst { isFinished.signal() }
    }

    /// The result; nil when none has come in time. Blocks; one caller.
    func wait(atMost time: Duration) -> Result<Bitmap, WebImageError>? {
        let nanoseconds = Int((min(time, .seconds(1 << 30)) / .nanoseconds(1)).rounded())
        guard isFinished.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success else { return nil }
        return result.withLock { $0 }
    }
}
