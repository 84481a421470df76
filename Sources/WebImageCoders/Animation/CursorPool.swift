import Dispatch
import Synchronization
import WebImageCore

/// The cursors of one animation. Each caller gets the free cursor nearest to its frame; when memory allows no more
/// cursors, the caller waits for one. Unused cursors are dropped after some seconds, because pictures stay in caches
/// long after they were played.
final class CursorPool<Cursor: FrameCursor>: Sendable {
    private struct Idle {
        let cursor: Cursor
        let since: ContinuousClock.Instant
    }

    private struct State {
        /// The last used one is last.
        var idle: [Idle] = []
        var isWatched = false
    }

    /// The maximum memory of all cursors of an animation, unless a single one needs more.
    static var maximumByteCount: Int { 256 << 20 }
    /// The maximum number of cursors in use at the same time.
    static var maximumCount: Int { 4 }
    /// The number of cursors kept for later: two views may play the same animation at different positions.
    private static var keptCount: Int { 2 }
    /// The number of seconds for which they are kept: longer than nearly every frame's duration.
    private static var keptSeconds: Int { 5 }

    private let places: DispatchSemaphore
    private let keptCount: Int
    private let cursorByteCount: Int
    private let state = Mutex(State())
    private let made = Atomic(0)

    /// - Parameter cursorByteCount: The memory of one cursor.
    init(cursorByteCount: Int) {
        let count = max(1, min(Self.maximumCount, Self.maximumByteCount / max(1, cursorByteCount)))
        places = DispatchSemaphore(value: count)
        keptCount = min(count, Self.keptCount)
        self.cursorByteCount = cursorByteCount
    }

    /// The memory of the cursors kept for later.
    var heldByteCount: Int { idleCount * cursorByteCount }

    /// The number of cursors ever created.
    var madeCount: Int { made.load(ordering: .relaxed) }

    /// The number of cursors kept for later.
    var idleCount: Int { state.withLock { $0.idle.count } }

    /// - Parameter keepsCursor: Whether the next frame is likely to be requested soon.
    func bitmap(
        at index: Int, in frames: Cursor.Frames, options: ImageDecodeOptions, keepsCursor: Bool = true
    ) throws(WebImageError) -> Bitmap {
        // A caller that is cancelled, or out of time, stops waiting.
        while places.wait(timeout: .now() + .milliseconds(50)) == .timedOut { try options.checkCancellation() }
        defer { places.signal() }
        let cursor = take(for: index, frames)
        defer { if keepsCursor { giveBack(cursor) } }
        return try cursor.bitmap(at: index, in: frames, options: options)
    }

    /// Drops cursors that were not used for a while, and schedules itself for the rest.
    func dropIdle(at now: ContinuousClock.Instant) {
        let isAnyLeft = state.withLock { state in
            state.idle.removeAll { $0.since <= now - .seconds(Self.keptSeconds) }
            state.isWatched = !state.idle.isEmpty
            return state.isWatched
        }
        if isAnyLeft { watch() }
    }

    private func take(for index: Int, _ frames: Cursor.Frames) -> Cursor {
        let cursor = state.withLock { state -> Cursor? in
            let fresh = Cursor().cost(of: index, in: frames)
            let costs = state.idle.map { $0.cursor.cost(of: index, in: frames) }
            guard let least = costs.min(), let place = costs.firstIndex(of: least) else { return nil }
            // Another cursor is worth its memory where no existing one is nearer than the key frame.
            if least >= fresh, fresh > 1, state.idle.count < keptCount { return nil }
            return state.idle.remove(at: place).cursor
        }
        if let cursor { return cursor }
        made.add(1, ordering: .relaxed)
        return Cursor()
    }

    private func giveBack(_ cursor: Cursor) {
        let mustWatch = state.withLock { state in
            state.idle.append(Idle(cursor: cursor, since: .now))
            if state.idle.count > keptCount { state.idle.removeFirst() }
            defer { state.isWatched = true }
            return !state.isWatched
        }
        if mustWatch { watch() }
    }

    private func watch() {
        // There are no timers; the process ends with its animation.
        guard !IsolatedProcess.isCurrent else { return }
        let end = DispatchTime.now() + .seconds(Self.keptSeconds)
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: end) { [weak self] in self?.dropIdle(at: .now) }
    }
}
