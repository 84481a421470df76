import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: refreshing cached pictures", .timeLimit(.minutes(5)))
struct RefreshCachedTests {
    private let bench = ManagerBench()
    private static let key = ManagerBench.key()
    private static let unchanged = WebImageError(
        .cacheNotModified, stage: .load, kind: .permanent, reason: "the picture is still good")

    private func putOnDisk(_ headers: [String: String] = [:]) {
        bench.cache.put(DiskCacheEntry(data: ScriptedCoder.file(2, 2), headers: headers), for: Self.key)
    }

    @Test("PIPE-7 OPT-3 S0-6 S3-39 the cached picture comes first, then the server's, if that is another one")
    func changed() async throws {
        putOnDisk()
        let load = try bench.load("a.jpg", [.refreshCached, .waitStoreCache])
        let transfer = try await bench.transfer()
        #expect(load.words == ["cached disk 2x2"])
        #expect(transfer.request.cachedImage?.pixelSize == .square(2))
        #expect(transfer.request.context.loaderCachedImage?.pixelSize == .square(2))
        transfer.finish(ScriptedCoder.file(3, 3))
        _ = try await load.result()
        #expect(load.words == ["cached disk 2x2", "loaded 3x3"])
        #expect(bench.cache.disk[Self.key]?.data == ScriptedCoder.file(3, 3))
        #expect(bench.cache.memory[Self.key]?.pixelSize == .square(3))
    }

    @Test("A44 A19 an unchanged picture is no error, no second picture and no failed URL, however often")
    func unchangedAgainAndAgain() async throws {
        putOnDisk()
        for number in 1...3 {
            let load = try bench.load("a.jpg", .refreshCached)
            try await bench.transfer(number).fail(Self.unchanged)
            let result = try await load.result()
            let source = number == 1 ? "disk" : "memory"
            #expect(load.words == ["cached \(source) 2x2", "\(source) 2x2"])
            guard case .update(.cached(let first)) = load.story.events[0] else { throw TestFailure(text: "not cached") }
            #expect(first.image === result.image)
            #expect(!bench.manager.isRunning)
        }
        #expect(bench.cache.removed.isEmpty)
    }

    @Test("PIPE-7 a server that sends the same bytes again counts as unchanged: nothing is decoded or written")
    func sameBytes() async throws {
        putOnDisk()
        let load = try bench.load("a.jpg", .refreshCached)
        try await bench.transfer().finish(ScriptedCoder.file(2, 2))
        _ = try await load.result()
        #expect(load.words == ["cached disk 2x2", "disk 2x2"])
        #expect(bench.cache.stores.isEmpty)
    }

    @Test(
        "awaited, a failed refresh gives the cached picture; with a listener, the load reports the failure"
    )
    func awaitedFailure() async throws {
        putOnDisk()
        let failure = WebImageError(.timedOut, stage: .load, kind: .transient, reason: "no answer")
        let url = try ManagerBench.url()
        async let result = bench.manager.result(for: url, options: .refreshCached)
        try await bench.transfer().fail(failure)
        let cached = try await result
        #expect(cached.image.pixelSize == .square(2))
        #expect(cached.cacheType == .disk)
        let load = try bench.load("a.jpg", .refreshCached)
        try await bench.transfer(2).fail(failure)
        #expect(try await load.failure().code == .timedOut)
        #expect(load.words.first == "cached memory 2x2")
    }

    @Test("OPT-3 a picture in memory is refreshed with the validators of its file on disk")
    func fromMemory() async throws {
        putOnDisk(["etag": "\"1\""])
        bench.cache.storeInMemory(try .plain(2, 2), for: Self.key)
        let load = try bench.load("a.jpg", .refreshCached)
        try await bench.transfer().fail(Self.unchanged)
        _ = try await load.result()
        #expect(load.words == ["cached memory 2x2", "memory 2x2"])
        #expect(bench.cache.queries == [Self.key])
    }

    @Test(
        "OPT-3 a picture in memory is refreshed whatever tiers the load takes the original from",
        arguments: [ImageCacheType.all, .memory, .disk, .noCache])
    func originalTiers(tiers: ImageCacheType) async throws {
        putOnDisk()
        bench.cache.storeInMemory(try .plain(2, 2), for: Self.key)
        let load = try bench.load("a.jpg", .refreshCached) { $0.originalQueryCacheType = tiers }
        try await bench.transfer().fail(Self.unchanged)
        _ = try await load.result()
        #expect(load.words == ["cached memory 2x2", "memory 2x2"])
    }

    @Test("S3-40 a refresh that fails delivers the cached picture, then the failure")
    func failed() async throws {
        putOnDisk()
        let load = try bench.load("a.jpg", .refreshCached)
        try await bench.transfer().fail(WebImageError(.timedOut, stage: .load, kind: .transient, reason: "late"))
        _ = try await load.failure()
        #expect(load.words == ["cached disk 2x2", "failed 3001"])
        #expect(bench.cache.disk[Self.key] != nil)
    }

    @Test("OPT-3 a refreshed picture that does not decode leaves the one in the cache alone")
    func badRefresh() async throws {
        putOnDisk()
        let load = try bench.load("a.jpg", .refreshCached)
        try await bench.transfer().finish(Data("<html>".utf8))
        #expect(try await load.failure().code == .badImageData)
        #expect(bench.cache.disk[Self.key]?.data == ScriptedCoder.file(2, 2))
        #expect(bench.cache.memory[Self.key] != nil)
        // A response for every address, as from a network with a login page, must not remove the picture.
        let again = try bench.load("a.jpg")
        #expect(again.words == ["memory 2x2"])
    }

    @Test("OPT-3 a thumbnail in the cache is refreshed, too, and made again when its original has changed")
    func thumbnail() async throws {
        let key = Self.key.thumbnail(.square(8), preservesAspectRatio: true)
        bench.cache.put(ScriptedCoder.file(8, 8), for: key)
        let load = try bench.load("a.jpg", [.refreshCached, .waitStoreCache]) {
            $0.thumbnailPixelSize = .square(8)
        }
        let transfer = try await bench.transfer()
        #expect(load.words == ["cached disk 8x8"])
        transfer.finish(ScriptedCoder.file(50, 50))
        _ = try await load.result()
        #expect(load.words == ["cached disk 8x8", "loaded 8x8"])
        #expect(Set(bench.cache.stores) == [Self.key, key])
    }

    @Test("PIPE-5 a picture that is made from its original on disk is not refreshed")
    func derivedFromOriginal() async throws {
        putOnDisk()
        let load = try bench.load("a.jpg", .refreshCached) { $0.transformer = ScriptedTransformer() }
        _ = try await load.result()
        #expect(load.words == ["disk 3x3"])
        #expect(bench.loader.loads.isEmpty)
    }

    @Test("OPT-3 without a cached picture it is a load like any other")
    func missed() async throws {
        let load = try bench.load("a.jpg", .refreshCached)
        try await bench.transfer().finish(ScriptedCoder.file(2, 2))
        _ = try await load.result()
        #expect(load.words == ["loaded 2x2"])
    }

    @Test("OPT-2 a load that refreshes requests no partial pictures")
    func notProgressive() async throws {
        let bench = ManagerBench(cache: bench.cache, coder: ScriptedProgressiveCoder())
        putOnDisk()
        let load = try bench.load("a.jpg", [.refreshCached, .progressiveLoad])
        let transfer = try await bench.transfer()
        #expect(!transfer.request.reportsData)
        load.cancel()
    }

    @Test("A1 a load that is cancelled while it refreshes ends once, and its delivered updates stay")
    func cancelled() async throws {
        putOnDisk()
        let load = try bench.load("a.jpg", .refreshCached)
        let transfer = try await bench.transfer()
        load.cancel()
        #expect(load.words == ["cached disk 2x2", "failed 2002"])
        try await transfer.waitForCancellation()
    }

    @Test("A3 a cached picture that waits for its callback queue is overtaken by a cancellation")
    func cancelledBeforeUpdate() async throws {
        let held = HeldCallbacks()
        putOnDisk()
        let load = try bench.load("a.jpg", .refreshCached) { $0.callbackQueue = held.queue }
        _ = try await bench.transfer()
        load.cancel()
        held.runAll()
        #expect(load.words == ["failed 2002"])
    }

    @Test("A10 a caller that cancels when the cached picture comes starts no transfer that goes on")
    func cancelledInUpdate() async throws {
        let manager = bench.manager
        bench.cache.storeInMemory(try .plain(2, 2), for: Self.key)
        let story = LoadStory()
        var context = WebImageContext()
        context.callbackQueue = .current
        manager.load(
            try ManagerBench.url(), options: .refreshCached, context: context,
            received: { update in
                story.add(.update(update))
                manager.cancelAll()
            }, completed: { story.add(.ending($0)) })
        _ = try await story.ending()
        #expect(story.words == ["cached memory 2x2", "failed 2002"])
        for load in bench.loader.loads { try await load.waitForCancellation() }
        #expect(!manager.isRunning)
    }
}
