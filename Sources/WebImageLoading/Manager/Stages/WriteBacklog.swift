import Synchronization
import WebImageCache

/// The bytes of files that loads have queued for writing. A disk that hangs must not fill the memory with files without
/// a waiting caller.
final class WriteBacklog: Sendable {
    /// The backlog of all managers together: limited to half of the default limit of pictures in memory.
    static let shared = WriteBacklog(limit: MemoryCache.defaultCostLimit / 2)

    private let limit: Int
    private let waiting = Mutex(0)

    init(limit: Int) { self.limit = limit }

    /// Counts a file that is to be written, unless that would pass the limit.
    ///
    /// - Parameter isAwaited: Whether a caller waits for the write, and so cannot add more.
    /// - Returns: Whether to write it; then ``end(_:)`` must follow.
    func begin(_ byteCount: Int, isAwaited: Bool) -> Bool {
        waiting.withLock { waiting in
            guard isAwaited || waiting == 0 || waiting + byteCount <= limit else { return false }
            waiting += byteCount
            return true
        }
    }

    /// A counted file is written, or given up.
    func end(_ byteCount: Int) { waiting.withLock { $0 -= byteCount } }
}
