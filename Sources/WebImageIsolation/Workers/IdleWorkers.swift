import Dispatch
import Synchronization
import WebImageCore

/// A worker that waits for a picture.
struct IdleWorker: Sendable {
    let connection: any WorkerConnection
    /// The buffers that it may write pixels to, in the order in which it got them.
    var buffers: [SharedBuffer] = []
    /// The buffers in which it has got files; it may have them mapped until its end.
    var fileBuffers: [SharedBuffer] = []
    /// The pictures that it has decoded.
    var pictureCount = 0
}

/// Workers that wait for pictures: few, and not for long. Any thread.
final class IdleWorkers<Key: Hashable & Sendable>: Sendable {
    private struct Entry {
        let key: Key
        let worker: IdleWorker
        let since: ContinuousClock.Instant
    }

    private struct State {
        /// The one that has waited longest is the first.
        var entries: [Entry] = []
        var isWatched = false
    }

    private let maximumCount: Int
    private let idleTime: Duration
    private let state = Mutex(State())
    private let listener = Mutex<MemoryPressureListener?>(nil)

    init(maximumCount: Int, idleTime: Duration, pressure: MemoryPressure = .shared) {
        self.maximumCount = maximumCount
        self.idleTime = idleTime
        listener.withLock { $0 = MemoryPressureListener(pressure) { [weak self] _ in self?.dropAll() } }
    }

    deinit { dropAll() }

    func contains(_ key: Key) -> Bool { state.withLock { $0.entries.contains { $0.key == key } } }

    /// The one that came last, which is ready for a picture within `limits`.
    func take(_ key: Key, within limits: ImageLimits) -> IdleWorker? {
        while let worker = remove(key) {
            if worker.connection.begin(within: limits) { return worker }
            worker.connection.dismiss()
        }
        return nil
    }

    func add(_ worker: IdleWorker, for key: Key, at now: ContinuousClock.Instant = .now) {
        let (surplus, mustWatch) = state.withLock { state in
            state.entries.append(Entry(key: key, worker: worker, since: now))
            let surplus = state.entries.count > maximumCount ? state.entries.removeFirst() : nil
            defer { state.isWatched = true }
            return (surplus, !state.isWatched)
        }
        surplus?.worker.connection.dismiss()
        if mustWatch { watch() }
    }

    func drop(_ key: Key) { _ = drop { $0.key == key } }

    func dropAll() { _ = drop { _ in true } }

    /// Ends those that have waited for long, and schedules itself for the rest.
    func dropIdle(at now: ContinuousClock.Instant) {
        if drop(where: { $0.since <= now - idleTime }) { watch() }
    }

    private func remove(_ key: Key) -> IdleWorker? {
        state.withLock { state in
            state.entries.lastIndex { $0.key == key }.map { state.entries.remove(at: $0).worker }
        }
    }

    /// Whether any is left.
    private func drop(where isDropped: (Entry) -> Bool) -> Bool {
        let (dropped, isAnyLeft) = state.withLock { state in
            let dropped = state.entries.filter(isDropped)
            state.entries.removeAll(where: isDropped)
            state.isWatched = !state.entries.isEmpty
            return (dropped, state.isWatched)
        }
        for entry in dropped { entry.worker.connection.dismiss() }
        return isAnyLeft
    }

    private func watch() {
        let milliseconds = Int(min(max(idleTime.seconds, 0.1), 1e6) * 1000)
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            self?.dropIdle(at: .now)
        }
    }
}
