import Foundation
import Synchronization
import WebImageCache
import WebImageCore
import WebImageTesting

/// A directory for one test, removed with the last reference.
final class CacheDirectory: Sendable {
    let path: String

    init(in parent: URL = FileManager.default.temporaryDirectory) throws {
        let folder = parent.appendingPathComponent("cache-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
        MemoryPressure.shared.ignoreSource()
    }

    /// A directory on a file system in memory where there is one, for tests with very many changes.
    static func inMemory() throws -> CacheDirectory {
        let shared = "/dev/shm"
        guard FileManager.default.isWritableFile(atPath: shared) else { return try CacheDirectory() }
        return try CacheDirectory(in: URL(filePath: shared))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The paths of all regular files and links below, at any depth, but for those of the index.
    ///
    /// A cache that is gone may still write its snapshot, which has a temporary name meanwhile. Temporary files of
    /// entries are in the folders below.
    var files: [String] {
        allFiles(in: path).filter { file in
            guard let name = nameInEntries(file) else { return true }
            return !isOfIndex(name) && !TemporaryName.matches(name)
        }
    }

    /// The paths of the index's files.
    var indexFiles: [String] { allFiles(in: path).filter { nameInEntries($0).map(isOfIndex) ?? false } }

    private func isOfIndex(_ name: String) -> Bool { ["owner", "guests", "snapshot"].contains(name) }

    /// The name of a file that is in the cache's own directory, beside the folders of entries.
    private func nameInEntries(_ file: String) -> String? {
        let url = URL(filePath: file)
        return url.deletingLastPathComponent().lastPathComponent == "entries-3" ? url.lastPathComponent : nil
    }

    /// Directory by directory: an enumerator breaks off where a cache removes a file meanwhile.
    private func allFiles(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.flatMap { name -> [String] in
            let path = "\(folder)/\(name)"
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard let kind = attributes?[.type] as? FileAttributeType else { return [] }
            return kind == .typeDirectory ? allFiles(in: path) : [path]
        }
    }

    /// Sets the permissions of the directory and of everything in it.
    func setPermissions(directories: Int, files: Int) throws {
        try setPermissions(directories: directories, files: files, in: path)
    }

    private func setPermissions(directories: Int, files: Int, in folder: String) throws {
        let manager = FileManager.default
        // Without permissions, its contents cannot be listed.
        try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        for name in try manager.contentsOfDirectory(atPath: folder) {
            let path = "\(folder)/\(name)"
            if try manager.attributesOfItem(atPath: path)[.type] as? FileAttributeType == .typeDirectory {
                try setPermissions(directories: directories, files: files, in: path)
            } else {
                try manager.setAttributes([.posixPermissions: files], ofItemAtPath: path)
            }
        }
        try manager.setAttributes([.posixPermissions: directories], ofItemAtPath: folder)
    }

    /// The only file of a cache with one entry.
    var onlyFile: String {
        get throws {
            guard files.count == 1 else { throw TestFailure(text: "expected one file, found \(files)") }
            return files[0]
        }
    }

    /// A cache of this directory that does nothing by itself unless asked. Two of them are to each other as two processes.
    func cache(
        _ fileSystem: any FileSystem = POSIXFileSystem(), clock: TestClock = TestClock(),
        warnings: CollectedWarnings = CollectedWarnings(), configure: (inout ImageCacheConfig) -> Void = { _ in }
    ) -> DiskCache {
        var config = ImageCacheConfig()
        config.shouldRemoveExpiredDataAutomatically = false
        configure(&config)
        return DiskCache(
            directory: path, config: config, fileSystem: fileSystem, now: { clock.now },
            warn: { warnings.add($0) })
    }
}

/// A clock that starts now and advances only when told.
final class TestClock: Sendable {
    private let time = Mutex(Date())
    var now: Date { time.withLock { $0 } }
    func advance(by interval: TimeInterval) { time.withLock { $0 += interval } }
}

/// Collects the warnings of one cache.
final class CollectedWarnings: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
}

extension Image {
    /// A picture of one row with `width` pixels, 4 bytes each.
    static func sample(width: Int = 1) throws -> Image {
        // Pictures that tests store must stay, however short of memory the machine is.
        MemoryPressure.shared.ignoreSource()
        let size = PixelSize(width: width, height: 1)
        return Image(bitmap: try Bitmap(size: size, pixels: Array(repeating: 255, count: width * 4)))
    }
}

extension DiskCacheEntry {
    /// `count` bytes that depend on `seed`.
    static func sample(count: Int = 1000, seed: UInt8 = 1) -> DiskCacheEntry {
        var value = seed
        let bytes = (0..<count).map { _ -> UInt8 in
            value = value &* 73 &+ 41
            return value
        }
        return DiskCacheEntry(data: Data(bytes), headers: ["etag": "\"\(seed)\"", "content-type": "image/png"])
    }

    func isSame(as other: DiskCacheEntry?) -> Bool {
        data == other?.data && headers == other?.headers && storedAt == other?.storedAt
            && extendedData == other?.extendedData && originalPixelSize == other?.originalPixelSize
    }
}
