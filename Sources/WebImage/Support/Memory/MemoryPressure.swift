import Synchronization

/// Says to all who could give memory back that it is short.
///
/// The kernel says so where it can be asked (see ``Level``); a program that hears of it in another way passes that on by
/// ``report(_:)``. `WebImageGTK` does, for GLib's monitor.
public final class MemoryPressure: Sendable {
    /// How short memory is.
    public enum Level: Sendable, Hashable, CaseIterable {
        /// Programs begin to wait for memory: caches give half of it back.
        case warning
        /// Hardly anything else goes on: caches give all back.
        case critical
    }

    /// The one of this process.
    public static let shared = MemoryPressure(source: KernelMemoryPressure())

    private struct Receiver {
        weak var object: (any MemoryPressureReceiver)?
    }

    private struct State {
        var receivers: [ObjectIdentifier: Receiver] = [:]
        /// What the source does meanwhile.
        var watch: (any CancellableTask)?
    }

    private let source: any MemoryPressureSource
    private let state = Mutex(State())

    init(source: any MemoryPressureSource) { self.source = source }

    /// Passes on that memory is short. Any thread; caches free memory before this returns.
    public func report(_ level: Level) {
        // Kept until the lock is let go: the last owner of a cache may be here.
        let receivers = state.withLock { $0.receivers.values.compactMap(\.object) }
        for receiver in receivers { receiver.relieve(level) }
    }

    /// Tells `receiver` from now on, for as long as it lives.
    func add(_ receiver: any MemoryPressureReceiver) {
        state.withLock { state in
            state.receivers[ObjectIdentifier(receiver)] = Receiver(object: receiver)
            guard state.watch == nil else { return }
            state.watch = source.watch { [weak self] in self?.report($0) }
        }
    }

    /// Forgets a receiver, which may be on its way out. The source stops with the last one.
    func remove(_ id: ObjectIdentifier) {
        let idle: (any CancellableTask)? = state.withLock { state in
            state.receivers[id] = nil
            guard state.receivers.isEmpty else { return nil }
            defer { state.watch = nil }
            return state.watch
        }
        idle?.cancel()
    }
}

/// Somebody who can give memory back.
protocol MemoryPressureReceiver: AnyObject, Sendable {
    /// Frees what `level` asks for, at once. Any thread.
    func relieve(_ level: MemoryPressure.Level)
}

/// Somebody who knows when memory is short.
protocol MemoryPressureSource: Sendable {
    /// Calls `report` on a thread of its own whenever memory is short, until the task is cancelled; returns at once.
    ///
    /// - Returns: nil where nobody can be asked.
    func watch(_ report: @escaping @Sendable (MemoryPressure.Level) -> Void) -> (any CancellableTask)?
}
