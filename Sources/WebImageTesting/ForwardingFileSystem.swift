import FoundationEssentials
import WebImageCore

/// A file system that forwards to the system all that it does not define itself.
package protocol ForwardingFileSystem: FileSystem {
    var base: POSIXFileSystem { get }
}

extension ForwardingFileSystem {
    package func link(_ file: OpenFile, to path: String) throws(FileSystemError) { try base.link(file, to: path) }
    package func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        try base.rename(path, to: newPath)
    }
    package func read(_ path: String, limit: Int) throws(FileSystemError) -> FileBytes {
        try base.read(path, limit: limit)
    }
    package func readBeginning(of path: String, count: Int) throws(FileSystemError) -> FileBytes {
        try base.readBeginning(of: path, count: count)
    }
    package func createUnnamed(in directory: String) throws(FileSystemError) -> OpenFile {
        try base.createUnnamed(in: directory)
    }
    package func create(_ path: String) throws(FileSystemError) -> OpenFile { try base.create(path) }
    package func write(_ parts: [Data], to file: OpenFile) throws(FileSystemError) { try base.write(parts, to: file) }
    package func close(_ file: OpenFile) { base.close(file) }
    package func remove(_ path: String) throws(FileSystemError) { try base.remove(path) }
    package func makeDirectory(_ path: String) throws(FileSystemError) { try base.makeDirectory(path) }
    package func status(of path: String) throws(FileSystemError) -> FileStatus { try base.status(of: path) }
    package func list(_ directory: String) throws(FileSystemError) -> [DirectoryItem] { try base.list(directory) }
    package func setAccessTime(of path: String, to time: FileTime) throws(FileSystemError) {
        try base.setAccessTime(of: path, to: time)
    }

    package func openToRead(_ path: String) throws(FileSystemError) -> OpenFile { try base.openToRead(path) }
    package func openToChange(_ path: String) throws(FileSystemError) -> OpenFile { try base.openToChange(path) }
    package func write(_ bytes: Data, to file: OpenFile, at offset: Int) throws(FileSystemError) {
        try base.write(bytes, to: file, at: offset)
    }
    package func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        try base.read(file, at: offset, count: count)
    }
    package func status(of file: OpenFile) throws(FileSystemError) -> FileStatus { try base.status(of: file) }
    package func lock(_ file: OpenFile) throws(FileSystemError) -> Bool { try base.lock(file) }
    package func unlock(_ file: OpenFile) { base.unlock(file) }
    package func removeDirectory(_ path: String) throws(FileSystemError) { try base.removeDirectory(path) }
    package func forEachItem(
        of directory: String, _ body: (_ name: RawSpan, _ status: FileStatus) -> Void
    ) throws(FileSystemError) {
        try base.forEachItem(of: directory, body)
    }
}
