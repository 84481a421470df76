import FoundationEssentials
import Glibc

/// A small file that several processes keep together. Each writes it as a whole, on top of what the others have written.
struct SharedTextFile {
    let path: String
    private let fileSystem = POSIXFileSystem()

    /// More is not read.
    private static let largestByteCount = 4 << 20

    init(path: String) { self.path = path }

    /// The text. A file that is not there is made, for the user alone.
    func read() throws(FileSystemError) -> String {
        let file = try fileSystem.openToChange(path)
        defer { fileSystem.close(file) }
        return try text(of: file)
    }

    /// Replaces the text by what `change` makes of it. No change of another process gets lost, unless one that was stopped
    /// holds the lock.
    func update(_ change: (String) -> String) throws(FileSystemError) {
        let file = try openLocked()
        defer {
            fileSystem.unlock(file)
            fileSystem.close(file)
        }
        let text = change(try text(of: file))
        try fileSystem.writeAtomically([Data(text.utf8)], to: path, isThere: true)
    }

    private func text(of file: OpenFile) throws(FileSystemError) -> String {
        let byteCount = try fileSystem.status(of: file).size
        guard byteCount <= Self.largestByteCount else { throw FileSystemError(.read, path, code: EFBIG) }
        return String(decoding: try fileSystem.read(file, at: 0, count: byteCount), as: UTF8.self)
    }

    /// Others hold the lock for a fraction of a millisecond. One that was stopped meanwhile is waited for no longer than half
    /// a second.
    private func openLocked() throws(FileSystemError) -> OpenFile {
        var attemptCount = 0
        while true {
            let file = try fileSystem.openToChange(path)
            attemptCount += 1
            if attemptCount > 500 || isLocked(file) { return file }
            fileSystem.close(file)
            usleep(1000)
        }
    }

    /// Locks the file, if it still is the one that has the name. Some file systems have no locks.
    private func isLocked(_ file: OpenFile) -> Bool {
        guard (try? fileSystem.lock(file)) ?? true else { return false }
        return (try? fileSystem.status(of: file).inode == fileSystem.status(of: path).inode) ?? false
    }
}
