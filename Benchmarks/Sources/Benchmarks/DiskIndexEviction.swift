import FoundationEssentials
import Glibc
import WebImage

/// Evicting the 10,000 oldest of a million entries, against merely removing as many files.
struct DiskIndexEviction: Benchmark {
    static let id = "index-evict"
    static let what = "10,000 of 1,000,000 entries evicted"

    func run() async throws -> Measurement {
        let outcome = try await Turns(count: 3, warmUp: 1).compare {
            let directory = try CrowdedDirectory(crowd: CrowdedDirectory.count)
            let cache = directory.open { $0.maxDiskAge = .seconds(3600) }
            _ = cache.usage()
            let time = try seconds { try cache.removeExpired() }
            guard !directory.keys.contains(where: cache.contains) else { throw BenchmarkError("not all went") }
            return time * 1e3
        } rival: {
            let directory = try CrowdedDirectory(crowd: 0)
            let cache = directory.open()
            let paths = directory.keys.compactMap { cache.cachePath(for: $0) }
            return try seconds {
                for path in paths { guard unlink(path) == 0 else { throw BenchmarkError("cannot remove \(path)") } }
            } * 1e3
        }
        return measurement(outcome, rival: "unlink of 10,000 files", goal: 1.3)
    }
}
