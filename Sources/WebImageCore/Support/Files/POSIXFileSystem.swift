import CLinux
import FoundationEssentials
import Glibc

/// The system's own files. Calls that a signal interrupts are made again; every descriptor closes in child processes.
package struct POSIXFileSystem: FileSystem {
    package init() {}

    package func read(_ path: String, limit: Int) throws(FileSystemError) -> FileBytes {
        try read(path) { size throws(FileSystemError) in
            guard size <= limit else { throw FileSystemError(.read, path, code: EFBIG) }
            return size
        }
    }

    package func readBeginning(of path: String, count: Int) throws(FileSystemError) -> FileBytes {
        try read(path) { min($0, count) }
    }

    /// The cache sets access times itself; reading a file must not change them.
    private func openForReading(_ path: String) throws(FileSystemError) -> Int32 {
        // O_NONBLOCK: a pipe in place of a file must not block the reader.
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        do {
            return try retrying(.read, path) {
                path.withCString { open($0, flags | webimage_open_without_access_time) }
            }
        } catch let error where error.code == EPERM {
            // The file belongs to another user.
            return try retrying(.read, path) { path.withCString { open($0, flags) } }
        }
    }

    private func read(
        _ path: String, count: (_ fileSize: Int) throws(FileSystemError) -> Int
    ) throws(FileSystemError) -> FileBytes {
        let descriptor = try openForReading(path)
        defer { _ = Glibc.close(descriptor) }
        var information = stat()
        try retrying(.read, path) { fstat(descriptor, &information) }
        let status = FileStatus(information)
        guard status.kind == .file else { throw FileSystemError(.read, path, code: EINVAL) }
        let bytes = try FileBytes(status: status, capacity: try count(status.size)) { buffer throws(FileSystemError) in
            try fill(buffer, from: descriptor, path)
        }
        guard let bytes else { throw FileSystemError(.read, path, code: ENOMEM) }
        return bytes
    }

    package func createUnnamed(in directory: String) throws(FileSystemError) -> OpenFile {
        let flags = O_WRONLY | O_CLOEXEC | webimage_open_unnamed
        return OpenFile(
            descriptor: try retrying(.create, directory) { directory.withCString { open($0, flags, 0o600) } },
            path: directory)
    }

    package func create(_ path: String) throws(FileSystemError) -> OpenFile {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        return OpenFile(descriptor: try retrying(.create, path) { open(path, flags, 0o600) }, path: path)
    }

    /// Two parts at a time: an entry has a header and a body.
    package func write(_ parts: [Data], to file: OpenFile) throws(FileSystemError) {
        for index in stride(from: 0, to: parts.count, by: 2) {
            try write(parts[index], index + 1 < parts.count ? parts[index + 1] : Data(), to: file)
        }
    }

    private func write(_ first: Data, _ second: Data, to file: OpenFile) throws(FileSystemError) {
        var offset = 0
        while offset < first.count + second.count {
            offset += try retrying(.write, file.path) {
                first.withUnsafeBytes { first in
                    second.withUnsafeBytes { second in
                        Self.write(first, second, from: offset, to: file.descriptor)
                    }
                }
            }
        }
    }

    /// One call, which nearly always writes all of both parts.
    private static func write(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, from offset: Int, to descriptor: Int32
    ) -> Int {
        let parts = (part(of: first, from: offset), part(of: second, from: max(0, offset - first.count)))
        return withUnsafeBytes(of: parts) { writev(descriptor, $0.bindMemory(to: iovec.self).baseAddress, 2) }
    }

    private static func part(of bytes: UnsafeRawBufferPointer, from offset: Int) -> iovec {
        let rest = bytes.dropFirst(offset)
        return iovec(
            iov_base: UnsafeMutableRawPointer(mutating: UnsafeRawBufferPointer(rebasing: rest).baseAddress),
            iov_len: rest.count)
    }

    package func link(_ file: OpenFile, to path: String) throws(FileSystemError) {
        let source = "/proc/self/fd/\(file.descriptor)"
        try retrying(.link, path) { linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW) }
    }

    package func close(_ file: OpenFile) { _ = Glibc.close(file.descriptor) }

    package func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        try retrying(.rename, newPath) { Glibc.rename(path, newPath) }
    }

    package func remove(_ path: String) throws(FileSystemError) {
        try retrying(.remove, path) { unlink(path) }
    }

    package func makeDirectory(_ path: String) throws(FileSystemError) {
        try retrying(.makeDirectory, path) { mkdir(path, 0o700) }
    }

    package func status(of path: String) throws(FileSystemError) -> FileStatus {
        var information = stat()
        try retrying(.status, path) { lstat(path, &information) }
        return FileStatus(information)
    }

    package func list(_ directory: String) throws(FileSystemError) -> [DirectoryItem] {
        var items: [DirectoryItem] = []
        try forEachItem(of: directory) { name, status in
            items.append(DirectoryItem(name: name.text(in: 0..<name.byteCount), status: status))
        }
        return items
    }

    package func setAccessTime(of path: String, to time: FileTime) throws(FileSystemError) {
        let times = [
            timespec(tv_sec: time.wholeSeconds, tv_nsec: time.nanosecondsOfSecond),
            timespec(tv_sec: 0, tv_nsec: webimage_time_unchanged),
        ]
        try retrying(.setTimes, path) { utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) }
    }

    /// Reads until the buffer is full or the file ends; a file that shrank meanwhile gives fewer bytes.
    private func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, _ path: String
    ) throws(FileSystemError) -> Int {
        var offset = 0
        while offset < buffer.count {
            let count = try retrying(.read, path) {
                Glibc.read(descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
            }
            guard count > 0 else { break }
            offset += count
        }
        return offset
    }

    @discardableResult
    func retrying<Result: SignedInteger>(
        _ operation: FileSystemError.Operation, _ path: @autoclosure () -> String, _ call: () -> Result
    ) throws(FileSystemError) -> Result {
        while true {
            let result = call()
            if result >= 0 { return result }
            let code = errno
            guard code == EINTR else { throw FileSystemError(operation, path(), code: code) }
        }
    }
}

extension FileStatus {
    init(_ information: stat) {
        let kind: Kind =
            switch information.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            default: .other
            }
        self.init(
            kind: kind, size: Int(information.st_size), inode: UInt64(information.st_ino),
            accessed: FileTime(seconds: information.st_atim.tv_sec, nanoseconds: information.st_atim.tv_nsec),
            modified: FileTime(seconds: information.st_mtim.tv_sec, nanoseconds: information.st_mtim.tv_nsec),
            changed: FileTime(seconds: information.st_ctim.tv_sec, nanoseconds: information.st_ctim.tv_nsec),
            allocatedSize: Int(information.st_blocks) * 512, linkCount: Int(information.st_nlink))
    }
}
