import FoundationEssentials
import Glibc
import WebImageCore

/// Ownership of a cache's directory: a lock on its file `owner`, which the system releases when the process ends,
/// however it ends. Held until the last reference is released.
final class OwnerLock: Sendable {
    private let files: IndexFiles
    private let file: OpenFile
    private let inode: UInt64
    /// The inode of the directory that is owned.
    let root: UInt64

    /// Never waits: the process that holds the lock may be stopped for any time.
    ///
    /// - Returns: nil where another process is the owner, or another cache of this process.
    static func take(_ files: IndexFiles) throws(FileSystemError) -> OwnerLock? {
        let file = try open(files)
        do throws(FileSystemError) {
            if try files.fileSystem.lock(file) { return try OwnerLock(files, file) }
            files.fileSystem.close(file)
            return nil
        } catch {
            files.fileSystem.close(file)
            throw error
        }
    }

    /// A link, a directory or a pipe in the place of the file would keep each process from being the owner: it is removed.
    private static func open(_ files: IndexFiles) throws(FileSystemError) -> OpenFile {
        let refusal: FileSystemError
        do throws(FileSystemError) {
            return try files.fileSystem.openToChange(files.ownerPath)
        } catch {
            refusal = error
        }
        guard [ELOOP, EINVAL, EISDIR, ENXIO].contains(refusal.code),
            (try? files.fileSystem.removeItem(files.ownerPath)) != nil
        else { throw refusal }
        return try files.fileSystem.openToChange(files.ownerPath)
    }

    private init(_ files: IndexFiles, _ file: OpenFile) throws(FileSystemError) {
        root = try files.fileSystem.status(of: files.root).inode
        inode = try files.fileSystem.status(of: file).inode
        (self.files, self.file) = (files, file)
    }

    deinit {
        files.fileSystem.unlock(file)
        files.fileSystem.close(file)
    }

    /// Whether the path still leads to the locked file. If the directory was removed or replaced, another process may
    /// own the new one.
    var isCurrent: Bool { (try? files.fileSystem.status(of: files.ownerPath))?.inode == inode }

    /// The current time by the clock of the file system, which may be another machine's: that of a write.
    func fileSystemTime() throws(FileSystemError) -> FileTime {
        // The text is for people who look for the owner. Its length is fixed, so that it replaces any former one.
        let number = String(getpid())
        let text = String(repeating: " ", count: max(0, 10 - number.count)) + number + "\n"
        try files.fileSystem.write(Data(text.utf8), to: file, at: 0)
        return try files.fileSystem.status(of: file).modified
    }
}
