import Synchronization

/// Bytes that loads have given to be written and that are not written yet. A disk that hangs must not fill the memory with
/// files that nobody waits for.
final class WriteBacklog: Sendable {
    /// That of all managers together: as many bytes as half of what pictures in memory may take.
    static let shared = WriteBacklog(limit: MemoryCache.defaultCostLimit / 2)

    private let limit: Int
    private let waiting = Mutex(0)

    init(limit: Int) { self.limit = limit }

    /// Counts a file that is to be written, unless there would be too many bytes then.
    ///
    /// - Parameter isAwaited: Whether a caller waits for it, who cannot go on and add more.
    /// - Returns: Whether it is to be written; ``end(_:)`` is to be called then.
    func begin(_ byteCount: Int, isAwaited: Bool) -> Bool {
        waiting.withLock { waiting in
            guard isAwaited || waiting == 0 || waiting + byteCount <= limit else { return false }
            waiting += byteCount
            return true
        }
    }

    /// A file that was counted is written, or given up.
    func end(_ byteCount: Int) { waiting.withLock { $0 -= byteCount } }
}
