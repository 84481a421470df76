import Dispatch
import Synchronization

/// The cursors of one animation. Each caller has one to himself, the one that is nearest; those who find none wait when
/// there are as many as memory allows.
final class CursorPool<Cursor: FrameCursor>: Sendable {
    /// Bytes that all cursors of an animation may take together, where one alone does not take more.
    static var maximumByteCount: Int { 256 << 20 }
    /// Cursors at work at the same time.
    static var maximumCount: Int { 4 }
    /// Cursors that are kept for later: two views may play the same at different places.
    private static var keptCount: Int { 2 }

    private let places: DispatchSemaphore
    private let keptCount: Int
    private let cursorByteCount: Int
    /// The one that was used last comes last.
    private let idle = Mutex<[Cursor]>([])
    private let made = Atomic(0)

    /// - Parameter cursorByteCount: What one cursor takes.
    init(cursorByteCount: Int) {
        let count = max(1, min(Self.maximumCount, Self.maximumByteCount / max(1, cursorByteCount)))
        places = DispatchSemaphore(value: count)
        keptCount = min(count, Self.keptCount)
        self.cursorByteCount = cursorByteCount
    }

    /// Bytes of the cursors that are kept for later; the first frame alone takes one.
    var heldByteCount: Int { max(1, idle.withLock { $0.count }) * cursorByteCount }

    /// How many cursors were ever made.
    var madeCount: Int { made.load(ordering: .relaxed) }

    func bitmap(
        at index: Int, in frames: Cursor.Frames, options: ImageDecodeOptions
    ) throws(WebImageError) -> Bitmap {
        places.wait()
        defer { places.signal() }
        let cursor = take(for: index, frames)
        defer { giveBack(cursor) }
        return try cursor.bitmap(at: index, in: frames, options: options)
    }

    private func take(for index: Int, _ frames: Cursor.Frames) -> Cursor {
        let cursor = idle.withLock { idle -> Cursor? in
            let fresh = Cursor().cost(of: index, in: frames)
            let costs = idle.map { $0.cost(of: index, in: frames) }
            guard let least = costs.min(), let place = costs.firstIndex(of: least) else { return nil }
            // A place of its own is worth the memory where the way from any other is no shorter.
            if least >= fresh, fresh > 1, idle.count < keptCount { return nil }
            return idle.remove(at: place)
        }
        if let cursor { return cursor }
        made.add(1, ordering: .relaxed)
        return Cursor()
    }

    private func giveBack(_ cursor: Cursor) {
        idle.withLock { idle in
            idle.append(cursor)
            if idle.count > keptCount { idle.removeFirst() }
        }
    }
}
