import FoundationEssentials

/// The few things that a cache asks of a file system, so that tests can put one in its place that fails on demand.
///
/// Paths are absolute or relative to the working directory. No call follows a symbolic link in a path's last part. All
/// calls block; any thread.
package protocol FileSystem: Sendable {
    /// Reads a regular file as a whole, and leaves its access time where it can.
    ///
    /// - Parameter limit: A larger file is an error (`EFBIG`), found before memory is taken for it.
    func read(_ path: String, limit: Int) throws(FileSystemError) -> FileBytes
    /// Reads the first `count` bytes of a regular file, or all where it has fewer, in the same way.
    func readBeginning(of path: String, count: Int) throws(FileSystemError) -> FileBytes

    /// Makes a file without a name, which is gone when it is closed unless it was linked before. Not every file system
    /// can: `EOPNOTSUPP`.
    func createUnnamed(in directory: String) throws(FileSystemError) -> OpenFile
    /// Makes a file that must not exist yet.
    func create(_ path: String) throws(FileSystemError) -> OpenFile
    /// Appends all of each of the parts.
    func write(_ parts: [Data], to file: OpenFile) throws(FileSystemError)
    /// Gives an open file a name that must not exist yet.
    func link(_ file: OpenFile, to path: String) throws(FileSystemError)
    /// Lets go of an open file.
    func close(_ file: OpenFile)

    /// Renames a file, in place of another one if there is one.
    func rename(_ path: String, to newPath: String) throws(FileSystemError)
    /// Removes a file or a symbolic link itself.
    func remove(_ path: String) throws(FileSystemError)
    /// Makes one directory that nobody but the user may enter.
    func makeDirectory(_ path: String) throws(FileSystemError)

    /// What stands at a path; of a symbolic link, the link itself.
    func status(of path: String) throws(FileSystemError) -> FileStatus
    /// What is known of an open file.
    func status(of file: OpenFile) throws(FileSystemError) -> FileStatus

    /// Opens a file for reading some of it.
    func openToRead(_ path: String) throws(FileSystemError) -> OpenFile
    /// Opens a file for reading and changing it in place, and makes it for the user alone when it is not there.
    func openToChange(_ path: String) throws(FileSystemError) -> OpenFile
    /// Reads up to `count` bytes from `offset` on; fewer where the file ends.
    func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8]
    /// Puts bytes in the place of those from `offset` on, in a file that was opened to be changed.
    func write(_ bytes: Data, to file: OpenFile, at offset: Int) throws(FileSystemError)
    /// Locks an open file against all other openings, until it is closed; the end of the process closes it as well. Never
    /// waits.
    ///
    /// - Returns: False when another opening has it locked.
    func lock(_ file: OpenFile) throws(FileSystemError) -> Bool

    /// Removes an empty directory.
    func removeDirectory(_ path: String) throws(FileSystemError)
    /// Calls `body` with each entry of a directory but `.` and `..`, its name in the system's own bytes. What vanishes
    /// meanwhile is left out.
    func forEachItem(
        of directory: String, _ body: (_ name: RawSpan, _ status: FileStatus) -> Void
    ) throws(FileSystemError)
    /// Everything in a directory but `.` and `..`, in no order. What vanishes meanwhile is left out.
    func list(_ directory: String) throws(FileSystemError) -> [DirectoryItem]
    /// Sets the time of the last access, and leaves that of the last change.
    func setAccessTime(of path: String, to time: FileTime) throws(FileSystemError)
}

extension FileSystem {
    /// Appends all of `bytes`.
    package func write(_ bytes: Data, to file: OpenFile) throws(FileSystemError) { try write([bytes], to: file) }

    /// Removes a directory with all that is in it. Follows no symbolic link.
    package func removeTree(_ path: String) throws(FileSystemError) {
        for item in try list(path) {
            let child = "\(path)/\(item.name)"
            if item.status.kind == .directory { try removeTree(child) } else { try remove(child) }
        }
        try removeDirectory(path)
    }
}

/// A file that is open for writing, by its descriptor.
package struct OpenFile: Sendable, Hashable {
    package let descriptor: Int32
    /// Where it stands, or the directory that it was made in when it has no name; for messages.
    package let path: String

    package init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }
}

/// What a file system knows of a file.
package struct FileStatus: Sendable, Hashable {
    /// The kinds that matter here.
    package enum Kind: Sendable { case file, directory, other }

    package var kind: Kind
    /// Bytes.
    package var size: Int
    /// The number that tells two files of one file system apart.
    package var inode: UInt64
    package var accessed: FileTime
    package var modified: FileTime
    /// When the file or one of its attributes was last changed.
    package var changed: FileTime
    /// Bytes that the file takes on disk.
    package var allocatedSize: Int
    /// How many names it has; none when it was removed while it is open.
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

/// One line of a directory.
package struct DirectoryItem: Sendable, Hashable {
    package var name: String
    package var status: FileStatus

    package init(name: String, status: FileStatus) {
        self.name = name
        self.status = status
    }
}
