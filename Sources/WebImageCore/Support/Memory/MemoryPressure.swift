import Dispatch
import Synchronization

/// Reports memory pressure to all receivers that can free memory.
///
/// The kernel reports it where it supports that (see ``Level``). A program with another source calls ``report(_:)``;
/// `WebImageGTK` does, for GLib's monitor.
public final class MemoryPressure: Sendable {
    /// The level of memory pressure.
    public enum Level: Sendable, Hashable {
        /// Programs begin to wait for memory: caches free half of theirs.
        case warning
        /// Programs mostly wait for memory: caches free all of theirs.
        case critical
    }

    /// The one of this process.
    public static let shared = MemoryPressure(source: KernelMemoryPressure())

    private struct Receiver {
        weak var object: (any MemoryPressureReceiver)?
    }

    private struct State {
        var receivers: [ObjectIdentifier: Receiver] = [:]
        /// The running task of the source.
        var watch: (any CancellableTask)?
        var ignoresSource = false
    }

    private let source: any MemoryPressureSource
    private let trim: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameter trim: Gives memory that was freed back to the system.
    init(source: any MemoryPressureSource, trim: @escaping @Sendable () -> Void = { Heap.trim() }) {
        self.source = source
        self.trim = trim
    }

    /// Reports memory pressure to all receivers. Any thread; caches free memory, and the system has it, before this returns.
    public func report(_ level: Level) {
        // Retained until the lock is released: this may be the last reference to a cache.
        let receivers = state.withLock { $0.receivers.values.compactMap(\.object) }
        for receiver in receivers { receiver.relieve(level) }
        trim()
    }

    /// A receiver that frees its memory on another thread has done so: the system gets it. Any thread; returns at once.
    package func memoryWasFreed() { DispatchQueue.global(qos: .utility).async { self.trim() } }

    /// Ignores the source's reports from now on, but not those of ``report(_:)``: the caches of tests must not depend on
    /// the memory of the machine that they run on. Any thread.
    package func ignoreSource() { state.withLock { $0.ignoresSource = true } }

    private func hear(_ level: Level) {
        guard !state.withLock({ $0.ignoresSource }) else { return }
        report(level)
    }

    /// Adds `receiver`, which gets reports for as long as it lives.
    package func add(_ receiver: any MemoryPressureReceiver) {
        state.withLock { state in
            state.receivers[ObjectIdentifier(receiver)] = Receiver(object: receiver)
            guard state.watch == nil else { return }
            state.watch = source.watch { [weak self] in self?.hear($0) }
        }
    }

    /// Removes a receiver, which may be in its deinitializer. The source stops with the last one.
    package func remove(_ id: ObjectIdentifier) {
        let idle: (any CancellableTask)? = state.withLock { state in
            state.receivers[id] = nil
            guard state.receivers.isEmpty else { return nil }
            defer { state.watch = nil }
            return state.watch
        }
        idle?.cancel()
    }
}

/// An object that can free memory.
package protocol MemoryPressureReceiver: AnyObject, Sendable {
    /// Frees the memory that `level` requires, at once. Any thread.
    func relieve(_ level: MemoryPressure.Level)
}

/// A source of reports about memory pressure.
protocol MemoryPressureSource: Sendable {
    /// Calls `report` on its own thread at each memory pressure, until the task is cancelled; returns at once.
    ///
    /// - Returns: nil where the system gives no reports.
    func watch(_ report: @escaping @Sendable (MemoryPressure.Level) -> Void) -> (any CancellableTask)?
}
