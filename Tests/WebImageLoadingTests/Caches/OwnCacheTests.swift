import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("An app's own cache", .timeLimit(.minutes(5)))
struct OwnCacheTests {
    private let cache = OwnCache()
    private let key = CacheKey("https://example.org/a.jpg")
    private let recorder = QueryRecorder()

    @Test(
        "T4.58 S4-28 CAC-15 it implements seven calls; storing, querying, contains, removing and clearing work with them"
    )
    func whole() async throws {
        let image = try Image.sample(width: 3)
        try await cache.store(ImageCacheRecord(key, image: image, context: .coder(ScriptedCoder())))
        #expect(await cache.contains(key) == .memory)
        #expect(cache.queryImage(for: key, completion: recorder.completion) == nil)
        #expect(recorder.words == ["memory 3x1"])
        let removed = Gate()
        cache.remove(for: key, from: .all) { removed.open() }
        try await removed.wait()
        #expect(await cache.contains(key) == .noCache)

        try await cache.store(ImageCacheRecord(key, data: ScriptedCoder.file(4, 4)))
        #expect(await cache.contains(key) == .disk)
        #expect(await cache.contains(key, in: .memory) == .noCache)
        let found = try await cache.queryImage(for: key, context: .coder(ScriptedCoder()))
        #expect(found?.cacheType == .disk && found?.image.pixelSize == .square(4))
        let cleared = Gate()
        cache.clear(.all) { cleared.open() }
        try await cleared.wait()
        #expect(await cache.contains(key) == .noCache)
    }

    @Test("S4-28 CAC-6 a picture without a file is encoded off the caller's thread, and a failure is reported")
    func encoding() async throws {
        try await cache.store(
            ImageCacheRecord(key, image: .plain(4, 4), context: .coder(ScriptedCoder()), cacheType: .disk))
        #expect(try cache.queryDiskBlocking(for: key)?.data == ScriptedCoder.file(4, 4))
        let failing = ScriptedCoder(willEncode: { () throws(WebImageError) in
            throw WebImageError(.encodeFailed, stage: .encode, kind: .permanent, reason: "no ink")
        })
        let error = await #expect(throws: WebImageError.self) {
            try await cache.store(ImageCacheRecord(key, image: .sample(), context: .coder(failing)))
        }
        #expect(error?.reason == "no ink")
        try await cache.store(ImageCacheRecord(CacheKey("nothing")))
        #expect(try cache.queryDiskBlocking(for: CacheKey("nothing")) == nil)
    }

    @Test("S4-28 a manager loads through it")
    func manager() async throws {
        let loader = SuspendedLoader()
        let manager = WebImageManager(
            cache: cache, loader: loader, coder: ScriptedCoder(), clock: ContinuousClock(), queue: .withOwnThreads())
        let load = manager.observed(ImageRequest(try ManagerBench.url(), options: .waitStoreCache))
        try await loader.waitForLoads(1)[0].finish(ScriptedCoder.file(4, 4))
        _ = try await load.result()
        #expect(await cache.contains(ManagerBench.key()) == .memory)
    }

    @Test("the counts of changes of two caches may be any numbers")
    func generations() async throws {
        var context = WebImageContext()
        context.originalCache = LateCache()
        let loader = ClosureImageLoader { _ in ScriptedCoder.file(4, 4) }
        let manager = WebImageManager(cache: LateCache(), loader: loader, coder: ScriptedCoder())
        let result = try await manager.result(for: ImageRequest(try ManagerBench.url(), context: context))
        #expect(result.image.pixelSize == .square(4))
    }
}

/// A cache whose count of changes begins near the end.
private struct LateCache: EmptyCache {
    func generation(of keys: [CacheKey]) -> Int { .max }
}

/// A cache of two dictionaries.
private final class OwnCache: ImageCaching {
    private let memory = Observed<[CacheKey: Image]>([:])
    private let disk = Observed<[CacheKey: DiskCacheEntry]>([:])

    func imageFromMemory(for key: CacheKey) -> Image? { memory.value[key] }
    func storeInMemory(_ image: Image, for key: CacheKey) { memory.update { $0[key] = image } }

    func queryDisk(
        for key: CacheKey, priority: LoadPriority,
        completion: @escaping @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void
    ) -> any CancellableTask {
        completion(.success(disk.value[key]))
        return DeferredCancellation()
    }

    func queryDiskBlocking(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry? { disk.value[key] }

    func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) {
        disk.update { $0[key] = entry }
        completion?(.success(()))
    }

    func remove(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        if tiers.contains(.memory) { memory.update { $0[key] = nil } }
        if tiers.contains(.disk) { disk.update { $0[key] = nil } }
        completion?()
    }

    func clear(_ tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        if tiers.contains(.memory) { memory.update { $0 = [:] } }
        if tiers.contains(.disk) { disk.update { $0 = [:] } }
        completion?()
    }
}
