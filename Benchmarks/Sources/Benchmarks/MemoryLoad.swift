import CAllocations
import FoundationEssentials
import WebImage

/// A whole load answered from memory, from the call to the callback on the same thread, against the lookup in the
/// memory cache alone.
struct MemoryLoad: Benchmark {
    static let id = "memory-load"
    static let what = "a load answered by memory, call to callback"

    private static let rounds = 20_000

    func run() async throws -> Measurement {
        let scene = try Scene()
        let outcome = await Turns().compare {
            threadSeconds { for _ in 0..<Self.rounds { scene.load() } } * 1e9 / Double(Self.rounds)
        } rival: {
            threadSeconds { for _ in 0..<Self.rounds { scene.look() } } * 1e9 / Double(Self.rounds)
        }
        return measurement(outcome, unit: "ns", rival: "key and memory cache alone", goal: 22)
    }

    /// A manager with one picture in its memory.
    struct Scene {
        let url: URL
        private let directory = TemporaryDirectory()
        private let cache: ImageCache
        private let manager: WebImageManager
        private let context: WebImageContext

        init() throws {
            guard let url = URL(string: "https://example.org/pictures/of/some/length/1234.jpg") else {
                throw BenchmarkError("no URL")
            }
            self.url = url
            cache = ImageCache(directory: directory.path)
            manager = WebImageManager(cache: cache, loader: NullLoader(data: Data()))
            let image = Image(bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 255]))
            cache.storeInMemory(image, for: CacheKey(url.absoluteString))
            var context = WebImageContext()
            context.callbackQueue = .current
            self.context = context
        }

        func load() {
            manager.load(url, context: context) { result in
                guard case .success(let success) = result, success.cacheType == .memory else { fatalError("a miss") }
            }
        }

        func look() {
            guard cache.imageFromMemory(for: CacheKey(url.absoluteString)) != nil else { fatalError("a miss") }
        }
    }
}

/// The allocations of that load, equal in every run; the ceiling is in `thresholds.json`.
struct MemoryLoadAllocations: Benchmark {
    static let id = "memory-load-allocations"
    static let what = "a load answered by memory, allocations"

    func run() async throws -> Measurement {
        let scene = try MemoryLoad.Scene()
        for _ in 0..<10 { scene.load() }
        let ours = Self.allocations { scene.load() }
        let rival = Self.allocations { scene.look() }
        return Measurement(
            id: Self.id, what: Self.what, ours: ours, unit: "", rival: "key and memory cache alone", rivalValue: rival,
            ratio: ours / max(1, rival), ceiling: try Thresholds.ceiling(of: Self.id))
    }

    private static func allocations(_ work: () -> Void) -> Double {
        let before = webimage_allocation_count()
        for _ in 0..<100 { work() }
        return Double(webimage_allocation_count() - before) / 100
    }
}
