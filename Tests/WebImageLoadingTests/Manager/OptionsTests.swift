import FoundationEssentials
import Testing
import WebImageCache
import WebImageCoders
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: options", .timeLimit(.minutes(5)))
struct OptionsTests {
    private let bench = ManagerBench()
    private static let key = ManagerBench.key()

    @Test("S0-1 all 26 options exist, at SDWebImage's bits")
    func bits() {
        let inOrder: [WebImageOptions] = [
            .retryFailed, .lowPriority, .progressiveLoad, .refreshCached, .continueInBackground, .handleCookies,
            .allowInvalidSSLCertificates, .highPriority, .delayPlaceholder, .transformAnimatedImage,
            .avoidAutoSetImage, .scaleDownLargeImages, .queryMemoryData, .queryMemoryDataSync, .queryDiskDataSync,
            .fromCacheOnly, .fromLoaderOnly, .forceTransition, .avoidDecodeImage, .decodeFirstFrameOnly,
            .preloadAllFrames, .matchAnimatedImageClass, .waitStoreCache, .transformVectorImage,
            .avoidAutoCancelImage, .waitTransition,
        ]
        let bits = (0..<26).map { bit -> UInt in 1 << bit }
        #expect(inOrder.map(\.rawValue) == bits)
    }

    @Test("OPT-0 with retryFailed the list is not checked, and success takes the URL off it")
    func retrySucceeds() async throws {
        _ = try await bench.load(sending: Data("no".utf8))
        #expect(try bench.load().failureCode == .blockedURL)
        _ = try await bench.load("a.jpg", .retryFailed, sending: ScriptedCoder.file(1, 1)).get()
        #expect(try await bench.load("a.jpg", .fromLoaderOnly, sending: ScriptedCoder.file(1, 1)).failure == nil)
    }

    @Test("B40 OPT-0 a failure with retryFailed puts the URL on the list for others, as any other")
    func retryFails() async throws {
        #expect(try await bench.load("a.jpg", .retryFailed, sending: Data("no".utf8)).failure?.code == .badImageData)
        #expect(try bench.load().failureCode == .blockedURL)
        #expect(try await bench.load("a.jpg", .retryFailed, sending: ScriptedCoder.file(1, 1)).failure == nil)
    }

    @Test("OPT-4 S0-7 a load holds the app while it runs, with the option and a provider")
    func background() async throws {
        let provider = BackgroundTime()
        bench.manager.backgroundTasks = provider
        let load = try bench.load("a.jpg", .continueInBackground)
        _ = try bench.load("b.jpg")
        #expect(provider.tasks.count == 1)
        #expect(!provider.tasks[0].isOver)
        try await bench.transfer(1).finish(ScriptedCoder.file(1, 1))
        _ = try await load.result()
        #expect(provider.tasks[0].isOver)
        bench.manager.cancelAll()
    }

    @Test("OPT-4 a load whose time in the background is up ends, once")
    func expired() async throws {
        let provider = BackgroundTime()
        bench.manager.backgroundTasks = provider
        let load = try bench.load("a.jpg", .continueInBackground)
        provider.tasks[0].expire()
        provider.tasks[0].expire()
        #expect(load.words == ["failed 2002"])
        #expect(provider.tasks[0].isOver)
        for load in bench.loader.loads { try await load.waitForCancellation() }
    }

    @Test("OPT-5 OPT-6 cookies and untrusted certificates are for the loads with the option")
    func cookiesAndCertificates() async throws {
        _ = try bench.load("a.jpg")
        _ = try bench.load("b.jpg", .handleCookies)
        _ = try bench.load("c.jpg", .allowInvalidSSLCertificates)
        let requests = try await bench.loader.waitForLoads(3).map(\.request)
        #expect(requests.map(\.usesCookies) == [false, true, false])
        #expect(requests.map(\.allowsInvalidCertificates) == [false, false, true])
        bench.manager.cancelAll()
    }

    @Test("OPT-11 large pictures are decoded to the default limit, or to the context's own")
    func scaleDown() async throws {
        let limits = Observed<[Int?]>([])
        let coder = ScriptedCoder { options in limits.update { $0.append(options.scaleDownLimitBytes) } }
        _ = try await bench.load("a.jpg", sending: ScriptedCoder.file(1, 1)) { $0.coder = coder }
        _ = try await bench.load("b.jpg", .scaleDownLargeImages, sending: ScriptedCoder.file(1, 1)) {
            $0.coder = coder
        }
        _ = try await bench.load("c.jpg", .scaleDownLargeImages, sending: ScriptedCoder.file(1, 1)) {
            $0.coder = coder
            $0.scaleDownLimitBytes = 4000
        }
        #expect(limits.value == [nil, ImageDecodeOptions.defaultScaleDownLimitBytes, 4000])
    }

    @Test("OPT-12 B5 a picture from memory brings its file from the disk, and still says memory")
    func memoryData() async throws {
        bench.cache.put(ScriptedCoder.file(2, 2), for: Self.key)
        bench.cache.storeInMemory(try .plain(2, 2), for: Self.key)
        let result = try await bench.load("a.jpg", .queryMemoryData).result()
        #expect(result.cacheType == .memory)
        #expect(result.data == ScriptedCoder.file(2, 2))
        #expect(bench.cache.queries == [Self.key])
        #expect(bench.cache.reads.isEmpty)
        #expect(try await bench.load().result().data == nil)
    }

    @Test("OPT-12 A24 a picture in memory whose file is missing, or another picture's, comes without")
    func memoryWithoutData() async throws {
        bench.cache.storeInMemory(try .plain(2, 2), for: Self.key)
        let alone = try await bench.load("a.jpg", .queryMemoryData).result()
        #expect(alone.cacheType == .memory)
        #expect(alone.data == nil)
        let small = Self.key.thumbnail(.square(8), preservesAspectRatio: true)
        bench.cache.storeInMemory(try .plain(8, 8), for: small)
        bench.cache.put(ScriptedCoder.file(8, 8), for: small)
        let thumbnail = try bench.load("a.jpg", .queryMemoryData) { $0.thumbnailPixelSize = .square(8) }
        #expect(try await thumbnail.result().data == nil)
    }

    @Test("OPT-13 with both options the file is read within the call; the second alone changes nothing")
    func memoryDataSync() throws {
        let bench = ManagerBench(cache: SuspendedCache(answersAtOnce: false))
        bench.cache.put(ScriptedCoder.file(2, 2), for: Self.key)
        bench.cache.storeInMemory(try .plain(2, 2), for: Self.key)
        let load = try bench.load("a.jpg", [.queryMemoryData, .queryMemoryDataSync])
        #expect(try load.story.endings.first?.get().data == ScriptedCoder.file(2, 2))
        #expect(bench.cache.reads == [Self.key])
        #expect(bench.cache.queries.isEmpty)
        #expect(try bench.load("a.jpg", .queryMemoryDataSync).story.endings.first?.get().data == nil)
        #expect(bench.cache.reads.count == 1)
    }

    @Test("OPT-13 a picture that is not in memory is read in the background all the same")
    func memoryDataSyncMiss() throws {
        let bench = ManagerBench(cache: SuspendedCache(answersAtOnce: false))
        let load = try bench.load("a.jpg", [.queryMemoryData, .queryMemoryDataSync])
        #expect(bench.cache.reads.isEmpty)
        #expect(bench.cache.queries == [Self.key])
        load.cancel()
    }

    @Test("OPT-14 the disk answers within the call: the picture is read, decoded, transformed and delivered")
    func diskSync() throws {
        let bench = ManagerBench(cache: SuspendedCache(answersAtOnce: false))
        bench.cache.put(ScriptedCoder.file(2, 2), for: Self.key)
        let load = try bench.load("a.jpg", .queryDiskDataSync) { $0.transformer = ScriptedTransformer() }
        #expect(load.words == ["disk 3x3"])
        #expect(bench.cache.reads == [Self.key.transformed("Scripted"), Self.key])
        #expect(bench.cache.queries.isEmpty)
    }

    @Test("OPT-15 OPT-16 the cache only, the loader only")
    func onlyOne() async throws {
        bench.cache.put(ScriptedCoder.file(2, 2), for: Self.key)
        #expect(try await bench.load("a.jpg", .fromCacheOnly).result().cacheType == .disk)
        #expect(bench.loader.loads.isEmpty)
        let queries = bench.cache.queries.count
        let loaded = try await bench.load(
            "a.jpg", [.fromLoaderOnly, .waitStoreCache], sending: ScriptedCoder.file(3, 3)
        ).get()
        #expect(loaded.cacheType == .noCache)
        #expect(bench.cache.queries.count == queries)
        #expect(bench.cache.disk[Self.key]?.data == ScriptedCoder.file(3, 3))
        #expect(bench.cache.memory[Self.key]?.pixelSize == .square(3))
    }

    @Test("OPT-18 a picture has pixels when it is delivered, also where none were asked for")
    func avoidDecode() async throws {
        let coder = ScriptedCoder()
        _ = try await bench.load("a.jpg", .avoidDecodeImage, sending: ScriptedCoder.file(2, 2)) { $0.coder = coder }
        #expect(coder.decodeCount == 1)
    }

    @Test("S0-4 OPT-22 a load in memory only leaves the directory of a real cache empty")
    func memoryOnly() async throws {
        let directory = try CacheDirectory()
        let cache = ImageCache(directory: directory.path)
        let png = try Fixtures.data("photo-small.png")
        var context = WebImageContext.cacheMemoryOnly
        context.thumbnailPixelSize = .square(4)
        context.transformer = ScriptedTransformer()
        for (number, context) in [WebImageContext.cacheMemoryOnly, context].enumerated() {
            let manager = WebImageManager(cache: cache, loader: bench.loader, coder: ImageCodersManager.shared)
            let load = manager.observed(
                ImageRequest(try ManagerBench.url("a.png"), options: .waitStoreCache, context: context))
            try await bench.transfer(number + 1).finish(png)
            _ = try await load.result()
            #expect(manager.imageFromMemory(for: try ManagerBench.url("a.png"), context: context) != nil)
        }
        await cache.flush()
        #expect(directory.files.isEmpty)
    }
}

/// Time in the background, as granted by a system.
private final class BackgroundTime: BackgroundTaskProvider {
    final class Grant: CancellableTask {
        private let isEnded = CancellationFlag()
        private let expired: @Sendable () -> Void

        init(expired: @escaping @Sendable () -> Void) { self.expired = expired }

        var isOver: Bool { isEnded.isCancelled }
        func expire() { expired() }
        func cancel() { isEnded.cancel() }
    }

    private let grants = Observed<[Grant]>([])
    var tasks: [Grant] { grants.value }

    func beginTask(expired: @escaping @Sendable () -> Void) -> any CancellableTask {
        let grant = Grant(expired: expired)
        grants.update { $0.append(grant) }
        return grant
    }
}
