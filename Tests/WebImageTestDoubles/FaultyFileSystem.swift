import FoundationEssentials
import Glibc
import Synchronization
import WebImageCore
import WebImageTesting

/// A real file system whose calls fail on demand, or stop for good as if the process had been killed.
///
/// Every call is counted and recorded before it is made, so that a test can count the calls of a run and then fail each
/// of them in turn.
package final class FaultyFileSystem: FileSystem {
    package typealias Operation = FileSystemError.Operation

    private struct State {
        var calls: [(operation: Operation, path: String)] = []
        var failures: [Operation: Int32] = [:]
        var pathFailures: [(part: String, operations: Set<Operation>, code: Int32)] = []
        var killedAt: Int?
        var bytesLeft: Int?
        var hasUnnamedFiles = true
        var gate: (@Sendable (Operation, String) -> Void)?
        /// Files that were locked at any time.
        var locked: Set<OpenFile> = []

        /// The locked files, if the process dies at this call.
        mutating func takeLocked(ifDead isDead: Bool) -> Set<OpenFile> {
            guard isDead else { return [] }
            defer { locked = [] }
            return locked
        }
    }

    let base: any FileSystem
    private let state = Mutex(State())

    package init(_ base: any FileSystem = POSIXFileSystem()) { self.base = base }

    // MARK: What goes wrong

    /// Makes every call of a kind fail with an `errno`; nil lets it succeed again.
    package func fail(_ operation: Operation, with code: Int32?) {
        state.withLock { $0.failures[operation] = code }
    }

    /// Makes every call of some kinds whose path contains `part` fail with an `errno`.
    package func fail(_ operations: Set<Operation>, wherePathHas part: String, with code: Int32) {
        state.withLock { $0.pathFailures.append((part, operations, code)) }
    }

    /// Undoes ``fail(_:wherePathHas:with:)``.
    package func allowAllPaths() { state.withLock { $0.pathFailures = [] } }

    /// Makes the disk full after this number of bytes: a write that does not fit is partial, and fails.
    package func limitSpace(to bytes: Int?) { state.withLock { $0.bytesLeft = bytes } }

    /// Makes the `count`th call from now on, and all later ones, fail without effect, as if the process had been killed
    /// there. A killed write is half done, and all locks are released, even while threads still hold the files open.
    package func kill(atCall count: Int) { state.withLock { $0.killedAt = $0.calls.count + count } }

    /// Makes unnamed files (`O_TMPFILE`) unsupported.
    package func refuseUnnamedFiles() { state.withLock { $0.hasUnnamedFiles = false } }

    /// Calls `gate` before each call, on the calling thread; it may block.
    package func setGate(_ gate: (@Sendable (Operation, String) -> Void)?) { state.withLock { $0.gate = gate } }

    // MARK: What was asked

    /// All calls so far except `close`, which cannot fail.
    package var calls: [(operation: Operation, path: String)] { state.withLock { $0.calls } }

    /// The number of calls of a kind.
    package func count(of operation: Operation) -> Int { calls.count { $0.operation == operation } }

    // MARK: FileSystem

    package func read(_ path: String, limit: Int) throws(FileSystemError) -> FileBytes {
        try begin(.read, path)
        return try base.read(path, limit: limit)
    }

    package func readBeginning(of path: String, count: Int) throws(FileSystemError) -> FileBytes {
        try begin(.read, path)
        return try base.readBeginning(of: path, count: count)
    }

    package func createUnnamed(in directory: String) throws(FileSystemError) -> OpenFile {
        try begin(.create, directory)
        guard state.withLock({ $0.hasUnnamedFiles }) else {
            throw FileSystemError(.create, directory, code: EOPNOTSUPP)
        }
        return try base.createUnnamed(in: directory)
    }

    package func create(_ path: String) throws(FileSystemError) -> OpenFile {
        try begin(.create, path)
        return try base.create(path)
    }

    package func write(_ parts: [Data], to file: OpenFile) throws(FileSystemError) {
        let count = parts.reduce(0) { $0 + $1.count }
        do {
            try begin(.write, file.path)
        } catch {
            if isDyingNow { try write(count / 2, of: parts, to: file) }
            throw error
        }
        let space = state.withLock { state -> Int in
            let space = min(count, state.bytesLeft ?? count)
            state.bytesLeft? -= space
            return space
        }
        try write(space, of: parts, to: file)
        if space < count { throw FileSystemError(.write, file.path, code: ENOSPC) }
    }

    private func write(_ count: Int, of parts: [Data], to file: OpenFile) throws(FileSystemError) {
        var rest = count
        for part in parts {
            try base.write([part.prefix(rest)], to: file)
            rest -= min(rest, part.count)
        }
    }

    package func link(_ file: OpenFile, to path: String) throws(FileSystemError) {
        try begin(.link, path)
        try base.link(file, to: path)
    }

    /// Never fails: a killed process's files are closed as well.
    package func close(_ file: OpenFile) {
        _ = state.withLock { $0.locked.remove(file) }
        base.close(file)
    }

    func noteLock(of file: OpenFile) { _ = state.withLock { $0.locked.insert(file) } }

    package func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        try begin(.rename, newPath)
        try base.rename(path, to: newPath)
    }

    package func remove(_ path: String) throws(FileSystemError) {
        try begin(.remove, path)
        try base.remove(path)
    }

    package func makeDirectory(_ path: String) throws(FileSystemError) {
        try begin(.makeDirectory, path)
        try base.makeDirectory(path)
    }

    package func status(of path: String) throws(FileSystemError) -> FileStatus {
        try begin(.status, path)
        return try base.status(of: path)
    }

    package func list(_ directory: String) throws(FileSystemError) -> [DirectoryItem] {
        try begin(.list, directory)
        return try base.list(directory)
    }

    package func setAccessTime(of path: String, to time: FileTime) throws(FileSystemError) {
        try begin(.setTimes, path)
        try base.setAccessTime(of: path, to: time)
    }

    func begin(_ operation: Operation, _ path: String) throws(FileSystemError) {
        let (code, gate) = state.withLock { state in
            state.calls.append((operation, path))
            let isDead = state.killedAt.map { state.calls.count >= $0 } ?? false
            let byPath = state.pathFailures.first { $0.operations.contains(operation) && path.contains($0.part) }
            let code = isDead ? EIO : byPath?.code ?? state.failures[operation]
            // Within the lock: the number of a file that is closed may be another one's at once.
            for file in state.takeLocked(ifDead: isDead) { POSIXFileSystem().unlock(file) }
            return (code, state.gate)
        }
        gate?(operation, path)
        if let code { throw FileSystemError(operation, path, code: code) }
    }

    /// Whether the call that ``kill(atCall:)`` has set was reached.
    package var isDead: Bool { state.withLock { state in state.killedAt.map { state.calls.count >= $0 } ?? false } }

    private var isDyingNow: Bool { state.withLock { $0.killedAt == $0.calls.count } }
}
