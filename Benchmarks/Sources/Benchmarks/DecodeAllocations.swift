import CAllocations
import FoundationEssentials
import WebImage

/// What the same work asks for in every run; the ceilings stand in `thresholds.json`.
struct HeaderAllocations: Benchmark {
    static let id = "info-allocations"
    static let what = "size, depth and orientation of a JPEG, allocations"

    func run() async throws -> Measurement {
        let file = try SamplePhoto.twelveMegapixels.jpeg()
        let ours = try AllocationCount(rounds: 100) {
            _ = try ImageCodersManager.shared.properties(of: file, isComplete: true)
        }
        return Measurement(
            id: Self.id, what: Self.what, ours: ours.count, unit: "", rival: "nothing", rivalValue: 0,
            ratio: ours.count, ceiling: try Thresholds.allocations(Self.id))
    }
}

/// No pixels: the header of twelve megapixels takes no more memory than that of a dot.
struct HeaderBytes: Benchmark {
    static let id = "info-bytes"
    static let what = "size, depth and orientation of a JPEG, bytes asked for"

    func run() async throws -> Measurement {
        let file = try SamplePhoto.twelveMegapixels.jpeg()
        let ours = try AllocationCount(rounds: 100) {
            _ = try ImageCodersManager.shared.properties(of: file, isComplete: true)
        }
        return Measurement(
            id: Self.id, what: Self.what, ours: ours.byteCount, unit: "", rival: "its pixels",
            rivalValue: 48_000_000, ratio: ours.byteCount / 48_000_000, ceiling: try Thresholds.allocations(Self.id))
    }
}

struct ThumbnailAllocations: Benchmark {
    static let id = "jpeg-thumbnail-allocations"
    static let what = "12-megapixel JPEG to 300 px, allocations"

    func run() async throws -> Measurement {
        let file = try SamplePhoto.twelveMegapixels.jpeg()
        let ours = try AllocationCount(rounds: 4) { try ThumbnailDecode.ours(file) }
        return Measurement(
            id: Self.id, what: Self.what, ours: ours.count, unit: "", rival: "nothing", rivalValue: 0,
            ratio: ours.count, ceiling: try Thresholds.allocations(Self.id))
    }
}

struct ThumbnailBytes: Benchmark {
    static let id = "jpeg-thumbnail-bytes"
    static let what = "12-megapixel JPEG to 300 px, bytes asked for"

    func run() async throws -> Measurement {
        let file = try SamplePhoto.twelveMegapixels.jpeg()
        let ours = try AllocationCount(rounds: 4) { try ThumbnailDecode.ours(file) }
        return Measurement(
            id: Self.id, what: Self.what, ours: ours.byteCount, unit: "", rival: "its pixels",
            rivalValue: 48_000_000, ratio: ours.byteCount / 48_000_000, ceiling: try Thresholds.allocations(Self.id))
    }
}

/// What a piece of work asks the system for on the calling thread, on average.
private struct AllocationCount {
    let count: Double
    let byteCount: Double

    init(rounds: Int, _ work: () throws -> Void) rethrows {
        // What is made once and kept is not counted.
        for _ in 0..<2 { try work() }
        let (countBefore, bytesBefore) = (webimage_allocation_count(), webimage_allocated_byte_count())
        for _ in 0..<rounds { try work() }
        count = Double(webimage_allocation_count() - countBefore) / Double(rounds)
        byteCount = Double(webimage_allocated_byte_count() - bytesBefore) / Double(rounds)
    }
}
