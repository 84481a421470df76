import Synchronization

extension CallbackQueue {
    /// A callback for a runner that may drop it: runs it once, or reports at its own deinitialization that it was not
    /// run.
    final class Delivery: Sendable {
        private struct Callbacks {
            let callback: @Sendable () -> Void
            let dropped: @Sendable () -> Void
        }

        private let pending: Mutex<Callbacks?>

        init(callback: @escaping @Sendable () -> Void, dropped: @escaping @Sendable () -> Void) {
            pending = Mutex(Callbacks(callback: callback, dropped: dropped))
        }

        deinit { take()?.dropped() }

        func run() { take()?.callback() }

        private func take() -> Callbacks? { pending.withLock { $0.take() } }
    }
}
