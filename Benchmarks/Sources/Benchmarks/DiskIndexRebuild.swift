import FoundationEssentials
import Glibc
import WebImage
import WebImageTesting

/// Rebuilding an index from 100,000 files, scaled to a million, against examining each file only. `WEBIMAGE_FILES` sets
/// the number of files: a million take some 4 GB and minutes to write.
struct DiskIndexRebuild: Benchmark {
    static let id = "index-rebuild"
    static let what = "index made anew, per 1,000,000 files"

    private static var count: Int { getenv("WEBIMAGE_FILES").flatMap { Int(String(cString: $0)) } ?? 100_000 }

    func run() async throws -> Measurement {
        let directory = TemporaryDirectory()
        let cache = DiskCache(directory: directory.path)
        let count = Self.count
        let entry = DiskCacheEntry(data: Data(repeating: 7, count: 100))
        for number in 0..<count { try cache.store(entry, for: CacheKey("\(number)")) }
        _ = cache.usage()
        CrowdedCache.close(cache)
        let scale = 1_000_000 / Double(count)
        let outcome = try await Turns(count: 5, warmUp: 1).compare {
            try FileManager.default.removeItem(atPath: directory.path + "/entries-2/snapshot")
            return try seconds {
                let found = DiskCache(directory: directory.path).usage().count
                guard found == count else { throw BenchmarkError("found \(found)") }
            } * scale
        } rival: {
            try seconds { try Self.look(at: directory.path + "/entries-2") } * scale
        }
        return measurement(outcome, unit: "s", rival: "readdir and fstatat", goal: 1.2)
    }

    private static func look(at path: String) throws {
        guard let stream = opendir(path) else { throw BenchmarkError("cannot list \(path)") }
        defer { closedir(stream) }
        var folders: [String] = []
        while let item = readdir(stream) {
            var status = stat()
            let name = UnsafeRawPointer(item) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
            let text = name.assumingMemoryBound(to: CChar.self)
            guard text[0] != 46, fstatat(dirfd(stream), text, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR { folders.append("\(path)/\(String(cString: text))") }
        }
        for folder in folders { try look(at: folder) }
    }
}
