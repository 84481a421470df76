import FoundationEssentials
import WebImage
import WebImageTesting

/// The time of the calling thread for a start of a load, and for its cancellation.
enum CallerCost {
    static let count = 2000

    /// Microseconds of this thread for starting a load, and for cancelling one, of a manager whose server answers none.
    static func measure() throws -> (start: Double, cancel: Double) {
        let origin = try LoopbackOrigin()
        defer { origin.stop() }
        let closed = Gate()
        defer { closed.open() }
        let urls = (0..<count).map { index in
            origin.serve("/\(index).jpg", OriginResponse(body: Data([1])).held(by: closed))
            return origin.url("/\(index).jpg")
        }
        let directory = TemporaryDirectory()
        let manager = WebImageManager(cache: ImageCache(directory: directory.path), loader: WebImageDownloader())
        var operations: [LoadOperation] = []
        operations.reserveCapacity(count)
        let start = threadSeconds { for url in urls { operations.append(manager.load(url) { _ in }) } }
        let cancel = threadSeconds { for operation in operations { operation.cancel() } }
        return (start * 1e6 / Double(count), cancel * 1e6 / Double(count))
    }
}

struct LoadStart: Benchmark {
    static let id = "load-start"
    static let what = "starting a load that misses, its caller's time"

    func run() async throws -> Measurement {
        let values = try (0..<7).map { _ in try CallerCost.measure().start }
        return Measurement(
            id: Self.id, what: Self.what, ours: values.median, unit: "µs", rival: "allowed", rivalValue: 10,
            ratio: values.median / 10, ceiling: 10)
    }
}

struct LoadCancel: Benchmark {
    static let id = "load-cancel"
    static let what = "cancelling a load, its caller's time"

    func run() async throws -> Measurement {
        let values = try (0..<7).map { _ in try CallerCost.measure().cancel }
        return Measurement(
            id: Self.id, what: Self.what, ours: values.median, unit: "µs", rival: "allowed", rivalValue: 100,
            ratio: values.median / 100, ceiling: 100)
    }
}
