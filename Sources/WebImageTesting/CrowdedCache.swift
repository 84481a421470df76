import FoundationEssentials
import Glibc
import WebImageCache
import WebImageCore

/// A disk cache whose index claims a million entries: for measurements of the index, not for loads.
public enum CrowdedCache {
    /// Has a cache save what it knows, and leave its directory to the next one, before it is let go.
    public static func close(_ cache: DiskCache) { cache.close() }

    /// Gives the cache in `directory` an index that knows, beside the entries that are there, `count` which are not:
    /// small ones, used just now. There must be no snapshot yet.
    public static func make(in directory: String, count: Int) throws {
        for number in 0..<256 {
            let path = "\(directory)/entries-3/\(number < 16 ? "0" : "")\(String(number, radix: 16))"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            // A directory that was changed just now would be listed again by the next cache.
            try FileManager.default.setAttributes([.modificationDate: Date() - 3600], ofItemAtPath: path)
        }
        var config = ImageCacheConfig()
        config.shouldRemoveExpiredDataAutomatically = false
        let cache = DiskCache(
            directory: directory, config: config, fileSystem: CrowdedFileSystem(countPerDirectory: count / 256))
        _ = cache.usage()
        close(cache)
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
