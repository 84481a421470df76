import FoundationEssentials
import Glibc
import WebImageCore

/// A small file that several processes keep together. Each writes it as a whole, on top of what the others have written, and
/// a process that ends in the middle leaves the file as it was.
///
/// A device or a pipe is empty, and written directly. A file of anything else, and a symbolic link, which a rename would
/// replace, are refused.
struct SharedTextFile {
    let path: String
    private let contents: SharedFileContents
    private let fileSystem = POSIXFileSystem()

    /// More is neither read nor written.
    static let largestByteCount = 4 << 20

    init(path: String, contents: SharedFileContents) {
        self.path = path
        self.contents = contents
    }

    /// The text. A file that is not there is made, for the user alone.
    func read() throws(WebImageError) -> String { String(decoding: try readBytes(), as: UTF8.self) }

    /// The same, for contents of any encoding.
    func readBytes() throws(WebImageError) -> [UInt8] {
        try explained { () throws(FileSystemError) in
            guard let file = try openRegular() else { return [] }
            defer { fileSystem.close(file) }
            return try bytes(of: file)
        }
    }

    /// Replaces the text by what `change` makes of it. No change of another process gets lost, unless one that was stopped
    /// holds the lock.
    func update(_ change: (String) -> String) throws(WebImageError) {
        try updateBytes { Array(change(String(decoding: $0, as: UTF8.self)).utf8) }
    }

    /// The same, for contents of any encoding.
    func updateBytes(_ change: ([UInt8]) -> [UInt8]) throws(WebImageError) {
        try explained { () throws(FileSystemError) in
            guard let file = try openLocked() else { return try writeDirectly(Data(change([]))) }
            defer {
                fileSystem.unlock(file)
                fileSystem.close(file)
            }
            let new = change(try bytes(of: file))
            try fileSystem.writeAtomically([Data(new)], to: path, isThere: true)
        }
    }

    private func bytes(of file: OpenFile) throws(FileSystemError) -> [UInt8] {
        let byteCount = try fileSystem.status(of: file).size
        let bytes = try fileSystem.read(file, at: 0, count: min(byteCount, Self.largestByteCount))
        // Before the size: nobody shortens a film so that it has room for cookies.
        guard contents.isPlausible(bytes) else { throw FileSystemError(.read, path, code: EEXIST) }
        guard byteCount <= Self.largestByteCount else { throw FileSystemError(.read, path, code: EFBIG) }
        return bytes
    }

    /// nil for a device or a pipe.
    private func openRegular() throws(FileSystemError) -> OpenFile? {
        do {
            return try fileSystem.openToChange(path)
        } catch let error where error.code == EINVAL {
            return nil
        }
    }

    /// Others hold the lock for a fraction of a millisecond. One that was stopped meanwhile is waited for no longer than half
    /// a second.
    private func openLocked() throws(FileSystemError) -> OpenFile? {
        var attemptCount = 0
        while let file = try openRegular() {
            attemptCount += 1
            if attemptCount > 500 || isLocked(file) { return file }
            fileSystem.close(file)
            usleep(1000)
        }
        return nil
    }

    /// Locks the file, if it still is the one that has the name. Some file systems have no locks.
    private func isLocked(_ file: OpenFile) -> Bool {
        guard (try? fileSystem.lock(file)) ?? true else { return false }
        return (try? fileSystem.status(of: file).inode == fileSystem.status(of: path).inode) ?? false
    }

    /// Does not wait for a reader of a pipe.
    private func writeDirectly(_ data: Data) throws(FileSystemError) {
        let descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileSystemError(.write, path, code: errno) }
        let file = OpenFile(descriptor: descriptor, path: path)
        defer { fileSystem.close(file) }
        try fileSystem.write(data, to: file)
    }

    private func explained<Value>(_ work: () throws(FileSystemError) -> Value) throws(WebImageError) -> Value {
        do throws(FileSystemError) {
            return try work()
        } catch {
            if error.code == EEXIST { throw .foreign(path, to: contents) }
            throw .unkept(contents, in: path, because: reason(of: error), underlying: error)
        }
    }

    private func reason(of error: FileSystemError) -> String {
        // The kernel's words are of too many links, also for one that is not followed.
        let isLink = error.code == ELOOP && (try? fileSystem.status(of: path)) != nil
        return isLink ? "it is a symbolic link; name the file that it leads to" : String(systemError: error.code)
    }
}
