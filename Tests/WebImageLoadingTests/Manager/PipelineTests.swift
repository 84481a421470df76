import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTesting

@testable import WebImageLoading
@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: the pipeline of a load", .timeLimit(.minutes(5)))
struct PipelineTests {
    private let bench = ManagerBench()

    @Test("PIPE-1 S3-34 one call takes URL, options, context, progress and completion")
    func entry() async throws {
        let load = try bench.load("a.jpg", [.highPriority, .handleCookies]) { context in
            context.httpHeaders = ["Accept": "image/webp"]
            context.timeout = .seconds(7)
        }
        let transfer = try await bench.transfer()
        transfer.progress(3, of: 9)
        transfer.finish(ScriptedCoder.file(4, 3))
        _ = try await load.result()
        #expect(load.words == ["progress 3", "loaded 4x3"])
        let request = transfer.request
        #expect(request.url == (try ManagerBench.url()))
        #expect(request.priority == .high)
        #expect(request.usesCookies)
        #expect(request.headers == ["Accept": "image/webp"])
        #expect(request.timeout == .seconds(7))
    }

    @Test("PIPE-4 the caches are queried for the finished picture's key: filter, then thumbnail, then transformer")
    func queryKey() throws {
        _ = try bench.load("photos/a.jpg?token=1") { context in
            context.cacheKeyFilter = ScriptedKeyFilter()
            context.thumbnailPixelSize = .square(8)
            context.transformer = ScriptedTransformer("Round")
        }
        let thumbnail = CacheKey("a.jpg").thumbnail(.square(8), preservesAspectRatio: true)
        #expect(bench.cache.queries == [thumbnail.transformed("Round"), CacheKey("a.jpg")])
    }

    @Test("A21 the key is the whole URL with its query, without its fragment, unless a filter says otherwise")
    func wholeURL() throws {
        _ = try bench.load("a.jpg?size=2&token=x#top")
        #expect(bench.cache.queries.map(\.string) == ["http://host/a.jpg?size=2&token=x"])
    }

    @Test("PIPE-4 the context's cache is queried in place of the manager's")
    func contextCache() async throws {
        let other = SuspendedCache()
        other.put(ScriptedCoder.file(2, 2), for: ManagerBench.key())
        let load = try bench.load { $0.cache = other }
        #expect(try await load.result().cacheType == .disk)
        #expect(bench.cache.queries.isEmpty)
        #expect(bench.cache.memory.isEmpty)
    }

    @Test("PIPE-4 a thumbnail's own file is used as it is")
    func thumbnailFile() async throws {
        let key = ManagerBench.key().thumbnail(.square(8), preservesAspectRatio: true)
        bench.cache.put(ScriptedCoder.file(8, 5), for: key)
        let load = try bench.load { $0.thumbnailPixelSize = .square(8) }
        _ = try await load.result()
        #expect(load.words == ["disk 8x5"])
    }

    @Test("A28 PIPE-5 an original that is in no cache is loaded")
    func originalMiss() async throws {
        let load = try bench.load { $0.thumbnailPixelSize = .square(8) }
        try await bench.transfer().finish(ScriptedCoder.file(40, 40))
        _ = try await load.result()
        #expect(load.words == ["loaded 8x8"])
        #expect(bench.cache.queries.count == 2)
    }

    struct Decision: Sendable {
        let options: WebImageOptions
        var isCached = false
        var isAllowed = true
        let loads: Bool
    }

    private static let decisions = [
        Decision(options: [], loads: true), Decision(options: [], isCached: true, loads: false),
        Decision(options: .refreshCached, isCached: true, loads: true), Decision(options: .fromCacheOnly, loads: false),
        Decision(options: [.fromCacheOnly, .refreshCached], isCached: true, loads: false),
        Decision(options: .fromLoaderOnly, isCached: true, loads: true),
        Decision(options: [], isAllowed: false, loads: false),
        Decision(options: .refreshCached, isCached: true, isAllowed: false, loads: false),
    ]

    @Test(
        "PIPE-6 S3-38 a load uses its loader when it may, misses or refreshes, and delegate and loader agree",
        arguments: decisions)
    func decision(decision: Decision) throws {
        let delegate = ScriptedDelegate(allows: decision.isAllowed)
        bench.manager.delegate = delegate
        if decision.isCached { bench.cache.storeInMemory(try .plain(2, 2), for: ManagerBench.key()) }
        _ = try bench.load("a.jpg", decision.options)
        #expect(bench.loader.loads.count == (decision.loads ? 1 : 0))
        withExtendedLifetime(delegate) {}
    }

    @Test("PIPE-6 a loader that does not accept the URL is not used, and the URL is not blocked for others")
    func loaderRefuses() async throws {
        let picky = SuspendedLoader(schemes: ["ftp"])
        let refused = try bench.load { $0.loader = picky }
        #expect(refused.failureCode == .unsupportedScheme)
        #expect(picky.loads.isEmpty)
        #expect(try await bench.load(sending: ScriptedCoder.file(1, 1)).get().cacheType == .noCache)
    }

    @Test(
        "PIPE-8 B6 S3-41 a load that misses and may not load ends by saying so",
        arguments: [WebImageOptions.fromCacheOnly, [.fromCacheOnly, .fromLoaderOnly]])
    func notCached(options: WebImageOptions) async throws {
        let load = try bench.load("a.jpg", options)
        #expect(load.failureCode == .notCached)
        #expect(load.story.endings.first?.failure?.kind == .policy)
        #expect(bench.loader.loads.isEmpty)
        #expect(bench.cache.queries.count == (options.contains(.fromLoaderOnly) ? 0 : 1))
        #expect(!bench.manager.isRunning)
    }

    @Test("PIPE-8 S3-41 a load that has a picture and may not refresh it ends with that")
    func cachedAndRefused() throws {
        let delegate = ScriptedDelegate(allows: false)
        bench.manager.delegate = delegate
        bench.cache.storeInMemory(try .plain(2, 2), for: ManagerBench.key())
        let load = try bench.load("a.jpg", .refreshCached)
        #expect(load.words == ["cached memory 2x2", "memory 2x2"])
        #expect(delegate.downloadQuestions == 1)
    }

    @Test("PIPE-9 S3-40 a loader's events after a cancellation are ignored")
    func lateAnswer() async throws {
        let bench = ManagerBench(loader: SuspendedLoader(endsLoadsWhenCancelled: false))
        let load = try bench.load()
        let transfer = try await bench.transfer()
        load.cancel()
        transfer.finish(ScriptedCoder.file(2, 2))
        #expect(load.words == ["failed 2002"])
        #expect(bench.cache.memory.isEmpty)
        #expect(!bench.manager.isRunning)
    }

    @Test("PIPE-9 S3-40 a loader that cancels by itself ends the load as cancelled, and the URL may be tried again")
    func cancelledByLoader() async throws {
        let load = try bench.load()
        try await bench.transfer().fail(.cancelled())
        #expect(try await load.failure().isCancelled)
        #expect(try await bench.load(sending: ScriptedCoder.file(1, 1)).get().cacheType == .noCache)
    }

    @Test("addresses that differ in their fragments are one picture: one transfer, one cache entry, one failure")
    func fragments() async throws {
        let loads = try ["a.jpg", "a.jpg#left", "a.jpg#right"].map { try bench.load($0) }
        try await bench.transfer().finish(ScriptedCoder.file(2, 2))
        for load in loads { #expect(try await load.result().image.pixelSize == .square(2)) }
        #expect(bench.loader.loads.count == 1)
        #expect(try await bench.load("a.jpg#top").result().cacheType == .memory)
        try await bench.load("bad.jpg#left", sending: Data("no".utf8))
        #expect(try bench.load("bad.jpg#right").failureCode == .blockedURL)
        let own = try ["asset:a.jpg#left", "asset:a.jpg"].map { CacheKey(filtering: try parsed($0), by: nil).string }
        #expect(own == ["asset:a.jpg#left", "asset:a.jpg"])
    }

    @Test("PIPE-9 S3-40 a permanent failure is delivered, then refused; success clears it")
    func failureThenRefusal() async throws {
        let load = try bench.load()
        try await bench.transfer().fail(
            WebImageError(.tooManyRedirects, stage: .load, kind: .permanent, reason: "round and round"))
        let error = try await load.failure()
        #expect(error.code == .tooManyRedirects)
        #expect(error.url == (try ManagerBench.url()))
        #expect(!bench.manager.isRunning)
        #expect(try bench.load().failureCode == .blockedURL)
        _ = try await bench.load("a.jpg", .retryFailed, sending: ScriptedCoder.file(1, 1)).get()
        #expect(try await bench.load("a.jpg", .fromLoaderOnly, sending: ScriptedCoder.file(1, 1)).failure == nil)
    }

    @Test("S3-13 the stages follow each other in one observable order")
    func order() async throws {
        let recorder = TraceRecorder()
        let load = try bench.load("a.jpg", .waitStoreCache) { context in
            context.transformer = ScriptedTransformer()
            context.listener = recorder
        }
        try await bench.transfer().finish(ScriptedCoder.file(2, 2))
        _ = try await load.result()
        try await recorder.waitForEnd()
        #expect(
            recorder.begun == [
                .whole, .memory, .disk, .original, .load, .decode, .transform, .store, .deliver,
            ])
    }

    @Test("S3-17 the disk is written in the background, unless the load waits for it")
    func diskLater() async throws {
        let isStoring = Gate()
        let bench = ManagerBench(cache: SuspendedCache(holdsStores: true, didStore: { isStoring.open() }))
        _ = try await bench.load(sending: ScriptedCoder.file(2, 2)).get()
        #expect(bench.cache.memory.count == 1)
        try await isStoring.wait()
        bench.cache.releaseStores()
    }

    @Test("PIPE-13 a load that waits for its stores waits for the original's file and for the finished picture's")
    func waitForStores() async throws {
        let writes = Observed(0)
        let bench = ManagerBench(cache: SuspendedCache(holdsStores: true, didStore: { writes.update { $0 += 1 } }))
        let load = try bench.load("a.jpg", .waitStoreCache) { $0.transformer = ScriptedTransformer() }
        try await bench.transfer().finish(ScriptedCoder.file(2, 2))
        try await writes.wait { $0 == 2 }
        #expect(load.words.isEmpty)
        bench.cache.releaseStores()
        _ = try await load.result()
        #expect(load.words == ["loaded 3x3"])
    }

    @Test("S3-36 A20 however loads end, none is left running")
    func nothingLeft() async throws {
        _ = try await bench.load("good.jpg", sending: ScriptedCoder.file(1, 1))
        _ = try await bench.load("bad.jpg", sending: Data("no".utf8))
        _ = try bench.load("nowhere.jpg", .fromCacheOnly)
        _ = try bench.load("good.jpg")
        try bench.load("cancelled.jpg").cancel()
        #expect(try bench.load("bad.jpg").failureCode == .blockedURL)
        #expect(!bench.manager.isRunning)
    }

    @Test(
        "S3-37 a load that is cancelled while the cache answers leaves the running set and calls no other collaborator")
    func cancelledInCache() throws {
        let bench = ManagerBench(cache: SuspendedCache(answersAtOnce: false))
        let load = try bench.load { $0.transformer = ScriptedTransformer() }
        #expect(bench.manager.isRunning)
        load.cancel()
        bench.cache.answer()
        #expect(load.words == ["failed 2002"])
        #expect(!bench.manager.isRunning)
        #expect(bench.cache.queries.count == 1)
        #expect(bench.loader.loads.isEmpty)
    }

    @Test("CTX-4 CTX-5 CTX-6 S3-43 cache, loader, coder and the app's own values can be exchanged for each load")
    func everythingExchanged() async throws {
        enum Shelf: WebImageContext.Key { typealias Value = String }
        let (cache, loader, coder) = (SuspendedCache(), SuspendedLoader(), ScriptedCoder())
        let load = try bench.load("a.jpg", .waitStoreCache) { context in
            context.cache = cache
            context.loader = loader
            context.coder = coder
            context[Shelf.self] = "upper"
        }
        let transfer = try await loader.waitForLoads(1)[0]
        #expect(transfer.request.context[Shelf.self] == "upper")
        transfer.finish(ScriptedCoder.file(2, 2))
        #expect(try await load.result().data == ScriptedCoder.file(2, 2))
        #expect(coder.decodeCount == 1)
        #expect(cache.stores == [ManagerBench.key()])
        #expect(bench.loader.loads.isEmpty)
        #expect(bench.cache.queries.isEmpty)
    }

    @Test("CTX-6 a load's coder does the work without a check, and the manager's does none")
    func unwillingCoder() async throws {
        let coder = ScriptedCoder(claims: false)
        func configure(_ context: inout WebImageContext) {
            context.coder = coder
            context.thumbnailPixelSize = .square(8)
        }
        let data = ScriptedCoder.file(40, 40)
        _ = try await bench.load("a.jpg", .waitStoreCache, sending: data, configure: configure).get()
        bench.cache.clear(.memory, completion: nil)
        let again = try bench.load(configure: configure)
        _ = try await again.result()
        #expect(again.words == ["disk 8x8"])
        #expect(coder.decodeCount == 2 && coder.encodedFormats == [.jpeg])
        #expect((bench.manager.coder as? ScriptedCoder)?.decodeCount == 0)
    }

    @Test(
        "CTX-12 a box without a width or a height is none: the whole picture, under its plain key, with its bytes",
        arguments: [(0, 0), (0, 5), (5, 0)])
    func emptyBox(width: Int, height: Int) async throws {
        let bench = ManagerBench(coder: ImageCodersManager.shared)
        let file = try Fixtures.data("photo-small.png")
        var context = WebImageContext()
        context.thumbnailPixelSize = PixelSize(width: width, height: height)
        let result = try await bench.load("a.jpg", .waitStoreCache, sending: file) { $0 = context }.get()
        #expect(result.image.pixelSize == (try ImageCodersManager.shared.decode(file, options: .init()).pixelSize))
        #expect(!result.image.metadata.isThumbnail && result.data == file)
        #expect(bench.cache.stores == [ManagerBench.key()])
        #expect(bench.cache.memory.keys.map(\.string) == [ManagerBench.key().string])
        #expect(bench.manager.cacheKey(for: try ManagerBench.url(), context: context) == ManagerBench.key())
    }

    @Test("CTX-17 a load of no tier misses at once: no cache is asked, whatever it has")
    func noTier() async throws {
        bench.cache.put(ScriptedCoder.file(2, 2), for: ManagerBench.key())
        bench.cache.storeInMemory(try .plain(3, 3), for: ManagerBench.key())
        let only = try bench.load("a.jpg", .fromCacheOnly) { $0.queryCacheType = .noCache }
        #expect(only.failureCode == .notCached)
        let load = try bench.load { $0.queryCacheType = .noCache }
        try await bench.transfer().finish(ScriptedCoder.file(4, 4))
        _ = try await load.result()
        #expect(load.words == ["loaded 4x4"])
        #expect(bench.cache.queries.isEmpty && bench.cache.reads.isEmpty)
    }
}
