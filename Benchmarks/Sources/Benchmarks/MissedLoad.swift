import FoundationEssentials
import Synchronization
import WebImage

/// The manager's own work for a picture in no cache: look up, load, decode, store, call back, with stages that answer
/// at once. Processor time of all threads, against direct calls of the same stages.
struct MissedLoad: Benchmark {
    static let id = "missed-load"
    static let what = "bookkeeping of a load that misses, processor time"

    private static let count = 5000

    func run() async throws -> Measurement {
        let image = Image(bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 255]))
        let data = Data([1, 2, 3])
        let coder = NullCoder(image: image)
        let manager = WebImageManager(cache: NullCache(), loader: NullLoader(data: data), coder: coder)
        let urls = (0..<Self.count).compactMap { URL(string: "https://example.org/pictures/\($0).jpg") }
        let outcome = await Turns(count: 5, warmUp: 1).compare {
            let start = processorSeconds()
            await load(urls, manager)
            return (processorSeconds() - start) * 1e6 / Double(Self.count)
        } rival: {
            let start = processorSeconds()
            await withTaskGroup(of: Void.self) { group in
                for _ in urls { group.addTask { _ = try? coder.decode(data, options: ImageDecodeOptions()) } }
            }
            return (processorSeconds() - start) * 1e6 / Double(Self.count)
        }
        return measurement(outcome, unit: "µs", rival: "a child task for each decode", goal: 8)
    }

    /// All at once: one at a time would measure threads being put to sleep and woken.
    private func load(_ urls: [URL], _ manager: WebImageManager) async {
        var context = WebImageContext()
        context.callbackQueue = .current
        await withCheckedContinuation { continuation in
            let left = Countdown(urls.count)
            for url in urls {
                manager.load(url, context: context) { _ in
                    if left.step() { continuation.resume() }
                }
            }
        }
    }
}
