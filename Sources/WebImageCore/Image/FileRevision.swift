import CLinux
import Glibc

/// A file of this machine at one time: it tells the file from what comes in its place, and from itself after a change.
///
/// Times have the precision of the file system. A change of the same length within one tick of the system's clock, some
/// milliseconds, is not seen.
package struct FileRevision: Sendable, Equatable {
    /// Without zero bytes.
    private let path: [UInt8]
    private let device: UInt64
    private let inode: UInt64
    private let size: Int
    private let modified: FileTime
    private let changed: FileTime

    /// A file that is open, by the bytes of its name.
    package init?(path: [UInt8], descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(path, status)
    }

    private init(_ path: [UInt8], _ status: stat) {
        self.path = path
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        modified = FileTime(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
        changed = FileTime(seconds: status.st_ctim.tv_sec, nanoseconds: status.st_ctim.tv_nsec)
    }

    /// Whether its name still leads to this file, unchanged. Asks the file system.
    package var isCurrent: Bool {
        var status = stat()
        let isThere = (path + [0]).withUnsafeBytes { bytes in
            bytes.bindMemory(to: CChar.self).baseAddress.map { stat($0, &status) == 0 } ?? false
        }
        return isThere && FileRevision(path, status) == self
    }
}
