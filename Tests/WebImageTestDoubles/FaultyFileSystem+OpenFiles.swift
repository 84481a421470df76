import FoundationEssentials
import WebImageCore
import WebImageTesting

extension FaultyFileSystem {
    package func openToRead(_ path: String) throws(FileSystemError) -> OpenFile {
        try begin(.read, path)
        return try base.openToRead(path)
    }

    package func openToChange(_ path: String) throws(FileSystemError) -> OpenFile {
        try begin(.create, path)
        return try base.openToChange(path)
    }

    package func write(_ bytes: Data, to file: OpenFile, at offset: Int) throws(FileSystemError) {
        try begin(.write, file.path)
        try base.write(bytes, to: file, at: offset)
    }

    package func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        try begin(.read, file.path)
        return try base.read(file, at: offset, count: count)
    }

    package func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
        try begin(.status, file.path)
        return try base.status(of: file)
    }

    package func lock(_ file: OpenFile) throws(FileSystemError) -> Bool {
        try begin(.lock, file.path)
        let isLocked = try base.lock(file)
        if isLocked { noteLock(of: file) }
        return isLocked
    }

    package func unlock(_ file: OpenFile) { base.unlock(file) }

    package func removeDirectory(_ path: String) throws(FileSystemError) {
        try begin(.remove, path)
        try base.removeDirectory(path)
    }

    package func forEachItem(
        of directory: String, _ body: (RawSpan, FileStatus) -> Void
    ) throws(FileSystemError) {
        try begin(.list, directory)
        try base.forEachItem(of: directory, body)
    }
}
