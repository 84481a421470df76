import FoundationEssentials
import Synchronization
import Testing
import WebImageCore
import WebImageLoading
import WebImagePixels
import WebImageTesting

@testable import WebImageCache
@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// A cache of an app's own that stands before the built-in one, to log what happens, say.
@Suite("A cache in front of another one keeps its promises", .timeLimit(.minutes(5)))
struct ForwardingCacheTests {
    private let directory: CacheDirectory
    private let key = ManagerBench.key()

    init() throws { directory = try CacheDirectory() }

    enum Front: String, CaseIterable {
        case wrapper, several

        func cache(before cache: ImageCache) -> any ImageCaching {
            switch self {
            case .wrapper: ForwardingCache(cache)
            case .several: ImageCachesManager(caches: [ForwardingCache(cache)])
            }
        }
    }

    private func manager(_ cache: any ImageCaching, _ coder: any ImageCoder, _ loader: SuspendedLoader)
        -> WebImageManager
    {
        WebImageManager(cache: cache, loader: loader, coder: coder, clock: ContinuousClock(), queue: .withOwnThreads())
    }

    @Test(
        "an entry that is removed while its thumbnail is made does not come back, in no tier", arguments: Front.allCases
    )
    func removedMeanwhile(front: Front) async throws {
        let cache = ImageCache(memoryCache: MemoryCache(), diskCache: directory.cache())
        try await cache.store(ImageCacheRecord(key, data: ScriptedCoder.file(8, 8)))
        let held = HeldCoder()
        let manager = manager(front.cache(before: cache), held.coder, SuspendedLoader())
        var context = WebImageContext()
        context.thumbnailPixelSize = .square(2)
        let url = try ManagerBench.url()
        let load = manager.observed(ImageRequest(url, options: .waitStoreCache, context: context))
        try await held.isDecodingNow()
        cache.remove(for: key, from: .all, completion: nil)
        try await held.release()
        #expect(try await load.result().image.pixelSize == .square(2))
        await cache.flush()
        #expect(cache.imageFromMemory(for: manager.cacheKey(for: url, context: context)) == nil)
        #expect(directory.files.isEmpty)
    }

    @Test(
        "after a new file, no query finds the old one's picture, however it was decoded",
        arguments: Front.allCases
    )
    func refreshed(front: Front) async throws {
        let cache = ImageCache(memoryCache: MemoryCache(), diskCache: directory.cache())
        try await cache.store(ImageCacheRecord(key, data: ScriptedCoder.file(8, 8)))
        var limited = WebImageContext.coder(ScriptedCoder())
        limited.scaleFactor = 2
        _ = try await cache.queryImage(for: key, context: limited)
        #expect(cache.imageFromMemory(for: key, options: [], context: limited) != nil)
        let loader = SuspendedLoader()
        let manager = manager(front.cache(before: cache), ScriptedCoder(), loader)
        let load = manager.observed(
            ImageRequest(try ManagerBench.url(), options: [.refreshCached, .waitStoreCache]))
        try await loader.waitForLoads(1)[0].finish(ScriptedCoder.file(3, 3))
        #expect(try await load.result().image.pixelSize == .square(3))
        #expect(cache.imageFromMemory(for: key, options: [], context: limited) == nil)
        #expect(cache.imageFromMemory(for: key)?.pixelSize == .square(3))
    }

    @Test(
        "files are stored with the hashes of their pictures, which are found without the files",
        arguments: Front.allCases)
    func hashed(front: Front) async throws {
        var config = ImageCacheConfig()
        config.storesThumbHashes = true
        let cache = ImageCache(directory: directory.path, config: config)
        let front = front.cache(before: cache)
        #expect(front.storesThumbHashes)
        let image = Image(bitmap: try HashPicture.bitmap(20, 10))
        try await front.store(ImageCacheRecord(key, image: image, data: Data("a".utf8)))
        let head = await withCheckedContinuation { continuation in
            front.queryHead(for: key) { continuation.resume(returning: $0) }
        }
        #expect(try head?.thumbHash == ThumbHash(of: image.bitmap))
    }

    @Test("a picture with a date of its own is found no longer than the memory tier's lifetime")
    func lifetime() throws {
        let clock = ManualClock()
        let memory = MemoryCache(limits: MemoryCacheLimits(cost: nil, count: nil, lifetime: .seconds(5)), clock: clock)
        let cache = ImageCache(memoryCache: ForwardingMemory(memory), diskCache: directory.cache())
        cache.storeInMemory(try .plain(1, 1), for: key, expiresAt: Date() + 100)
        #expect(cache.imageFromMemory(for: key) != nil)
        clock.advance(by: .seconds(6))
        #expect(cache.imageFromMemory(for: key) == nil)
    }

    @Test("a cache without a counter still has a generation, with all its effects")
    func defaults() async throws {
        let cache = SuspendedCache()
        cache.storeInMemory(try .plain(1, 1), for: key)
        #expect(cache.generation(of: [key]) == 0)
        for generation in [1, 0] {
            await withCheckedContinuation { continuation in
                let entry = DiskCacheEntry(data: Data("a".utf8))
                cache.storeOnDisk(entry, for: key, ifStill: generation, of: [key]) { _ in continuation.resume() }
            }
            #expect(cache.stores.count == 1 - generation)
        }
        cache.removeOlder(than: try .plain(1, 1), for: key)
        #expect(cache.memory.isEmpty)
    }
}

/// Hands every call on.
private final class ForwardingCache: ImageCaching {
    private let cache: any ImageCaching

    init(_ cache: any ImageCaching) { self.cache = cache }

    func imageFromMemory(for key: CacheKey) -> Image? { cache.imageFromMemory(for: key) }
    func imagesFromMemory(of key: CacheKey) -> [Image] { cache.imagesFromMemory(of: key) }
    func storeInMemory(_ image: Image, for key: CacheKey) { cache.storeInMemory(image, for: key) }
    func storeInMemory(_ image: Image, for key: CacheKey, expiresAt: Date?) {
        cache.storeInMemory(image, for: key, expiresAt: expiresAt)
    }

    func queryDisk(
        for key: CacheKey, priority: LoadPriority,
        completion: @escaping @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void
    ) -> any CancellableTask { cache.queryDisk(for: key, priority: priority, completion: completion) }

    func queryDiskBlocking(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry? {
        try cache.queryDiskBlocking(for: key)
    }

    var storesThumbHashes: Bool { cache.storesThumbHashes }

    func openFile(for key: CacheKey) -> RandomAccessFile? { cache.openFile(for: key) }

    func queryHead(for key: CacheKey, completion: @escaping @Sendable (DiskCacheEntry?) -> Void) {
        cache.queryHead(for: key, completion: completion)
    }

    func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) { cache.storeOnDisk(entry, for: key, completion: completion) }

    func generation(of keys: [CacheKey]) -> Int { cache.generation(of: keys) }

    func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, ifStill generation: Int, of keys: [CacheKey],
        completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) { cache.storeOnDisk(entry, for: key, ifStill: generation, of: keys, completion: completion) }

    func removeOlder(than image: Image, for key: CacheKey) { cache.removeOlder(than: image, for: key) }

    func remove(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        cache.remove(for: key, from: tiers, completion: completion)
    }

    func removeAlone(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        cache.removeAlone(for: key, from: tiers, completion: completion)
    }

    func clear(_ tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        cache.clear(tiers, completion: completion)
    }
}

/// Hands every call on.
private final class ForwardingMemory: MemoryCaching {
    private let memory: any MemoryCaching

    init(_ memory: any MemoryCaching) { self.memory = memory }

    func image(for key: CacheKey) -> Image? { memory.image(for: key) }
    func store(_ image: Image, for key: CacheKey, cost: Int) { memory.store(image, for: key, cost: cost) }
    func store(_ image: Image, for key: CacheKey, cost: Int, expiresAfter lifetime: Duration?) {
        memory.store(image, for: key, cost: cost, expiresAfter: lifetime)
    }
    func remove(for key: CacheKey) { memory.remove(for: key) }
    func images(of key: CacheKey) -> [Image] { memory.images(of: key) }
    var keys: [CacheKey] { memory.keys }
    func removeAlone(for key: CacheKey) { memory.removeAlone(for: key) }
    func removeOlder(than image: Image, for key: CacheKey) { memory.removeOlder(than: image, for: key) }
    var defaultLifetime: Duration? { memory.defaultLifetime }
    func setLimits(cost: Int?, count: Int?, age: Duration?) { memory.setLimits(cost: cost, count: count, age: age) }
    func removeAll() { memory.removeAll() }
}
