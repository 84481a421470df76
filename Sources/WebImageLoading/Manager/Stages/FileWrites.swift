import Synchronization
import WebImageCache
import WebImageCore

/// The files that loads are writing, from the request to the end in the cache. A program that ends waits for them.
///
/// Encoders end in any order, and an older picture must not replace a newer one: of each file the latest request counts. A
/// disk that hangs must not fill the memory with files without a waiting caller: only so many bytes may wait.
final class FileWrites: Sendable {
    /// Those of all managers together: limited to half of the default limit of pictures in memory.
    static let shared = FileWrites(limit: MemoryCache.defaultCostLimit / 2)

    private struct State {
        var latest: [StoredName: Int] = [:]
        var lastNumber = 0
        var byteCount = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// Begins a write, unless that would pass the limit.
    ///
    /// - Parameter isAwaited: Whether a caller waits for the write, and so cannot add more.
    /// - Returns: Its number, with which it must end; nil for a file that is not to be written.
    func begin(_ name: StoredName, byteCount: Int, isAwaited: Bool) -> Int? {
        let number: Int? = state.withLock { state in
            guard isAwaited || state.byteCount == 0 || state.byteCount + byteCount <= limit else { return nil }
            state.byteCount += byteCount
            state.lastNumber += 1
            state.latest[name] = state.lastNumber
            return state.lastNumber
        }
        if number != nil { UnfinishedWrites.shared.begin() }
        return number
    }

    /// Whether no other write of the file was requested since.
    func isLatest(_ number: Int, of name: StoredName) -> Bool { state.withLock { $0.latest[name] == number } }

    /// The file is written, or was given up.
    func end(_ number: Int, of name: StoredName, byteCount: Int) {
        state.withLock { state in
            state.byteCount -= byteCount
            if state.latest[name] == number { state.latest[name] = nil }
        }
        UnfinishedWrites.shared.end()
    }
}
