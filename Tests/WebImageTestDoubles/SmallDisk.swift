import CSpawn
import Foundation
import WebImageCore

/// A file system in memory of a few kilobytes, unmounted with the last reference.
final class SmallDisk {
    private let mountPoint: CacheDirectory
    let directory: CacheDirectory

    init(byteCount: Int) throws {
        mountPoint = try CacheDirectory()
        guard mount("tmpfs", mountPoint.path, "tmpfs", 0, "size=\(byteCount)") == 0 else {
            throw TestFailure(text: "root may not mount here: \(String(systemError: errno))")
        }
        directory = try CacheDirectory(in: URL(filePath: mountPoint.path))
    }

    func makeReadOnly() throws {
        guard mount("tmpfs", mountPoint.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 else {
            throw TestFailure(text: "no remount: \(String(systemError: errno))")
        }
    }

    deinit { umount2(mountPoint.path, Int32(MNT_DETACH)) }
}
