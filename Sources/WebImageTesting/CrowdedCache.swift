import FoundationEssentials
import Glibc
import WebImage

/// A disk cache that believes to have a million entries, at the cost of its index: for measurements, not for loads.
public enum CrowdedCache {
    /// Gives the cache in `directory` an index that knows, beside the entries that are there, `count` which are not:
    /// small ones, used just now. There must be no index yet.
    public static func make(in directory: String, count: Int) throws {
        for number in 0..<256 {
            let path = "\(directory)/entries-1/\(number < 16 ? "0" : "")\(String(number, radix: 16))"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        var config = ImageCacheConfig()
        config.shouldRemoveExpiredDataAutomatically = false
        let cache = DiskCache(
            directory: directory, config: config, fileSystem: CrowdedFileSystem(countPerDirectory: count / 256))
        _ = cache.usage()
    }
}

/// The system's files, and in each of a cache's directories some more that are only told of.
private struct CrowdedFileSystem: FileSystem {
    let countPerDirectory: Int
    private let base = POSIXFileSystem()

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

    func read(_ path: String, limit: Int) throws(FileSystemError) -> FileBytes { try base.read(path, limit: limit) }
    func readBeginning(of path: String, count: Int) throws(FileSystemError) -> FileBytes {
        try base.readBeginning(of: path, count: count)
    }
    func createUnnamed(in directory: String) throws(FileSystemError) -> OpenFile {
        try base.createUnnamed(in: directory)
    }
    func create(_ path: String) throws(FileSystemError) -> OpenFile { try base.create(path) }
    func write(_ first: Data, _ second: Data, to file: OpenFile) throws(FileSystemError) {
        try base.write(first, second, to: file)
    }
    func link(_ file: OpenFile, to path: String) throws(FileSystemError) { try base.link(file, to: path) }
    func close(_ file: OpenFile) { base.close(file) }
    func rename(_ path: String, to newPath: String) throws(FileSystemError) { try base.rename(path, to: newPath) }
    func remove(_ path: String) throws(FileSystemError) { try base.remove(path) }
    func makeDirectory(_ path: String) throws(FileSystemError) { try base.makeDirectory(path) }
    func status(of path: String) throws(FileSystemError) -> FileStatus { try base.status(of: path) }
    func list(_ directory: String) throws(FileSystemError) -> [DirectoryItem] { try base.list(directory) }
    func setAccessTime(of path: String, to time: FileTime) throws(FileSystemError) {
        try base.setAccessTime(of: path, to: time)
    }
    func openToAppend(_ path: String) throws(FileSystemError) -> OpenFile { try base.openToAppend(path) }
    func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        try base.read(file, at: offset, count: count)
    }
    func status(of file: OpenFile) throws(FileSystemError) -> FileStatus { try base.status(of: file) }
    func lock(_ file: OpenFile, _ lock: FileLock, waits: Bool) throws(FileSystemError) -> Bool {
        try base.lock(file, lock, waits: waits)
    }
    func map(_ file: OpenFile) throws(FileSystemError) -> SharedPage { try base.map(file) }
}
