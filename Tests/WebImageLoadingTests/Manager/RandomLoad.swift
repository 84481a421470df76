import FoundationEssentials
import Synchronization
import WebImageCore
import WebImageHTTP
import WebImagePixels
import WebImageTestLoads
import WebImageTesting

@testable import WebImageLoading

/// A load with random settings, deterministic for a seed: everything that determines reads, transfers and writes.
struct RandomLoad {
    /// Without it a load ends before its files are written, and the test cannot wait for them.
    static let always: WebImageOptions = .waitStoreCache

    let request: ImageRequest
    let cache = SuspendedCache()
    let originalCache: SuspendedCache

    private static let options = WebImageOptions.byName.map(\.value)
    private static let tiers: [ImageCacheType] = [.automatic, .automatic, .noCache, .memory, .disk, .all]

    init(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let address = Int.random(in: 0..<8, using: &random) == 0 ? "file:///a.jpg" : "http://host/a@2x.jpg"
        var options = Self.always
        for option in Self.options where Int.random(in: 0..<8, using: &random) == 0 { options.insert(option) }
        var context = WebImageContext()
        context.callbackQueue = .current
        context.queryCacheType = Self.tiers.randomElement(using: &random) ?? .automatic
        context.storeCacheType = Self.tiers.randomElement(using: &random) ?? .automatic
        context.originalQueryCacheType = Self.tiers.randomElement(using: &random) ?? .automatic
        context.originalStoreCacheType = Self.tiers.randomElement(using: &random) ?? .automatic
        if Bool.random(using: &random) { context.thumbnailPixelSize = PixelSize(width: 2, height: 2) }
        if Bool.random(using: &random) {
            context.transformer = ImageFlippingTransformer(horizontal: true, vertical: false)
        }
        if Int.random(in: 0..<4, using: &random) == 0 { context.scaleDownLimitBytes = 1 << 20 }
        if Int.random(in: 0..<4, using: &random) == 0 { context.scaleFactor = 3 }
        if Int.random(in: 0..<4, using: &random) == 0 { context.httpHeaders = ["X-Seed": "\(seed)"] }
        if Int.random(in: 0..<4, using: &random) == 0 { context.timeout = .seconds(3) }
        originalCache = Bool.random(using: &random) ? SuspendedCache() : cache
        if originalCache !== cache { context.originalCache = originalCache }
        request = ImageRequest(URL(string: address), options: options, context: context)
    }

    /// All files read, for the finished picture and then for the original.
    var filesRead: [CacheKey] { caches.flatMap { $0.queries + $0.reads } }
    var filesWritten: [String] { caches.flatMap(\.stores).map(\.string).sorted() }
    var picturesInMemory: Set<CacheKey> { Set(caches.flatMap(\.memory.keys)) }

    func cache(of access: LoadExplanation.Access) -> SuspendedCache {
        access.picture == .original ? originalCache : cache
    }

    private var caches: [SuspendedCache] { cache === originalCache ? [cache] : [cache, originalCache] }
}

/// Answers every load at once with the same file; for a refresh it has nothing new.
final class AnsweringLoader: ImageLoader {
    private let file: Data
    private let asked = Mutex<[ImageLoadRequest]>([])

    init(_ file: Data) { self.file = file }

    var requests: [ImageLoadRequest] { asked.withLock { $0 } }

    func canLoad(_ url: URL) -> Bool { true }

    func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        asked.withLock { $0.append(request) }
        let isRefreshed = request.cachedImage != nil
        let nothingNew = WebImageError(.cacheNotModified, stage: .load, kind: .policy, reason: "nothing new")
        receive(.finished(isRefreshed ? .failure(nothingNew) : .success(ImageLoadResponse(data: file))))
        return EndedLoadTask()
    }
}
