import CAllocations
import FoundationEssentials
import Glibc
import WebImage

/// Opening a disk cache until it knows its million entries, against reading its index's file.
struct DiskIndexOpen: Benchmark {
    static let id = "index-open"
    static let what = "a disk cache of 1,000,000 entries, opened"

    func run() async throws -> Measurement {
        let directory = try CrowdedDirectory(crowd: CrowdedDirectory.count)
        let outcome = try await Turns().compare {
            try seconds {
                guard directory.open().usage().count >= CrowdedDirectory.count else { throw BenchmarkError("not all") }
            } * 1e3
        } rival: {
            try seconds { _ = try Data(contentsOf: URL(filePath: directory.path + "/entries-2/snapshot")) } * 1e3
        }
        return measurement(outcome, rival: "read the file of the index", ceiling: 50)
    }
}

/// The memory of an index with a million entries, against the entries' names alone.
struct DiskIndexMemory: Benchmark {
    static let id = "index-memory"
    static let what = "memory of a disk cache's index, per entry of 1,000,000"

    func run() async throws -> Measurement {
        let directory = try CrowdedDirectory(crowd: CrowdedDirectory.count)
        malloc_trim(0)
        let before = try Self.residentBytes()
        let cache = directory.open()
        let count = Double(cache.usage().count)
        malloc_trim(0)
        let ours = (try Self.residentBytes() - before) / count
        withExtendedLifetime(cache) {}
        return Measurement(
            id: Self.id, what: Self.what, ours: ours, unit: "bytes", rival: "the names of their files", rivalValue: 16,
            ratio: ours / 16, ceiling: 64)
    }

    private static func residentBytes() throws -> Double {
        let text = String(decoding: try Data(contentsOf: URL(filePath: "/proc/self/statm")), as: UTF8.self)
        guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else {
            throw BenchmarkError("/proc/self/statm has no number of pages")
        }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }
}
