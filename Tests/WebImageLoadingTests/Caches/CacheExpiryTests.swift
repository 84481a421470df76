import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageCache
@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Image cache: entries with an expiry date", .timeLimit(.minutes(5)))
struct CacheExpiryTests {
    private let directory: CacheDirectory
    private let memoryClock = ManualClock()
    private let diskClock = TestClock()
    private let memory: MemoryCache
    private let cache: ImageCache
    private let key = CacheKey("https://example.org/a.png")
    private let context = WebImageContext.coder(ScriptedCoder())

    init() throws {
        directory = try CacheDirectory()
        memory = MemoryCache(limits: MemoryCacheLimits(cost: nil, count: nil), clock: memoryClock, pressure: nil)
        cache = ImageCache(memoryCache: memory, diskCache: directory.cache(clock: diskClock))
    }

    private func advance(by seconds: Int) {
        memoryClock.advance(by: .seconds(seconds))
        diskClock.advance(by: TimeInterval(seconds))
    }

    private func record(image: Image? = nil) -> ImageCacheRecord {
        var record = ImageCacheRecord(key, image: image, data: ScriptedCoder.file(8, 8), context: context)
        record.expiresAt = Date() + 60
        return record
    }

    @Test("complaint 20: a picture with a date is found until then, and afterwards not in memory either")
    func stored() async throws {
        try await cache.store(record(image: .sample()))
        advance(by: 50)
        #expect(await cache.contains(key) == .memory)
        advance(by: 11)
        #expect(cache.imageFromMemory(for: key) == nil)
        #expect(try await cache.queryImage(for: key, context: context) == nil)
        #expect(await cache.contains(key) == .noCache)
    }

    @Test("complaint 20: a picture that a query has put into memory is found no longer than its file")
    func promoted() async throws {
        try await cache.store(record())
        var small = context
        small.thumbnailPixelSize = .square(2)
        for context in [context, small] {
            #expect(try await cache.queryImage(for: key, context: context)?.cacheType == .disk)
            #expect(try await cache.queryImage(for: key, context: context)?.cacheType == .memory)
        }
        advance(by: 61)
        for context in [context, small] { #expect(try await cache.queryImage(for: key, context: context) == nil) }
    }

    @Test("complaint 20: the file of a thumbnail ends with the file of its original, and so does its picture")
    func derived() async throws {
        try await cache.store(record())
        let manager = WebImageManager(
            cache: cache, loader: SuspendedLoader(), coder: ScriptedCoder(), clock: ContinuousClock(),
            queue: .withOwnThreads())
        var context = WebImageContext()
        context.thumbnailPixelSize = .square(2)
        context.transformer = ScriptedTransformer("t")
        let url = try #require(URL(string: key.string))
        let request = ImageRequest(url, options: [.fromCacheOnly, .waitStoreCache], context: context)
        #expect(try await manager.observed(request).result().cacheType == .disk)
        let name = manager.cacheKey(for: url, context: context)
        let end = try #require(try await cache.entry(for: name)?.expiresAt)
        #expect(abs(end.timeIntervalSinceNow - 60) < 60)
        #expect(cache.imageFromMemory(for: name) != nil)
        advance(by: 61)
        #expect(cache.imageFromMemory(for: name) == nil)
        #expect(try await manager.observed(request).failure().code == .notCached)
    }

    @Test("the lifetime of all pictures in memory also holds for those with a date")
    func shorterAge() async throws {
        memory.defaultLifetime = .seconds(10)
        cache.storeInMemory(try .sample(), for: key, expiresAt: Date() + 60)
        cache.storeInMemory(try .sample(), for: CacheKey("b"), expiresAt: Date() - 1)
        #expect(cache.imageFromMemory(for: key) != nil && cache.imageFromMemory(for: CacheKey("b")) == nil)
        memoryClock.advance(by: .seconds(11))
        #expect(cache.imageFromMemory(for: key) == nil)
    }

    @Test("several caches pass a date on; a cache without dates does not keep such a picture")
    func otherCaches() throws {
        let own: any ImageCaching = SuspendedCache()
        let several = ImageCachesManager(caches: [cache])
        for caching in [own, several] {
            caching.storeInMemory(try .sample(), for: key, expiresAt: nil)
            #expect(caching.imageFromMemory(for: key) != nil)
            caching.storeInMemory(try .sample(), for: key, expiresAt: Date() + 60)
        }
        #expect(own.imageFromMemory(for: key) == nil)
        #expect(several.imageFromMemory(for: key) != nil)
        memoryClock.advance(by: .seconds(61))
        #expect(several.imageFromMemory(for: key) == nil)
    }
}
