import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// The most frequent complaints of users of such libraries, as far as the caches address them.
@Suite("Complaints about caches", .timeLimit(.minutes(5)))
struct ComplaintTests {
    private let directory: CacheDirectory
    private let origin: LoopbackOrigin
    private static let photo = (try? Fixtures.data("photo.jpg")) ?? Data()
    private static let other = (try? Fixtures.data("no-profile.jpg")) ?? Data()

    init() throws {
        directory = try CacheDirectory()
        origin = try LoopbackOrigin()
    }

    private func bench(_ cache: ImageCache) -> WebImageManager {
        WebImageManager(cache: cache, loader: WebImageDownloader())
    }

    private func result(
        _ manager: WebImageManager, _ path: String = "/a.jpg", _ options: WebImageOptions = .waitStoreCache
    ) async throws -> LoadResult {
        try await manager.result(for: origin.url(path), options: options)
    }

    @Test(
        "complaint 1: the same URL with a new picture: a refresh asks by ETag or by date, keeps on 304, changes on 200",
        arguments: [("\"1\"", nil), (nil, "Fri, 20 Nov 2026 10:00:00 GMT")] as [(String?, String?)])
    func sameURL(etag: String?, lastModified: String?) async throws {
        origin.serve("/a.jpg", .picture(Self.photo).validated(etag: etag, lastModified: lastModified))
        let cache = ImageCache(directory: directory.path)
        let manager = bench(cache)
        #expect(try await result(manager).cacheType == .noCache)
        await cache.clear(.memory)
        // The server's 304 has no body; the picture is there all the same.
        let kept = try await result(manager, "/a.jpg", [.refreshCached, .waitStoreCache])
        #expect(kept.cacheType == .disk && kept.data == Self.photo)
        #expect(origin.requestCount("/a.jpg") == 2)

        origin.serve("/a.jpg", .picture(Self.other).validated(etag: "\"2\""))
        let changed = try await result(manager, "/a.jpg", [.refreshCached, .waitStoreCache])
        #expect(changed.cacheType == .noCache && changed.data == Self.other)
        let key = CacheKey(origin.url("/a.jpg").absoluteString)
        #expect(try await cache.entry(for: key)?.data == Self.other)
        #expect(try await result(manager).image === changed.image)
    }

    @Test("complaint 3: however many pictures go by, memory stays within its limit, and each is no larger than shown")
    func memory() async throws {
        let limit = 400_000
        let memory = MemoryCache(costLimit: limit)
        let cache = ImageCache(memoryCache: memory, diskCache: directory.cache())
        for number in 0..<60 {
            cache.store(data: Self.photo, for: CacheKey("\(number)"))
        }
        await cache.flush()
        var context = WebImageContext()
        context.thumbnailPixelSize = .square(100)
        let highest = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<60 {
                group.addTask { [context] in
                    let image = try await cache.queryImage(for: CacheKey("\(number)"), context: context)?.image
                    #expect(image?.pixelSize == PixelSize(width: 100, height: 75))
                    return memory.statistics.byteCount
                }
            }
            return try await group.reduce(0) { max($0, $1) }
        }
        #expect(highest > 0 && highest <= limit)
    }

    @Test(
        "complaint 3: at any time, only running decodes and their results have pixels"
    )
    func decodesUnderWay() async throws {
        let (decoders, pictures) = (2, 20)
        let gate = Gate()
        let running = Observed((now: 0, most: 0))
        let coder = ScriptedCoder { _ in
            running.update { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            gate.waitBlocking()
            running.update { $0.now -= 1 }
        }
        let loader = SuspendedLoader()
        // Decoded pictures are released at once: no cache keeps them, and the test holds no result.
        let memory = MemoryCache(costLimit: 1)
        let manager = WebImageManager(
            cache: ImageCache(memoryCache: memory, diskCache: directory.cache()), loader: loader, coder: coder,
            clock: ContinuousClock(), queue: .withOwnThreads(limit: decoders))
        let loads = try (0..<pictures).map { manager.observed(ImageRequest(try ManagerBench.url("\($0).jpg"))) }
        for load in try await loader.waitForLoads(pictures) { load.finish(ScriptedCoder.file(100, 100)) }
        try await running.wait { $0.now == decoders }
        gate.open()
        for load in loads { #expect(try await load.result().image.pixelSize == .square(100)) }
        #expect(coder.decodeCount == pictures && running.value.most == decoders)
    }

    @Test("complaint 5: no call of a cache waits for its disk, except the documented ones")
    func blockedDisk() async throws {
        let gate = Gate()
        let fileSystem = FaultyFileSystem()
        fileSystem.setGate { _, _ in gate.waitBlocking() }
        let cache = ImageCache(memoryCache: MemoryCache(), diskCache: directory.cache(fileSystem))
        let done = Observed<Int>(0)
        let step = { @Sendable in done.update { $0 += 1 } }
        let (key, other) = (CacheKey("a"), CacheKey("b"))
        let context = WebImageContext.coder(ScriptedCoder())
        cache.queryImage(for: key, context: context) { _ in step() }
        cache.contains(key, in: .all) { _ in step() }
        cache.store(try .sample(), for: key, context: context) { _ in step() }
        cache.store(data: Self.photo, for: other, context: context) { _ in step() }
        cache.remove(for: key, from: .all) { step() }
        cache.clear(.all) { step() }
        cache.usage { _ in step() }
        cache.removeExpired { _ in step() }
        let token = cache.queryImage(for: CacheKey("c"), context: context) { _ in step() }
        token?.cancel()
        // This line is reached although the disk has not answered yet.
        gate.open()
        try await done.wait { $0 == 9 }
    }

    @Test("complaint 11: a body that was cut off reaches no cache; a damaged file is loaded again")
    func damaged() async throws {
        let cache = ImageCache(directory: directory.path)
        let manager = bench(cache)
        origin.serve("/cut.jpg", .picture(Self.photo).closed(afterBytes: Self.photo.count / 2))
        await #expect(throws: WebImageError.self) { try await result(manager, "/cut.jpg") }
        #expect(await cache.usage().count == 0)

        origin.serve("/a.jpg", .picture(Self.photo))
        _ = try await result(manager)
        let path = try directory.onlyFile
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count / 2] ^= 0x10
        try bytes.write(to: URL(filePath: path))
        await cache.clear(.memory)
        let again = try await result(manager)
        #expect(again.cacheType == .noCache && again.data == Self.photo)
        await cache.clear(.memory)
        #expect(try await result(manager).cacheType == .disk)
    }

    @Test("complaint 19: the caches hold exactly the entries of the explanation, key by key and tier by tier")
    func explained() async throws {
        origin.serve("/a.jpg", .picture(Self.photo))
        let cache = ImageCache(directory: directory.path)
        let manager = bench(cache)
        var context = WebImageContext()
        context.thumbnailPixelSize = .square(50)
        let request = ImageRequest(origin.url("/a.jpg"), options: .waitStoreCache, context: context)
        let explanation = manager.explain(request)
        _ = try await manager.result(for: origin.url("/a.jpg"), options: .waitStoreCache, context: context)
        let onDisk = explanation.writes.filter { $0.tier == .disk }.map(\.key)
        #expect(onDisk.count == 2)
        #expect(Set(onDisk.compactMap { cache.cachePath(for: $0) }) == Set(directory.files))
        for access in explanation.writes where access.tier == .memory {
            #expect(cache.imageFromMemory(for: access.key) != nil)
        }
        #expect(cache.imageFromMemory(for: explanation.keys?.original ?? CacheKey("")) == nil)
    }

    @Test("complaint 20: an entry's own date, then the age of all, then the sizes decide the eviction")
    func expiry() async throws {
        let clock = TestClock()
        let disk = directory.cache(clock: clock) {
            $0.maxDiskAge = .seconds(1000)
            $0.maxDiskCount = 2
        }
        let cache = ImageCache(memoryCache: MemoryCache(), diskCache: disk)
        var record = ImageCacheRecord(CacheKey("own"), data: Self.photo)
        record.expiresAt = clock.now + 60
        try await cache.store(record)
        try await cache.store(ImageCacheRecord(CacheKey("usual"), data: Self.photo))
        #expect(try await cache.entry(for: record.key) != nil)
        clock.advance(by: 61)
        #expect(try await cache.entry(for: record.key) == nil)
        #expect(try await cache.entry(for: CacheKey("usual")) != nil)
        clock.advance(by: 1000)
        try await cache.store(ImageCacheRecord(CacheKey("new"), data: Self.photo))
        try await cache.removeExpired()
        #expect(directory.files.count == 1)
        for number in 0..<2 {
            clock.advance(by: 1)
            try await cache.store(ImageCacheRecord(CacheKey("\(number)"), data: Self.photo))
        }
        try await cache.removeExpired()
        // Above the limit, the cache is trimmed to half of it: the newest entry stays.
        #expect(try await cache.entry(for: CacheKey("1")) != nil)
        #expect(await cache.usage().count == 1)
    }
}
