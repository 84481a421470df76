import Synchronization

extension CallbackQueue {
    /// A callback on its way through a runner that may lose it: runs it once, or tells at the end of its own life that
    /// nobody did.
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
