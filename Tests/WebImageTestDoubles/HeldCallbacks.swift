import WebImageCore
import WebImageTesting

/// A callback queue that runs when the test says so, or never.
final class HeldCallbacks: Sendable {
    private let callbacks = Observed<[@Sendable () -> Void]>([])

    var queue: CallbackQueue {
        CallbackQueue { callback in self.callbacks.update { $0.append(callback) } }
    }

    /// Returns once `count` callbacks wait.
    func waitForCallbacks(_ count: Int) async throws { try await callbacks.wait { $0.count >= count } }

    func runAll() {
        for callback in take() { callback() }
    }

    /// Drops the waiting callbacks without running them, like a main loop that has ended.
    func drop() { _ = take() }

    private func take() -> [@Sendable () -> Void] {
        callbacks.update { callbacks in
            defer { callbacks = [] }
            return callbacks
        }
    }
}
