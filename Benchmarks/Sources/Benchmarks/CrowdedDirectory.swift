import FoundationEssentials
import Glibc
import WebImage
import WebImageTesting

/// A disk cache with a million entries in its index, of which the 10,000 oldest exist as files: only the index is
/// measured.
final class CrowdedDirectory {
    static let count = 1_000_000
    static let fileCount = 10_000

    let path: String
    private let directory: TemporaryDirectory
    /// The keys of the files.
    let keys: [CacheKey]

    /// - Parameter crowd: The number of entries without files.
    init(crowd: Int) throws {
        directory = TemporaryDirectory()
        path = directory.path
        keys = (0..<Self.fileCount).map { CacheKey("https://example.org/pictures/of/some/length/\($0).jpg") }
        try fill()
        if crowd > 0 {
            try FileManager.default.removeItem(atPath: path + "/entries-2/snapshot")
            try CrowdedCache.make(in: path, count: crowd)
        }
        guard open().usage().count >= Self.fileCount else { throw BenchmarkError("entries are missing") }
    }

    private func fill() throws {
        let cache = open()
        let entry = DiskCacheEntry(data: Data(repeating: 7, count: 4000))
        for key in keys { try cache.store(entry, for: key) }
        _ = cache.usage()
        for key in keys { try Self.makeOld(cache.cachePath(for: key)) }
        CrowdedCache.close(cache)
    }

    /// The cache as seen by a new process.
    func open(_ configure: (inout ImageCacheConfig) -> Void = { _ in }) -> DiskCache {
        var config = ImageCacheConfig()
        config.shouldRemoveExpiredDataAutomatically = false
        configure(&config)
        return DiskCache(directory: path, config: config)
    }

    /// Sets the file's date to two hours ago.
    private static func makeOld(_ path: String?) throws {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let time = timespec(tv_sec: now.tv_sec - 7200, tv_nsec: 0)
        guard let path, utimensat(AT_FDCWD, path, [time, time], 0) == 0 else {
            throw BenchmarkError("no file of an entry")
        }
    }
}
