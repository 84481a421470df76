import Dispatch
import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageLoading
@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: a small picture first, and then the large one", .timeLimit(.minutes(5)))
struct PreviewTests {
    private let bench = ManagerBench()

    /// A load of `large.jpg`, with `small.jpg` before it.
    private func load(
        _ options: WebImageOptions = [], configure: (inout WebImageContext) -> Void = { _ in }
    ) throws -> ManagedLoad {
        try bench.load("large.jpg", options) { context in
            context.preview = .url(URL(string: "http://host/small.jpg") ?? URL(filePath: "/"))
            configure(&context)
        }
    }

    private var names: [String] { bench.loader.loads.map(\.request.url.lastPathComponent) }

    private func transfers() async throws -> (small: SuspendedLoad, large: SuspendedLoad) {
        let loads = try await bench.loader.waitForLoads(2)
        return (loads[0], loads[1])
    }

    private static let failure = WebImageError(
        .invalidDownloadStatusCode, stage: .load, kind: .permanent, reason: "no")

    @Test("the small picture is asked for first, and delivered before the large one, each with its own address")
    func inOrder() async throws {
        let load = try load()
        let (small, large) = try await transfers()
        #expect(names == ["small.jpg", "large.jpg"])
        small.finish(ScriptedCoder.file(1, 1))
        try await load.story.waitForEvents(1)
        large.finish(ScriptedCoder.file(9, 9))
        let result = try await load.result()
        #expect(load.words == ["preview loaded 1x1", "loaded 9x9"])
        #expect(result.url == (try ManagerBench.url("large.jpg")))
        guard case .update(.preview(let preview)) = load.story.events[0] else { throw TestFailure(text: "no preview") }
        #expect(preview.url == (try ManagerBench.url("small.jpg")))
        for name in ["small.jpg", "large.jpg"] { #expect(bench.cache.memory[ManagerBench.key(name)] != nil) }
        #expect(!bench.manager.isRunning)
    }

    @Test("a small picture that comes after the large one is never delivered, and its load is cancelled")
    func largeFirst() async throws {
        let bench = ManagerBench(loader: SuspendedLoader(endsLoadsWhenCancelled: false))
        let load = try bench.load("large.jpg") { $0.preview = .address("http://host/small.jpg") }
        let loads = try await bench.loader.waitForLoads(2)
        loads[1].finish(ScriptedCoder.file(9, 9))
        _ = try await load.result()
        try await loads[0].waitForCancellation()
        loads[0].finish(ScriptedCoder.file(1, 1))
        #expect(load.words == ["loaded 9x9"])
    }

    @Test("a large picture in memory is delivered at once, and no small one is loaded")
    func largeInMemory() async throws {
        bench.cache.storeInMemory(try .plain(9, 9), for: ManagerBench.key("large.jpg"))
        let load = try load()
        #expect(load.words == ["memory 9x9"])
        #expect(names.isEmpty && bench.cache.queries.isEmpty)
    }

    @Test("a small picture in memory is delivered before the call returns")
    func smallInMemory() async throws {
        bench.cache.storeInMemory(try .plain(1, 1), for: ManagerBench.key("small.jpg"))
        let load = try load()
        #expect(load.words == ["preview memory 1x1"])
        try await bench.transfer().finish(ScriptedCoder.file(9, 9))
        _ = try await load.result()
        #expect(load.words == ["preview memory 1x1", "loaded 9x9"])
        #expect(names == ["large.jpg"])
    }

    @Test("for a large picture on the disk no small one is transferred")
    func largeOnDisk() async throws {
        bench.cache.put(ScriptedCoder.file(9, 9), for: ManagerBench.key("large.jpg"))
        let load = try load()
        _ = try await load.result()
        #expect(load.words == ["disk 9x9"])
        #expect(names.isEmpty)
    }

    @Test("a small picture on the disk is delivered while the large one is read from there")
    func bothOnDisk() async throws {
        let cache = SuspendedCache(answersAtOnce: false)
        let bench = ManagerBench(cache: cache)
        cache.put(ScriptedCoder.file(1, 1), for: ManagerBench.key("small.jpg"))
        cache.put(ScriptedCoder.file(9, 9), for: ManagerBench.key("large.jpg"))
        let load = try bench.load("large.jpg") { $0.preview = .address("http://host/small.jpg") }
        #expect(cache.queries == [ManagerBench.key("large.jpg")])
        cache.answer()
        while cache.queries.count < 3 { await Task.yield() }
        #expect(cache.queries.dropFirst() == [ManagerBench.key("small.jpg"), ManagerBench.key("large.jpg")])
        cache.answer()
        try await load.story.waitForEvents(1)
        cache.answer()
        _ = try await load.result()
        #expect(load.words == ["preview disk 1x1", "disk 9x9"])
        #expect(bench.loader.loads.isEmpty)
    }

    @Test("the failure of the small picture is silent")
    func smallFails() async throws {
        let load = try load()
        let (small, large) = try await transfers()
        small.fail(Self.failure)
        large.finish(ScriptedCoder.file(9, 9))
        _ = try await load.result()
        #expect(load.words == ["loaded 9x9"])
    }

    @Test("when the large picture fails, the small one that is there stays, and the error ends the load")
    func largeFails() async throws {
        let load = try load()
        let (small, large) = try await transfers()
        small.finish(ScriptedCoder.file(1, 1))
        try await load.story.waitForEvents(1)
        large.fail(Self.failure)
        #expect(try await load.failure().code == .invalidDownloadStatusCode)
        #expect(load.words == ["preview loaded 1x1", "failed \(Self.failure.code.rawValue)"])
        #expect(try await load.failure().url == (try ManagerBench.url("large.jpg")))
    }

    @Test(
        "when the large picture fails first, the load ends once the small one has come or failed",
        arguments: [true, false])
    func largeFailsFirst(smallComes: Bool) async throws {
        let load = try load()
        let (small, large) = try await transfers()
        large.fail(Self.failure)
        // The whole load and that of the small picture are left.
        while bench.manager.core.shared.running.all.count > 2 { await Task.yield() }
        #expect(load.words.isEmpty)
        if smallComes { small.finish(ScriptedCoder.file(1, 1)) } else { small.fail(Self.failure) }
        #expect(try await load.failure().code == .invalidDownloadStatusCode)
        #expect(load.words.count == (smallComes ? 2 : 1))
        #expect(load.words.first == (smallComes ? "preview loaded 1x1" : load.words.last))
    }

    @Test("a cancellation ends both, at every moment", arguments: 0..<4)
    func cancelled(moment: Int) async throws {
        let load = try load()
        let (small, large) = try await transfers()
        switch moment {
        case 1:
            small.finish(ScriptedCoder.file(1, 1))
            try await load.story.waitForEvents(1)
        case 2: small.fail(Self.failure)
        case 3: large.fail(Self.failure)
        default: break
        }
        load.cancel()
        #expect(try await load.failure().isCancelled)
        if moment != 3 { try await large.waitForCancellation() }
        if moment == 0 || moment == 3 { try await small.waitForCancellation() }
        #expect(load.story.endings.count == 1)
        #expect(!bench.manager.isRunning)
    }

    @Test("a part of the large picture ends the load of the small one")
    func partOfLarge() async throws {
        let bench = ManagerBench(coder: ScriptedProgressiveCoder())
        let load = try bench.load("large.jpg", .progressiveLoad) { $0.preview = .address("http://host/small.jpg") }
        let loads = try await bench.loader.waitForLoads(2)
        loads[1].send(Data("9x9:a".utf8))
        try await load.story.waitForEvents(1)
        try await loads[0].waitForCancellation()
        loads[1].finish(ScriptedProgressiveCoder.file(9, 9, body: "ab"))
        _ = try await load.result()
        #expect(load.words == ["partial 9x9", "loaded 9x9"])
    }

    @Test("a size and then the original: the thumbnail of a list is in memory, and the original is loaded")
    func size() async throws {
        try await bench.load("large.jpg", sending: ScriptedCoder.file(40, 40)) { $0.thumbnailPixelSize = .square(4) }
        bench.cache.clear(.disk, completion: nil)
        let load = try bench.load("large.jpg") { $0.preview = .pixelSize(.square(4)) }
        #expect(load.words == ["preview memory 4x4"])
        try await bench.transfer(2).finish(ScriptedCoder.file(40, 40))
        _ = try await load.result()
        #expect(load.words == ["preview memory 4x4", "loaded 40x40"])
    }

    @Test("a size in no cache is made from the same transfer")
    func sizeFromTransfer() async throws {
        let (origin, gate) = (try LoopbackOrigin(), Gate())
        let body = try Fixtures.data("photo.jpg")
        origin.serve("/a", OriginResponse(body: body).held(by: gate))
        let manager = WebImageManager(cache: SuspendedCache(), loader: WebImageDownloader.direct())
        var context = WebImageContext()
        context.preview = .pixelSize(.square(8))
        let load = manager.observed(ImageRequest(origin.url("/a"), context: context))
        try await origin.waitForRequests(1)
        gate.open()
        _ = try await load.result()
        #expect(origin.requests.count == 1)
    }

    @Test("the large picture shares the stages of a load without a preview")
    func shared() async throws {
        let load = try load()
        _ = try await transfers()
        let plain = try bench.load("large.jpg")
        bench.loader.loads[1].finish(ScriptedCoder.file(9, 9))
        _ = try await (load.result(), plain.result())
        #expect(names == ["small.jpg", "large.jpg"])
    }

    @Test("the small picture has the options and the context of the large one")
    func inherited() async throws {
        let load = try load(.handleCookies) {
            $0.httpHeaders = ["X-Who": "ada"]
            $0.transformer = ScriptedTransformer()
        }
        let (small, large) = try await transfers()
        for transfer in [small, large] {
            #expect(transfer.request.headers["X-Who"] == "ada")
            #expect(transfer.request.options.contains(.handleCookies))
        }
        small.finish(ScriptedCoder.file(1, 1))
        try await load.story.waitForEvents(1)
        #expect(load.words == ["preview loaded 2x2"])
        load.cancel()
    }

    @Test("priorities of the load are those of both")
    func priority() async throws {
        let load = try load()
        let (small, large) = try await transfers()
        load.operation.setPriority(.veryHigh)
        for transfer in [small, large] { try await transfer.waitForPriority(.veryHigh) }
        load.cancel()
    }

    @Test("what has one result, or nobody who sees it, loads the large picture alone")
    func notWanted() async throws {
        var context = WebImageContext()
        context.preview = .address("http://host/small.jpg")
        let request = ImageRequest(try ManagerBench.url("large.jpg"), context: context)
        let manager = bench.manager
        let image = Task { try await manager.image(for: request) }
        try await bench.transfer(1).finish(ScriptedCoder.file(9, 9))
        _ = try await image.value
        bench.cache.clear(.all, completion: nil)
        let prefetcher = WebImagePrefetcher(manager: manager)
        let token = prefetcher.prefetch([request], completed: nil)
        try await bench.transfer(2).finish(ScriptedCoder.file(9, 9))
        _ = await token.result
        #expect(names == ["large.jpg", "large.jpg"])
    }

    @Test("a retry loads the large picture again, and needs the small one no more")
    func retried() async throws {
        let clock = ManualClock()
        let bench = ManagerBench(clock: clock)
        bench.manager.interceptors = [
            RetryInterceptor(
                attempts: 2, timeLimit: .seconds(45), network: nil, delay: RetryInterceptor.doubling, clock: clock)
        ]
        let load = try bench.load("large.jpg") { $0.preview = .address("http://host/small.jpg") }
        let loads = try await bench.loader.waitForLoads(2)
        let (small, large) = (loads[0], loads[1])
        small.finish(ScriptedCoder.file(1, 1))
        try await load.story.waitForEvents(1)
        large.fail(WebImageError(.transferFailed, stage: .load, kind: .transient, reason: "no"))
        try await clock.waitForSleepers(2)
        clock.advance(by: .milliseconds(500))
        try await bench.transfer(3).finish(ScriptedCoder.file(9, 9))
        _ = try await load.result()
        #expect(bench.loader.loads.map(\.request.url.lastPathComponent) == ["small.jpg", "large.jpg", "large.jpg"])
        #expect(load.words == ["preview loaded 1x1", "loaded 9x9"])
    }

    @Test("whatever the threads do, a load ends once, and its preview comes before that or never", arguments: 0..<3)
    func manyThreads(ending: Int) async throws {
        for number in 0..<100 {
            let load = try bench.load("large\(number).jpg") { $0.preview = .address("http://host/small\(number).jpg") }
            let loads = try await bench.loader.waitForLoads(2 * (number + 1)).suffix(2)
            let (small, large) = (loads[2 * number], loads[2 * number + 1])
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                switch (thread, ending) {
                case (0, _): small.finish(ScriptedCoder.file(1, 1))
                case (_, 0): large.finish(ScriptedCoder.file(9, 9))
                case (_, 1): large.fail(Self.failure)
                default: load.cancel()
                }
            }
            _ = try await load.ending()
            #expect(load.story.endings.count == 1)
            let (preview, end) = ("preview loaded 1x1", try #require(load.words.last))
            #expect([[end], [preview, end]].contains(load.words))
            if ending == 1 { #expect(load.words.count == 2, "the small picture stays") }
        }
        // A load that was cancelled may still be leaving on a thread of the decoder.
        while bench.manager.isRunning { await Task.yield() }
    }

    @Test("an explanation names the small picture, and text that is no address is no preview")
    func explained() throws {
        var context = WebImageContext()
        context.preview = .address("http://host/small.jpg")
        let explanation = bench.manager.explain(ImageRequest(try ManagerBench.url("large.jpg"), context: context))
        #expect(explanation.description.contains("http://host/small.jpg, unless memory has the picture above"))
        #expect(ImagePreview.address("no address") == nil)
        #expect(ImagePreview.address(nil) == nil)
    }
}
