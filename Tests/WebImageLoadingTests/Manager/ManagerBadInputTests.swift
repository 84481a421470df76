import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: bad input", .timeLimit(.minutes(5)))
struct ManagerBadInputTests {
    private let bench = ManagerBench()

    @Test("invalid addresses fail with the reason", arguments: ["", "http://", "http://a b/"])
    func malformed(text: String) async throws {
        let story = LoadStory()
        var context = WebImageContext()
        context.callbackQueue = .current
        bench.manager.load(text, context: context) { story.add(.ending($0)) }
        #expect(story.words == ["failed 1000"])
        #expect(story.endings.first?.failure?.stage == .request)
        #expect(bench.loader.loads.isEmpty)
    }

    @Test("an address of a megabyte is loaded as any other, and its error fits on a line")
    func longAddress() async throws {
        let name = String(repeating: "a", count: 1 << 20)
        let load = try bench.load(name) { $0.thumbnailPixelSize = .square(8) }
        try await bench.transfer(1).finish(ScriptedCoder.file(9, 9))
        #expect(try await load.result().image.pixelSize == .square(8))
        let failed = try bench.load(name, .fromLoaderOnly)
        try await bench.transfer(2).finish(Data("no".utf8))
        #expect(try await failed.failure().description.count < 1000)
    }

    @Test("a cache that fails at everything costs no picture", arguments: [WebImageOptions(), .queryDiskDataSync])
    func failingCache(options: WebImageOptions) async throws {
        let load = try bench.load("a.jpg", [options, .waitStoreCache]) { context in
            context.cache = FailingCache()
            context.thumbnailPixelSize = .square(8)
        }
        try await bench.transfer().finish(ScriptedCoder.file(9, 9))
        _ = try await load.result()
        #expect(load.words == ["loaded 8x8"])
    }

    @Test("for a load from the cache only, a failing cache is a miss")
    func failingCacheOnly() throws {
        let load = try bench.load("a.jpg", .fromCacheOnly) { $0.cache = FailingCache() }
        #expect(load.failureCode == .notCached)
    }

    @Test("a transformer without a result leaves the picture as it is, in every tier")
    func emptyTransformer() async throws {
        let nothing = ScriptedTransformer { _ in nil }
        for source in ["loaded", "disk", "disk"] {
            let load = try bench.load("a.jpg", .waitStoreCache) { $0.transformer = nothing }
            if source == "loaded" { try await bench.transfer().finish(ScriptedCoder.file(2, 2)) }
            _ = try await load.result()
            #expect(load.words == ["\(source) 2x2"])
        }
        #expect(nothing.count == 3)
    }

    @Test("a callback queue that drops its callbacks loses none: they come on the main queue", .timeLimit(.minutes(5)))
    func droppedCallbacks() async throws {
        let held = HeldCallbacks()
        let load = try bench.load { $0.callbackQueue = held.queue }
        try await bench.transfer().finish(ScriptedCoder.file(2, 2))
        try await held.waitForCallbacks(1)
        held.drop()
        _ = try await load.result()
        #expect(load.words == ["loaded 2x2"])
    }

    @Test("a callback queue that drops a refusal, a cancellation or a cached picture loses none of them")
    func droppedOthers() async throws {
        let held = HeldCallbacks()
        let configure: (inout WebImageContext) -> Void = { $0.callbackQueue = held.queue }
        let cancelled = try bench.load("b.jpg", configure: configure)
        cancelled.cancel()
        held.drop()
        _ = try await cancelled.ending()
        #expect(cancelled.words == ["failed 2002"])
        bench.cache.storeInMemory(try .plain(2, 2), for: ManagerBench.key())
        let refreshed = try bench.load("a.jpg", .refreshCached, configure: configure)
        try await bench.transfer(2).finish(ScriptedCoder.file(3, 3))
        try await held.waitForCallbacks(2)
        held.drop()
        _ = try await refreshed.ending()
        #expect(refreshed.words == ["cached memory 2x2", "loaded 3x3"])
    }

    @Test("a load continues through every stage after its manager was released", arguments: [true, false])
    func releasedManager(takenOver: Bool) async throws {
        let (cache, loader) = (SuspendedCache(), SuspendedLoader())
        var manager: WebImageManager? = WebImageManager(cache: cache, loader: loader, coder: ScriptedCoder())
        if takenOver { manager?.interceptors = [.around { chain throws(WebImageError) in try await chain.proceed() }] }
        weak let released = manager
        var request = ImageRequest(try ManagerBench.url(), options: .waitStoreCache)
        request.context.transformer = ScriptedTransformer()
        let load = manager?.observed(request)
        manager = nil
        #expect(released == nil)
        try await loader.waitForLoads(1)[0].finish(ScriptedCoder.file(2, 2))
        _ = try await load?.result()
        #expect(load?.words == ["loaded 3x3"])
        #expect(cache.stores.count == 2)
    }

    @Test("useless results of filters, processors and keys fall back to the defaults")
    func uselessSettings() async throws {
        _ = try await bench.load("a.jpg", .waitStoreCache, sending: ScriptedCoder.file(2, 2)) { context in
            context.cacheKeyFilter = ScriptedKeyFilter { _ in "" }
            context.scaleFactor = -3
        }.get()
        #expect(bench.cache.stores == [ManagerBench.key()])
    }
}
