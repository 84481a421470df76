import Glibc

/// A file without a name, which ends with its owner. Any thread.
package final class TemporaryFile: Sendable {
    private let number: Int32
    private let descriptor: OwnedDescriptor

    /// - Parameter directories: The first in which a file can be made is used.
    package init(in directories: [String] = TemporaryFile.directories) throws(FileSystemError) {
        var failure = FileSystemError(.create, "a temporary file", code: ENOENT)
        for directory in directories {
            let path = "\(directory)/webimage-\(UInt64.random(in: .min ... .max))"
            let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard number >= 0 else {
                failure = FileSystemError(.create, directory, code: errno)
                continue
            }
            unlink(path)
            self.number = number
            descriptor = OwnedDescriptor(number)
            return
        }
        throw failure
    }

    /// `TMPDIR`, then `/var/tmp`, which is on a disk where `/tmp` may be memory, then `/tmp`.
    package static var directories: [String] {
        let chosen = getenv("TMPDIR").map { String(cString: $0) }
        return [chosen, "/var/tmp", "/tmp"].compactMap { $0 }
    }

    /// Writes all bytes.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileSystemError) {
        var written = 0
        while written < bytes.count {
            let step = pwrite(number, bytes.baseAddress.map { $0 + written }, bytes.count - written, offset + written)
            if step < 0, errno == EINTR { continue }
            guard step > 0 else { throw FileSystemError(.write, "a temporary file", code: step < 0 ? errno : ENOSPC) }
            written += step
        }
    }

    /// Reads as many bytes as the buffer has.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileSystemError) {
        var filled = 0
        while filled < buffer.count {
            let step = pread(number, buffer.baseAddress.map { $0 + filled }, buffer.count - filled, offset + filled)
            if step < 0, errno == EINTR { continue }
            guard step > 0 else { throw FileSystemError(.read, "a temporary file", code: step < 0 ? errno : EIO) }
            filled += step
        }
    }
}
