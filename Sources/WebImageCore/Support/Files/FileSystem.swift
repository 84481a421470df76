import FoundationEssentials

/// The calls of a cache to the file system, so that tests can replace it with one that fails on demand.
///
/// Paths are absolute or relative to the working directory. No call follows a symbolic link in a path's last part. All
/// calls block; any thread.
package protocol FileSystem: Sendable {
    /// Reads a whole regular file, without changing its access time where possible.
    ///
    /// - Parameter limit: A larger file is an error (`EFBIG`), found before memory is allocated for it.
    func read(_ path: String, limit: Int) throws(FileSystemError) -> FileBytes
    /// Reads the first `count` bytes of a regular file, or all where it has fewer, in the same way.
    func readBeginning(of path: String, count: Int) throws(FileSystemError) -> FileBytes

    /// Creates a file without a name, which is removed when it is closed unless it was linked before. Some file systems
    /// lack this: `EOPNOTSUPP`.
    func createUnnamed(in directory: String) throws(FileSystemError) -> OpenFile
    /// Creates a file that must not exist yet.
    func create(_ path: String) throws(FileSystemError) -> OpenFile
    /// Appends all parts.
    func write(_ parts: [Data], to file: OpenFile) throws(FileSystemError)
    /// Gives an open file a name that must not exist yet.
    func link(_ file: OpenFile, to path: String) throws(FileSystemError)
    /// Closes an open file.
    func close(_ file: OpenFile)

    /// Renames a file, and replaces another one of the new name.
    func rename(_ path: String, to newPath: String) throws(FileSystemError)
    /// Removes a file or a symbolic link itself.
    func remove(_ path: String) throws(FileSystemError)
    /// Creates one directory with access for the user only.
    func makeDirectory(_ path: String) throws(FileSystemError)

    /// The status of the item at a path; of a symbolic link, the link itself.
    func status(of path: String) throws(FileSystemError) -> FileStatus
    /// The status of an open file.
    func status(of file: OpenFile) throws(FileSystemError) -> FileStatus

    /// Opens a regular file for reading parts of it.
    func openToRead(_ path: String) throws(FileSystemError) -> OpenFile
    /// Opens a regular file for reading and for changes in place. A missing file is created, with access for the user
    /// only. Anything else is an error: a directory (`EISDIR`), a symbolic link (`ELOOP`), a pipe or a device (`EINVAL`),
    /// a socket (`ENXIO`).
    func openToChange(_ path: String) throws(FileSystemError) -> OpenFile
    /// Reads up to `count` bytes from `offset` on; fewer where the file ends.
    func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8]
    /// Replaces bytes from `offset` on, in a file that was opened for changes.
    func write(_ bytes: Data, to file: OpenFile, at offset: Int) throws(FileSystemError)
    /// Locks a file that was opened for changes against all other openings of it, in this process and in others. The lock
    /// ends with the process, if ``unlock(_:)`` has not released it. Never waits.
    ///
    /// - Returns: False when another opening holds the lock.
    func lock(_ file: OpenFile) throws(FileSystemError) -> Bool
    /// Releases the lock of an open file. Closing the file may not: a child process that was just forked has the file open,
    /// too, until it runs its own program.
    func unlock(_ file: OpenFile)

    /// Removes an empty directory.
    func removeDirectory(_ path: String) throws(FileSystemError)
    /// Calls `body` with each entry of a directory but `.` and `..`, its name in the system's own bytes. Entries that
    /// are removed meanwhile are skipped.
    ///
    /// - Throws: Also where the status of an entry cannot be read, after all others.
    func forEachItem(
        of directory: String, _ body: (_ name: RawSpan, _ status: FileStatus) -> Void
    ) throws(FileSystemError)
    /// Calls `body` with the name of each entry of a directory but `.` and `..`, which are not looked at.
    func forEachName(of directory: String, _ body: (_ name: RawSpan) -> Void) throws(FileSystemError)
    /// All entries of a directory but `.` and `..`, in no order. Entries that are removed meanwhile are skipped. Throws
    /// as ``forEachItem(of:_:)``.
    func list(_ directory: String) throws(FileSystemError) -> [DirectoryItem]
    /// Sets the time of the last access, and keeps that of the last change.
    func setAccessTime(of path: String, to time: FileTime) throws(FileSystemError)
}

extension FileSystem {
    /// By ``forEachItem(of:_:)``.
    package func forEachName(of directory: String, _ body: (RawSpan) -> Void) throws(FileSystemError) {
        try forEachItem(of: directory) { name, _ in body(name) }
    }

    /// Appends all of `bytes`.
    package func write(_ bytes: Data, to file: OpenFile) throws(FileSystemError) { try write([bytes], to: file) }

    /// Removes a file or a symbolic link itself, or a directory with all its contents.
    package func removeItem(_ path: String) throws(FileSystemError) {
        do { try remove(path) } catch let error where error.meansDirectory {
            guard try status(of: path).kind == .directory else { throw error }
            try removeTree(path)
        }
    }

    /// Removes a directory with all its contents. Follows no symbolic link.
    package func removeTree(_ path: String) throws(FileSystemError) {
        for item in try list(path) {
            let child = "\(path)/\(item.name)"
            if item.status.kind == .directory { try removeTree(child) } else { try remove(child) }
        }
        try removeDirectory(path)
    }
}

/// An open file, by its descriptor.
package struct OpenFile: Sendable, Hashable {
    package let descriptor: Int32
    /// Its path, or its directory's when it has no name; for messages.
    package let path: String

    package init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }
}

/// The properties of a file in a file system.
package struct FileStatus: Sendable, Hashable {
    /// The kinds that the caches distinguish.
    package enum Kind: Sendable { case file, directory, other }

    package var kind: Kind
    /// Bytes.
    package var size: Int
    /// The number that identifies a file in its file system.
    package var inode: UInt64
    package var accessed: FileTime
    package var modified: FileTime
    /// When the file or one of its attributes was last changed.
    package var changed: FileTime
    /// The space that the file takes on disk, in bytes.
    package var allocatedSize: Int
    /// The number of its names; zero for an open file that was removed.
    package var linkCount: Int

    /// - Parameters:
    ///   - changed: nil for the time of the last write.
    ///   - allocatedSize: nil for whole blocks of 4,096 bytes.
    package init(
        kind: Kind, size: Int, inode: UInt64, accessed: FileTime, modified: FileTime, changed: FileTime? = nil,
        allocatedSize: Int? = nil, linkCount: Int = 1
    ) {
        self.kind = kind
        self.size = size
        self.inode = inode
        self.accessed = accessed
        self.modified = modified
        self.changed = changed ?? modified
        self.allocatedSize = allocatedSize ?? (max(0, size) + min(4095, .max - max(0, size))) / 4096 * 4096
        self.linkCount = linkCount
    }
}

/// One entry of a directory.
package struct DirectoryItem: Sendable, Hashable {
    package var name: String
    package var status: FileStatus

    package init(name: String, status: FileStatus) {
        self.name = name
        self.status = status
    }
}
