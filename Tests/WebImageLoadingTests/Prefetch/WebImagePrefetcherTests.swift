import Dispatch
import FoundationEssentials
import Synchronization
import Testing
import WebImageCache
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImageTestLoads
import WebImageTesting

@testable import WebImageTestDoubles

/// The behaviours of SDWebImage's own tests, in their order, and those of the rows around them.
@Suite("Prefetcher", .timeLimit(.minutes(5)))
struct WebImagePrefetcherTests {
    private let stage = PrefetchStage()
    private var prefetcher: WebImagePrefetcher { stage.prefetcher }
    private var loader: SuspendedLoader { stage.loader }

    // MARK: SDWebImage's own

    @Test("PRE-1 the shared prefetcher is not a new one, and has a manager of its own over the shared cache")
    func shared() {
        let shared = WebImagePrefetcher.shared
        #expect(WebImagePrefetcher(manager: shared.manager) !== shared)
        #expect(shared.manager !== WebImageManager.shared)
        #expect(shared.manager.cache as? ImageCache === ImageCache.shared)
        #expect(shared.manager.loader as? ImageLoadersManager === ImageLoadersManager.shared)
    }

    @Test("PRE-3 several pictures: progress after each, then the completion")
    func multiple() async throws {
        stage.prefetch(try PrefetchStage.urls(0..<3))
        try await stage.finishAll(3)
        let told = try await stage.record.wait(for: "completed 3-0")
        #expect(told == ["progress 1/3", "progress 2/3", "progress 3/3", "completed 3-0"])
        #expect(stage.cache.memory.count == 3)
    }

    @Test("PRE-3 nothing to prefetch is completed before the call returns, with a token that has ended")
    func empty() async throws {
        let delegate = RecordingDelegate(stage.record)
        prefetcher.delegate = delegate
        let token = stage.prefetch([])
        #expect(stage.record.all == ["completed 0-0"])
        #expect(token.progress.isFinished && token.requests.isEmpty && token.urls.isEmpty)
        #expect(await token.result == PrefetchProgress())
        var steps: [PrefetchProgress] = []
        for await step in token.updates { steps.append(step) }
        #expect(steps == [PrefetchProgress()])
        token.cancel()
        #expect(prefetcher.runningTokens.isEmpty)
        #expect(stage.record.all == ["completed 0-0"])
    }

    @Test("PRE-3 calls from several queues overlap, and each ends by its own counts")
    func differentQueues() async throws {
        let urls = try PrefetchStage.urls(0..<12)
        let stage = stage
        for (name, part) in [("a ", urls[..<6]), ("b ", urls[6...])] {
            DispatchQueue.global().async { stage.prefetch(Array(part), name: name) }
        }
        try await stage.finishAll(12)
        try await stage.record.wait(for: "a completed 6-0")
        let told = try await stage.record.wait(for: "b completed 6-0")
        for name in ["a ", "b "] {
            let own = told.filter { $0.hasPrefix(name) }
            #expect(own == (1...6).map { "\(name)progress \($0)/6" } + ["\(name)completed 6-0"])
        }
    }

    @Test("PRE-6 twenty pictures: the delegate is called for each before the progress handler")
    func manyWithDelegate() async throws {
        let delegate = RecordingDelegate(stage.record)
        prefetcher.delegate = delegate
        stage.prefetch(try PrefetchStage.urls(0..<20))
        try await stage.finishAll(20)
        let told = try await stage.record.wait(for: "completed 20-0")
        let counts = (1...20).flatMap { ["\($0)/20", "progress \($0)/20"] }
        let seen = told.dropLast(2).map { event -> String in
            event.hasPrefix("did") ? String(event.split(separator: " ")[2]) : event
        }
        #expect(seen == counts)
        #expect(told.suffix(2) == ["finished 20-0", "completed 20-0"])
        withExtendedLifetime(delegate) {}
    }

    @Test("PRE-4 a cancelled token is at once not among the running ones")
    func cancelToken() throws {
        let token = stage.prefetch(try PrefetchStage.urls(0..<3))
        #expect(prefetcher.runningTokens.count == 1)
        #expect(token.urls == (try PrefetchStage.urls(0..<3)))
        token.cancel()
        #expect(prefetcher.runningTokens.isEmpty)
        #expect(token.progress == PrefetchProgress(finishedCount: 3, skippedCount: 3, totalCount: 3))
    }

    @Test("PRE-8 A15 downloads that are cancelled by others count as skipped, and the prefetcher continues to its end")
    func cancelledDownloads() async throws {
        stage.prefetch(try PrefetchStage.urls(0..<5))
        for number in 0..<5 { try await loader.waitForLoads(number + 1)[number].cancel() }
        let told = try await stage.record.wait(for: "completed 5-5")
        #expect(told == (1...5).map { "progress \($0)/5" } + ["completed 5-5"])
    }

    // MARK: Rows

    @Test("PRE-2 A98 three at a time by default, the others when their turn comes, less urgent than others")
    func concurrency() async throws {
        #expect(prefetcher.maxConcurrentPrefetchCount == 3)
        stage.prefetch(try PrefetchStage.urls(0..<5))
        #expect(stage.begun == ["0.jpg", "1.jpg", "2.jpg"])
        #expect(loader.loads.allSatisfy { $0.request.priority == .low })
        loader.loads[1].finish(ScriptedCoder.file(1, 1))
        #expect(try await loader.waitForLoads(4).count == 4)
        #expect(stage.begun.last == "3.jpg")
    }

    @Test("PRE-3 calls run beside each other, sharing the places in the order of the calls, copies included")
    func fifo() async throws {
        stage.prefetch(try PrefetchStage.urls(0..<2), name: "a ", options: .fromLoaderOnly)
        stage.prefetch(
            try PrefetchStage.urls(0..<3), name: "b ", options: .fromLoaderOnly, context: WebImageContext().apart)
        #expect(stage.begun == ["0.jpg", "1.jpg", "0.jpg"])
        try await stage.finishAll(5)
        try await stage.record.wait(for: "a completed 2-0")
        try await stage.record.wait(for: "b completed 3-0")
    }

    @Test("PRE-5 a failure counts as finished and as skipped")
    func failures() async throws {
        stage.prefetch(try PrefetchStage.urls(0..<2))
        loader.loads[0].fail(WebImageError(.timedOut, stage: .load, kind: .transient, reason: "late"))
        loader.loads[1].finish(Data("no picture".utf8))
        let told = try await stage.record.wait(for: "completed 2-2")
        #expect(told == ["progress 1/2", "progress 2/2", "completed 2-2"])
    }

    @Test("PRE-6 B23 the delegate's counts are of all running calls, and it gets the end with the last")
    func delegateTotals() async throws {
        let delegate = RecordingDelegate(stage.record)
        prefetcher.delegate = delegate
        stage.prefetch(try PrefetchStage.urls(0..<1), name: "a ")
        stage.prefetch(try PrefetchStage.urls(1..<3), name: "b ")
        for (number, count) in zip(0..<3, [3, 5, 9]) {
            loader.loads[number].finish(ScriptedCoder.file(1, 1))
            try await stage.record.wait(count: count)
        }
        #expect(
            stage.record.all == [
                "did 0.jpg 1/3", "a progress 1/1", "a completed 1-0", "did 1.jpg 1/2", "b progress 1/2",
                "did 2.jpg 2/2", "b progress 2/2", "finished 2-0", "b completed 2-0",
            ])
        withExtendedLifetime(delegate) {}
    }

    @Test("PRE-2 the delegate is held weakly")
    func weakDelegate() async throws {
        prefetcher.delegate = RecordingDelegate(stage.record)
        #expect(prefetcher.delegate == nil)
        stage.prefetch(try PrefetchStage.urls(0..<1))
        try await stage.finishAll(1)
        #expect(try await stage.record.wait(for: "completed 1-0") == ["progress 1/1", "completed 1-0"])
    }

    @Test("PRE-2 handlers are called on the prefetcher's queue, the main queue by default, or on that of the call")
    func callbackQueues() async throws {
        let key = DispatchSpecificKey<String>()
        let queues = ["prefetcher", "call"].map { name in
            let queue = DispatchQueue(label: name)
            queue.setSpecific(key: key, value: name)
            return CallbackQueue(queue)
        }
        let record = PrefetchRecord()
        let url = try PrefetchStage.urls(0..<1)
        prefetcher.callbackQueue = queues[0]
        prefetcher.prefetch(url, completed: { _, _ in record.add(DispatchQueue.getSpecific(key: key) ?? "none") })
        var context = WebImageContext()
        context.callbackQueue = queues[1]
        context.goApart()
        prefetcher.prefetch(
            url, context: context, completed: { _, _ in record.add(DispatchQueue.getSpecific(key: key) ?? "none") })
        try await stage.finishAll(2)
        #expect(try await record.wait(count: 2).sorted() == ["call", "prefetcher"])
    }

    @Test("PRE-4 B23 cancelling stops the running loads, calls the completion once and no progress after it")
    func cancelCompletes() async throws {
        let delegate = RecordingDelegate(stage.record)
        prefetcher.delegate = delegate
        let token = stage.prefetch(try PrefetchStage.urls(0..<5))
        loader.loads[0].finish(ScriptedCoder.file(1, 1))
        try await loader.waitForLoads(4)
        token.cancel()
        token.cancel()
        for load in loader.loads.dropFirst() { try await load.waitForCancellation() }
        #expect(
            stage.record.all == ["did 0.jpg 1/5", "progress 1/5", "finished 5-4", "completed 5-4"])
        #expect(loader.loads.count == 4)
        // The start of the fourth may not have returned yet, on the thread that continues after the first picture.
        while stage.manager.isRunning { await Task.yield() }
        withExtendedLifetime(delegate) {}
    }

    @Test("PRE-7 cancelPrefetching cancels all running calls, and later ones run as usual")
    func cancelAll() async throws {
        stage.prefetch(try PrefetchStage.urls(0..<2), name: "a ")
        stage.prefetch(try PrefetchStage.urls(2..<4), name: "b ")
        prefetcher.cancelPrefetching()
        #expect(stage.record.all == ["a completed 2-2", "b completed 2-2"])
        #expect(prefetcher.runningTokens.isEmpty)
        #expect(prefetcher.progress == PrefetchProgress())
        stage.prefetch(try PrefetchStage.urls(4..<5), name: "c ")
        try await loader.waitForLoad(of: try PrefetchStage.urls(4..<5)[0]).finish(ScriptedCoder.file(1, 1))
        try await stage.record.wait(for: "c completed 1-0")
    }

    @Test("B23 a handler may cancel its own token: nothing is called within the call, and the completion comes once")
    func cancelWithinHandler() async throws {
        let held = Mutex<PrefetchToken?>(nil)
        let record = PrefetchRecord()
        let token = prefetcher.prefetch(try PrefetchStage.urls(0..<5)) { finished, _ in
            record.add("cancel at \(finished)")
            held.withLock { $0 }?.cancel()
            record.add("cancelled")
        } completed: { finished, skipped in
            record.add("completed \(finished)-\(skipped)")
        }
        held.withLock { $0 = token }
        loader.loads[0].finish(ScriptedCoder.file(1, 1))
        let told = try await record.wait(for: "completed 5-4")
        #expect(told == ["cancel at 1", "cancelled", "completed 5-4"])
        held.withLock { $0 = nil }
    }

    @Test("B23 a cancellation overtakes progress that waits for its queue, but not the completion")
    func cancelBeforeDelivery() async throws {
        let queue = DispatchQueue(label: "test")
        prefetcher.callbackQueue = CallbackQueue(queue)
        queue.suspend()
        let token = stage.prefetch(try PrefetchStage.urls(0..<2))
        loader.loads[0].finish(ScriptedCoder.file(1, 1))
        for await progress in token.updates where progress.finishedCount == 1 { break }
        token.cancel()
        #expect(stage.record.all.isEmpty)
        queue.resume()
        #expect(try await stage.record.wait(count: 1) == ["completed 2-1"])
    }

    @Test(
        "a closure that stands alone behind the call is the completion, as most of SDWebImage's are",
        arguments: [true, false])
    func trailingClosure(hasRequests: Bool) async throws {
        let (urls, record) = (try PrefetchStage.urls(0..<3), stage.record)
        if hasRequests {
            prefetcher.prefetch(urls.map { ImageRequest($0) }) { record.add("completed \($0)-\($1)") }
        } else {
            prefetcher.prefetch(urls) { record.add("completed \($0)-\($1)") }
        }
        let loads = try await loader.waitForLoads(3)
        loads[0].fail(WebImageError(.timedOut, stage: .load, kind: .transient, reason: "late"))
        for load in loads[1...] { load.finish(ScriptedCoder.file(1, 1)) }
        #expect(try await record.wait(count: 1) == ["completed 3-1"])
    }

    @Test("a request without a URL is skipped, the others come")
    func noURL() async throws {
        let delegate = RecordingDelegate(stage.record)
        prefetcher.delegate = delegate
        let url = try PrefetchStage.urls(0..<1)[0]
        let token = prefetcher.prefetch([ImageRequest(nil), ImageRequest(url)], completed: nil)
        try await stage.finishAll(1)
        #expect(await token.result == PrefetchProgress(finishedCount: 2, skippedCount: 1, totalCount: 2))
        #expect(
            try await stage.record.wait(for: "finished 2-1") == ["did nothing 1/2", "did 0.jpg 2/2", "finished 2-1"])
        #expect(token.urls == [url])
        withExtendedLifetime(delegate) {}
    }

    @Test("ten thousand pictures in memory are prefetched at once, without piling up on the stack")
    func inMemory() async throws {
        let url = try PrefetchStage.urls(0..<1)[0]
        let pixel = try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [1, 2, 3, 255])
        stage.cache.storeInMemory(Image(bitmap: pixel), for: CacheKey(url.absoluteString))
        let urls = Array(repeating: url, count: 10_000)
        #expect(await prefetcher.prefetch(urls) == PrefetchProgress(finishedCount: 10_000, totalCount: 10_000))
        #expect(loader.loads.isEmpty)
    }

    @Test("each request has its own options and context")
    func ownSettings() async throws {
        let urls = try PrefetchStage.urls(0..<2)
        var small = WebImageContext()
        small.thumbnailPixelSize = PixelSize(width: 4, height: 4)
        let token = prefetcher.prefetch(
            [ImageRequest(urls[0], options: .fromCacheOnly), ImageRequest(urls[1], context: small)], completed: nil)
        let load = try await loader.waitForLoads(1)[0]
        #expect(load.request.url == urls[1])
        load.finish(ScriptedCoder.file(9, 9))
        #expect(await token.result.skippedCount == 1)
        #expect(stage.cache.memory.values.map(\.pixelSize) == [PixelSize(width: 4, height: 4)])
    }
}
