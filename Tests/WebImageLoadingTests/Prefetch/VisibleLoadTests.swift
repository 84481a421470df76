import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImageTestLoads
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Visible loads beside the prefetcher", .serialized, .timeLimit(.minutes(5)))
struct VisibleLoadTests {
    /// A prefetcher with a real downloader, whose transfers are held until the gate opens.
    private struct Network {
        let origin: LoopbackOrigin
        let held = Gate()
        let cache = SuspendedCache()
        let manager: WebImageManager
        let prefetcher: WebImagePrefetcher

        init(places: Int) throws {
            origin = try LoopbackOrigin()
            let (body, held) = (ScriptedCoder.file(1, 1), held)
            origin.fallback = { _ in OriginResponse(body: body).held(by: held) }
            origin.serve("/visible", OriginResponse(body: body))
            manager = WebImageManager(
                cache: cache, loader: WebImageDownloader.direct { $0.maxConcurrentDownloads = places },
                coder: ScriptedCoder())
            prefetcher = WebImagePrefetcher(manager: manager)
            prefetcher.callbackQueue = .current
        }

        /// Prefetches more pictures than there are slots.
        func fill() -> PrefetchToken { prefetcher.prefetch((0..<10).map { origin.url("/\($0)") }, completed: nil) }

        /// Starts a load with a waiting user, before it returns.
        func show(_ path: String) -> LoadRecorder {
            let recorder = LoadRecorder()
            var context = WebImageContext()
            context.callbackQueue = .current
            manager.load(origin.url(path), context: context, completed: recorder.completed)
            return recorder
        }
    }

    @Test(
        "a visible load is transferred at once while the prefetcher uses all of its places",
        arguments: [(1, 1), (2, 1), (3, 1), (4, 2), (6, 3)])
    func transfer(places: Int, prefetched: Int) async throws {
        let network = try Network(places: places)
        let token = network.fill()
        try await network.origin.waitForRequests(prefetched)
        let image = try await network.manager.image(for: network.origin.url("/visible"))
        #expect(image.pixelSize == PixelSize(width: 1, height: 1))
        #expect(network.origin.requests.count == prefetched + 1)
        #expect(token.progress.finishedCount == 0)
        network.held.open()
        #expect(await token.result == PrefetchProgress(finishedCount: 10, totalCount: 10))
    }

    @Test("several prefetchers together take half of the places together")
    func severalPrefetchers() async throws {
        let network = try Network(places: 4)
        let others = (0..<3).map { _ in WebImagePrefetcher(manager: network.manager) }
        let tokens = others.enumerated().map { number, prefetcher in
            prefetcher.prefetch((0..<3).map { network.origin.url("/\(number)/\($0)") }, completed: nil)
        }
        try await network.origin.waitForRequests(2)
        _ = try await network.manager.image(for: network.origin.url("/visible"))
        #expect(network.origin.requests.count == 3)
        network.held.open()
        for token in tokens { #expect(await token.result.skippedCount == 0) }
    }

    @Test("a visible load of a picture that is being prefetched joins its transfer, and makes a waiting one begin")
    func join() async throws {
        let network = try Network(places: 2)
        let token = network.fill()
        try await network.origin.waitForRequests(1)
        let running = network.show("/0")
        // The third waits in the downloader for the only slot of low priority, until a visible load wants it.
        let waiting = network.show("/2")
        try await network.origin.waitForRequests(2)
        network.held.open()
        _ = try await running.outcome().get()
        _ = try await waiting.outcome().get()
        #expect(await token.result.skippedCount == 0)
        let paths = network.origin.requests.map(\.path)
        #expect(Set(paths).count == paths.count, "something was transferred twice: \(paths)")
    }

    @Test("a visible load of a picture whose decode waits joins it, and makes it urgent")
    func decode() async throws {
        let gate = Gate()
        let decoded = Observed<[Int]>([])
        let coder = ScriptedCoder { options in
            decoded.update { $0.append(options.thumbnailPixelSize?.width ?? 0) }
            gate.waitBlocking()
        }
        let stage = PrefetchStage(coder: coder)
        stage.prefetcher.maxConcurrentPrefetchCount = 20
        var context = WebImageContext()
        let requests = try PrefetchStage.urls(0..<20).enumerated().map { index, url in
            context.thumbnailPixelSize = PixelSize(width: index + 1, height: 1)
            return ImageRequest(url, context: context)
        }
        let token = stage.prefetcher.prefetch(requests, completed: nil)
        for load in try await stage.loader.waitForLoads(20) { load.finish(ScriptedCoder.file(99, 1)) }
        // The maximum number of low-priority loads; the last of the list waits behind all others.
        let places = max(1, ProcessorCount.current - 1)
        let begun = try await decoded.wait { $0.count >= places }
        let waiting = try #require((1...20).first { !begun.contains($0) })
        let recorder = LoadRecorder()
        var visible = requests[waiting - 1]
        visible.context.callbackQueue = .current
        stage.manager.load(
            visible.url, options: visible.options, context: visible.context, completed: recorder.completed)
        try await stage.loader.waitForLoads(21)[20].finish(ScriptedCoder.file(99, 1))
        try await decoded.wait { $0.contains(waiting) }
        gate.open()
        #expect(try await recorder.outcome().get().image.pixelSize.width == waiting)
        #expect(await token.result.skippedCount == 0)
    }

    @Test("PRE-1 a visible load by another manager joins a prefetched picture's decode")
    func otherManager() async throws {
        let held = HeldCoder()
        let stage = PrefetchStage(coder: held.coder)
        let other = WebImageManager(cache: stage.cache, loader: stage.loader, coder: held.coder)
        let recorder = LoadRecorder()
        let token = stage.prefetch(try PrefetchStage.urls(0..<1))
        var context = WebImageContext()
        context.callbackQueue = .current
        other.load(token.urls[0], context: context, completed: recorder.completed)
        for load in try await stage.loader.waitForLoads(2) { load.finish(ScriptedCoder.file(2, 2)) }
        try await held.release()
        _ = try await recorder.outcome().get()
        #expect(await token.result.skippedCount == 0)
        #expect(held.coder.decodeCount == 1)
    }

    @Test("a visible load begins at once whatever the prefetcher has under way")
    func manager() async throws {
        let stage = PrefetchStage()
        stage.prefetch(try PrefetchStage.urls(0..<10))
        let recorder = LoadRecorder()
        stage.manager.load(try PrefetchStage.urls(50..<51)[0], completed: recorder.completed)
        #expect(stage.begun == ["0.jpg", "1.jpg", "2.jpg", "50.jpg"])
        #expect(stage.loader.loads.map(\.request.priority) == [.low, .low, .low, .normal])
        stage.prefetcher.cancelPrefetching()
        stage.manager.cancelAll()
    }
}
