import Synchronization
import WebImage

/// A callback queue that runs when the test says so, or never.
final class HeldCallbacks: Sendable {
    private let callbacks = Mutex<[@Sendable () -> Void]>([])

    var queue: CallbackQueue {
        CallbackQueue { callback in self.callbacks.withLock { $0.append(callback) } }
    }

    var count: Int { callbacks.withLock { $0.count } }

    func runAll() {
        for callback in take() { callback() }
    }

    /// Lets go of what waits without running it, as a main loop that has ended does.
    func drop() { _ = take() }

    private func take() -> [@Sendable () -> Void] {
        callbacks.withLock { callbacks in
            defer { callbacks = [] }
            return callbacks
        }
    }
}
