import FoundationEssentials

/// Who else may have bytes of a file locked.
package enum FileLock: Sendable {
    /// Nobody.
    case exclusive
    /// All who do not want them for themselves.
    case shared
}

/// What processes that share a directory ask of a file system beyond whole files. All calls may block; any thread.
package protocol SharedFileSystem: Sendable {
    /// Opens a file for reading and appending, and makes it for the user alone when it is not there.
    func openToAppend(_ path: String) throws(FileSystemError) -> OpenFile
    /// Opens a file for reading and changing it in place, and makes it for the user alone when it is not there.
    func openToChange(_ path: String) throws(FileSystemError) -> OpenFile
    /// Puts bytes in the place of those from `offset` on, in a file that was opened to be changed.
    func write(_ bytes: Data, to file: OpenFile, at offset: Int) throws(FileSystemError)
    /// Reads up to `count` bytes from `offset` on; fewer where the file ends.
    func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8]
    /// What is known of an open file.
    func status(of file: OpenFile) throws(FileSystemError) -> FileStatus
    /// Locks some bytes of an open file, whether they are there or not, until it is closed; the end of the process closes it
    /// as well. A lock of another kind that this opening has on them becomes this one.
    ///
    /// Never waits: who holds them may be stopped for good.
    ///
    /// - Returns: False when others have locked any of them, unless both share them; what was locked before stays so.
    func lock(_ file: OpenFile, bytes: Range<Int>, as kind: FileLock) throws(FileSystemError) -> Bool
    /// Gives a lock on some bytes up.
    func unlock(_ file: OpenFile, bytes: Range<Int>) throws(FileSystemError)
    /// Calls `body` with each entry of a directory but `.` and `..`, its name in the system's own bytes. What vanishes
    /// meanwhile is left out.
    func forEachItem(
        of directory: String, _ body: (_ name: RawSpan, _ status: FileStatus) -> Void
    ) throws(FileSystemError)
}
