import FoundationEssentials
import WebImage

extension FaultyFileSystem {
    package func openToAppend(_ path: String) throws(FileSystemError) -> OpenFile {
        try begin(.create, path)
        return try base.openToAppend(path)
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

    package func lock(_ file: OpenFile, bytes: Range<Int>, as kind: FileLock) throws(FileSystemError) -> Bool {
        try begin(.lock, file.path)
        let isLocked = try base.lock(file, bytes: bytes, as: kind)
        if isLocked { noteLock(of: file) }
        return isLocked
    }

    package func unlock(_ file: OpenFile, bytes: Range<Int>) throws(FileSystemError) {
        // A dead process has lost its locks, and an unlock is done even if its call fails.
        defer { try? base.unlock(file, bytes: bytes) }
        try begin(.lock, file.path)
    }

    package func forEachItem(
        of directory: String, _ body: (RawSpan, FileStatus) -> Void
    ) throws(FileSystemError) {
        try begin(.list, directory)
        try base.forEachItem(of: directory, body)
    }
}
