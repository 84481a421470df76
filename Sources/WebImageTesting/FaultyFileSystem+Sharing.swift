import FoundationEssentials
import WebImage

extension FaultyFileSystem {
    package func openToAppend(_ path: String) throws(FileSystemError) -> OpenFile {
        try begin(.create, path)
        return try base.openToAppend(path)
    }

    package func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        try begin(.read, file.path)
        return try base.read(file, at: offset, count: count)
    }

    package func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
        try begin(.status, file.path)
        return try base.status(of: file)
    }

    package func lock(_ file: OpenFile, _ lock: FileLock, waits: Bool) throws(FileSystemError) -> Bool {
        try begin(.lock, file.path)
        return try base.lock(file, lock, waits: waits)
    }

    package func map(_ file: OpenFile) throws(FileSystemError) -> SharedPage {
        try begin(.map, file.path)
        return try base.map(file)
    }

    package func forEachItem(
        of directory: String, _ body: (RawSpan, FileStatus) -> Void
    ) throws(FileSystemError) {
        try begin(.list, directory)
        try base.forEachItem(of: directory, body)
    }
}
