import FoundationEssentials
import Synchronization
import WebImage
import WebImageTesting

/// A thousand simultaneous loads of one URL: one transfer, one decode, and the cost of joining. Processor time of all
/// threads, minus that of a single load.
struct JoinedLoads: Benchmark {
    static let id = "joined-loads"
    static let what = "1,000 loads of one URL, processor time of the joining"

    private static let count = 1000

    func run() async throws -> Measurement {
        let origin = try LoopbackOrigin()
        defer { origin.stop() }
        let photo = try SamplePhoto(size: PixelSize(width: 640, height: 480)).jpeg()
        let decodes = CountingCoder()
        let outcome = try await Turns(count: 7, warmUp: 1).compare {
            let single = try await load(1, origin, photo, decodes)
            return (try await load(Self.count, origin, photo, decodes) - single) * 1e3
        } rival: {
            // A thousand tasks that wait for one task: the minimum cost of joining with Swift's own means.
            let start = processorSeconds()
            let shared = Task { try ImageCodersManager.shared.decode(photo, options: ImageDecodeOptions()) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<Self.count { group.addTask { _ = try await shared.value } }
                try await group.waitForAll()
            }
            return (processorSeconds() - start) * 1e3
        }
        return measurement(outcome, rival: "1,000 tasks that await one decode", goal: 0.5)
    }

    /// Processor seconds of `count` loads of a picture that is in no cache.
    private func load(
        _ count: Int, _ origin: LoopbackOrigin, _ photo: Data, _ coder: CountingCoder
    ) async throws -> Double {
        let path = "/\(UUID().uuidString).jpg"
        let everybodyHasAsked = Gate()
        origin.serve(path, OriginResponse(body: photo).held(by: everybodyHasAsked))
        origin.serve("/first.jpg", OriginResponse(body: photo))
        let url = origin.url(path)
        let manager = WebImageManager(cache: NullCache(), loader: WebImageDownloader(), coder: coder)
        // The downloader's thread and connection exist before the measurement.
        _ = try await manager.image(for: origin.url("/first.jpg"))
        let decodes = coder.count
        var context = WebImageContext()
        context.callbackQueue = .current
        let start = processorSeconds()
        await withCheckedContinuation { continuation in
            let left = Countdown(count)
            for _ in 0..<count {
                manager.load(url, context: context) { _ in
                    if left.step() { continuation.resume() }
                }
            }
            everybodyHasAsked.open()
        }
        let time = processorSeconds() - start
        let (decoded, transferred) = (coder.count - decodes, origin.requestCount(path))
        guard decoded == 1, transferred == 1 else {
            throw BenchmarkError("\(count) loads took \(decoded) decodes and \(transferred) transfers")
        }
        return time
    }
}

/// The JPEG coder, with a count of its decodes.
final class CountingCoder: ImageCoder {
    private let decodes = Atomic<Int>(0)
    private let coder = JPEGCoder.jpeg

    var count: Int { decodes.load(ordering: .relaxed) }

    func canDecode(_ data: Data) -> Bool { coder.canDecode(data) }
    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try coder.properties(of: data, isComplete: isComplete)
    }
    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        decodes.add(1, ordering: .relaxed)
        return try coder.decode(data, options: options)
    }
    func canEncode(_ format: ImageFormat) -> Bool { coder.canEncode(format) }
    func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data { try coder.encode(image, to: format, options: options) }
}
