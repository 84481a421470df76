import FoundationEssentials
import Glibc
import WebImage

/// A disk cache whose index claims a million entries: for measurements of the index, not for loads.
public enum CrowdedCache {
    /// Creates an index for the cache in `directory` that lists, beside its actual entries, `count` nonexistent ones:
    /// small, and just used. There must be no index yet.
    public static func make(in directory: String, count: Int) throws {
        for number in 0..<256 {
            let path = "\(directory)/entries-2/\(number < 16 ? "0" : "")\(String(number, radix: 16))"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        var config = ImageCacheConfig()
        config.shouldRemoveExpiredDataAutomatically = false
        let cache = DiskCache(
            directory: directory, config: config, fileSystem: CrowdedFileSystem(countPerDirectory: count / 256))
        _ = cache.usage()
    }
}

/// The system's files, with additional nonexistent ones listed in each of a cache's directories.
private struct CrowdedFileSystem: ForwardingFileSystem {
    let countPerDirectory: Int
    let base = POSIXFileSystem()

    func forEachItem(of directory: String, _ body: (RawSpan, FileStatus) -> Void) throws(FileSystemError) {
        try base.forEachItem(of: directory, body)
        let prefix = directory.utf8.suffix(2)
        guard directory.utf8.suffix(3).first == UInt8(ascii: "/"), let number = UInt8(String(prefix) ?? "", radix: 16)
        else { return }
        var random = SeededGenerator(seed: UInt64(number))
        let now = FileTime(Date())
        let status = FileStatus(kind: .file, size: 100, inode: 1, accessed: now, modified: now)
        for _ in 0..<countPerDirectory {
            let name = Array(prefix) + (0..<30).map { _ in Self.digits[Int(random.next() >> 60)] }
            body(name.span.bytes, status)
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
