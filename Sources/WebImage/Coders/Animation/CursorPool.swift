import Dispatch
import Synchronization

/// The cursors of one animation. Each caller has one to himself, the one that is nearest; those who find none wait when
/// there are as many as memory allows. What nobody has asked for a while is let go, since pictures stay in caches long after
/// they were played.
final class CursorPool<Cursor: FrameCursor>: Sendable {
    private struct Idle {
        let cursor: Cursor
        let since: ContinuousClock.Instant
    }

    private struct State {
        /// The one that was used last comes last.
        var idle: [Idle] = []
        var isWatched = false
    }

    /// Bytes that all cursors of an animation may take together, where one alone does not take more.
    static var maximumByteCount: Int { 256 << 20 }
    /// Cursors at work at the same time.
    static var maximumCount: Int { 4 }
    /// Cursors that are kept for later: two views may play the same at different places.
    private static var keptCount: Int { 2 }
    /// Seconds for which they are kept: longer than nearly all frames are shown.
    private static var keptSeconds: Int { 5 }

    private let places: DispatchSemaphore
    private let keptCount: Int
    private let cursorByteCount: Int
    private let state = Mutex(State())
    private let made = Atomic(0)

    /// - Parameter cursorByteCount: What one cursor takes.
    init(cursorByteCount: Int) {
        let count = max(1, min(Self.maximumCount, Self.maximumByteCount / max(1, cursorByteCount)))
        places = DispatchSemaphore(value: count)
        keptCount = min(count, Self.keptCount)
        self.cursorByteCount = cursorByteCount
    }

    /// Bytes of the cursors that are kept for later.
    var heldByteCount: Int { idleCount * cursorByteCount }

    /// How many cursors were ever made.
    var madeCount: Int { made.load(ordering: .relaxed) }

    /// How many are kept for later.
    var idleCount: Int { state.withLock { $0.idle.count } }

    /// - Parameter keepsCursor: Whether the next frame is likely to be asked for soon.
    func bitmap(
        at index: Int, in frames: Cursor.Frames, options: ImageDecodeOptions, keepsCursor: Bool = true
    ) throws(WebImageError) -> Bitmap {
        // Whoever loses interest, or runs out of time, does not wait for the others.
        while places.wait(timeout: .now() + .milliseconds(50)) == .timedOut { try options.checkCancellation() }
        defer { places.signal() }
        let cursor = take(for: index, frames)
        defer { if keepsCursor { giveBack(cursor) } }
        return try cursor.bitmap(at: index, in: frames, options: options)
    }

    /// Lets go of what has not been used for a while, and comes again for the rest.
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
            // A place of its own is worth the memory where the way from any other is no shorter.
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
        let end = DispatchTime.now() + .seconds(Self.keptSeconds)
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: end) { [weak self] in self?.dropIdle(at: .now) }
    }
}
