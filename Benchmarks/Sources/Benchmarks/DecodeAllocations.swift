import CAllocations
import FoundationEssentials
import WebImage

/// The allocations of the same work, equal in every run; the ceilings are in `thresholds.json`.
struct HeaderAllocations: Benchmark {
    static let id = "info-allocations"
    static let what = "size, depth and orientation of a JPEG, allocations"

    func run() async throws -> Measurement { try allocations(.header) }
}

/// The header of twelve megapixels needs no more memory than that of a single pixel.
struct HeaderBytes: Benchmark {
    static let id = "info-bytes"
    static let what = "size, depth and orientation of a JPEG, bytes asked for"

    func run() async throws -> Measurement { try allocatedBytes(.header) }
}

struct ThumbnailAllocations: Benchmark {
    static let id = "jpeg-thumbnail-allocations"
    static let what = "12-megapixel JPEG to 300 px, allocations"

    func run() async throws -> Measurement { try allocations(.thumbnail) }
}

struct ThumbnailBytes: Benchmark {
    static let id = "jpeg-thumbnail-bytes"
    static let what = "12-megapixel JPEG to 300 px, bytes asked for"

    func run() async throws -> Measurement { try allocatedBytes(.thumbnail) }
}

extension Benchmark {
    fileprivate func allocations(_ work: DecodeWork) throws -> Measurement {
        let ours = try AllocationCount(work).count
        return Measurement(
            id: Self.id, what: Self.what, ours: ours, unit: "", rival: "nothing", rivalValue: 0, ratio: ours,
            ceiling: try Thresholds.ceiling(of: Self.id))
    }

    fileprivate func allocatedBytes(_ work: DecodeWork) throws -> Measurement {
        let size = SamplePhoto.twelveMegapixels.size
        let (ours, pixels) = (try AllocationCount(work).byteCount, Double(size.width * size.height * 4))
        return Measurement(
            id: Self.id, what: Self.what, ours: ours, unit: "", rival: "its pixels", rivalValue: pixels,
            ratio: ours / pixels, ceiling: try Thresholds.ceiling(of: Self.id))
    }
}

private enum DecodeWork {
    case header, thumbnail

    func callAsFunction(_ file: Data) throws {
        switch self {
        case .header: _ = try ImageCodersManager.shared.properties(of: file, isComplete: true)
        case .thumbnail: try ThumbnailDecode.ours(file)
        }
    }
}

/// The average allocations of a piece of work on the calling thread.
private struct AllocationCount {
    let count: Double
    let byteCount: Double

    init(_ work: DecodeWork, rounds: Int = 4) throws {
        let file = try SamplePhoto.twelveMegapixels.jpeg()
        // Allocations made once and kept are not counted.
        for _ in 0..<2 { try work(file) }
        let (countBefore, bytesBefore) = (webimage_allocation_count(), webimage_allocated_byte_count())
        for _ in 0..<rounds { try work(file) }
        count = Double(webimage_allocation_count() - countBefore) / Double(rounds)
        byteCount = Double(webimage_allocated_byte_count() - bytesBefore) / Double(rounds)
    }
}
