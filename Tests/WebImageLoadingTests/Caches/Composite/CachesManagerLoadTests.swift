import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Several caches: as the cache of a manager", .timeLimit(.minutes(5)))
struct CachesManagerLoadTests {
    private let low = SuspendedCache()
    private let high = SuspendedCache()
    private let caches: ImageCachesManager
    private let manager: WebImageManager
    private let loader = SuspendedLoader()
    private static let file = ScriptedCoder.file(40, 40)

    init() {
        caches = ImageCachesManager(caches: [low, high])
        manager = WebImageManager(
            cache: caches, loader: loader, coder: ScriptedCoder(), clock: ContinuousClock(), queue: .withOwnThreads())
    }

    private func load(_ options: WebImageOptions = []) throws -> ManagedLoad {
        manager.observed(ImageRequest(try ManagerBench.url(), options: options))
    }

    @Test("S4-29 a load stores where the policy says: both caches receive it")
    func storesInBoth() async throws {
        caches.storeOperationPolicy = .concurrent
        let load = try load(.waitStoreCache)
        try await loader.waitForLoads(1)[0].finish(Self.file)
        _ = try await load.result()
        for cache in [low, high] {
            #expect(cache.stores == [ManagerBench.key()])
            #expect(cache.memory.count == 1)
        }
    }

    @Test("S4-29 memory of any of them answers at once; the disks by the policy for queries")
    func finds() async throws {
        low.put(Self.file, for: ManagerBench.key())
        let fromDisk = try load(.fromCacheOnly)
        #expect(try await fromDisk.result().cacheType == .disk)
        #expect(high.queries.count == 1 && low.queries.count == 1)
        low.storeInMemory(try .sample(width: 3), for: ManagerBench.key())
        high.clear(.memory, completion: nil)
        let fromMemory = try load(.fromCacheOnly)
        #expect(try await fromMemory.result().image.pixelSize.width == 3)
        #expect(loader.loads.isEmpty)
    }

    @Test("S4-29 a file that does not decode is removed from all of them, and loaded again")
    func damaged() async throws {
        high.put(Data("damaged".utf8), for: ManagerBench.key())
        let load = try load()
        try await loader.waitForLoads(1)[0].finish(Self.file)
        #expect(try await load.result().cacheType == .noCache)
        #expect(high.removed.contains(ManagerBench.key()))
    }
}
