import FoundationEssentials
import WebImage

/// An entry of a disk cache with a million entries, against the same entry with 10,000: the number of entries must not
/// matter.
struct DiskIndexLookup: Benchmark {
    static let id = "index-lookup"
    static let what = "an entry read out of 1,000,000"

    func run() async throws -> Measurement {
        let (many, few) = (
            try CrowdedDirectory(crowd: CrowdedDirectory.count), try CrowdedDirectory(crowd: 0)
        )
        let (large, small) = (many.open(), few.open())
        guard large.usage().count > small.usage().count else { throw BenchmarkError("entries are missing") }
        let outcome = try await Turns().compare {
            try Self.microseconds(large, many.keys)
        } rival: {
            try Self.microseconds(small, few.keys)
        }
        return measurement(outcome, unit: "µs", rival: "read out of 10,000", goal: 1.2)
    }

    private static func microseconds(_ cache: DiskCache, _ keys: [CacheKey]) throws -> Double {
        try seconds {
            for key in keys where try cache.entry(for: key) == nil { throw BenchmarkError("not there") }
        } * 1e6 / Double(keys.count)
    }
}

/// The question whether an entry is there, which is asked of its file.
struct DiskIndexContains: Benchmark {
    static let id = "index-contains"
    static let what = "\"is it there?\" of 1,000,000"

    func run() async throws -> Measurement {
        let (many, few) = (
            try CrowdedDirectory(crowd: CrowdedDirectory.count), try CrowdedDirectory(crowd: 0)
        )
        let (large, small) = (many.open(), few.open())
        guard large.usage().count > small.usage().count else { throw BenchmarkError("entries are missing") }
        let outcome = await Turns().compare {
            Self.nanoseconds(large, many.keys)
        } rival: {
            Self.nanoseconds(small, few.keys)
        }
        return measurement(outcome, unit: "ns", rival: "of 10,000", goal: 1.2)
    }

    private static func nanoseconds(_ cache: DiskCache, _ keys: [CacheKey]) -> Double {
        seconds { for key in keys where !cache.contains(key) { fatalError("not there") } } * 1e9 / Double(keys.count)
    }
}
