import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: exactly one ending", .timeLimit(.minutes(5)))
struct EndingTests {
    private let bench = ManagerBench()
    private static let key = ManagerBench.key()

    @MainActor
    @Test(
        "A2 S3-42 on the main thread a cancellation calls back before it returns, and a picture in memory before load does"
    )
    func inlineOnMain() throws {
        let bench = ManagerBench(cache: SuspendedCache(answersAtOnce: false))
        let load = try bench.load { $0.callbackQueue = .main }
        load.cancel()
        #expect(load.words == ["failed 2002"])
        bench.cache.storeInMemory(try .plain(2, 2), for: Self.key)
        #expect(try bench.load { $0.callbackQueue = .main }.words == ["memory 2x2"])
    }

    @Test("PIPE-3 S3-35 a load that is refused at once reports that on its queue, and never counts as running")
    func refusedByQueue() async throws {
        _ = try await bench.load(sending: Data("no".utf8))
        let held = HeldCallbacks()
        let refused = try bench.load { $0.callbackQueue = held.queue }
        var context = WebImageContext()
        context.callbackQueue = held.queue
        let nowhere = bench.manager.observed(ImageRequest(nil, context: context))
        #expect(refused.words.isEmpty && nowhere.words.isEmpty)
        #expect(!bench.manager.isRunning)
        held.runAll()
        #expect(refused.words == ["failed 1003"])
        #expect(nowhere.words == ["failed 1000"])
    }

    @Test("A5 loads that share a failing decode get its error once each")
    func sharedFailure() async throws {
        let held = HeldCoder()
        let bench = ManagerBench(coder: held.coder)
        let loads = try (0..<8).map { _ in try bench.load { $0.goApart() } }
        for transfer in try await bench.loader.waitForLoads(8) { transfer.finish(Data("no".utf8)) }
        try await held.release()
        for load in loads { #expect(try await load.failure().code == .badImageData) }
        #expect(held.coder.decodeCount < 8)
        #expect(loads.allSatisfy { $0.words == ["failed 1001"] })
    }

    @Test("A1 B17 a load that is cancelled during its transform ends at once, once, and nothing of it is stored")
    func duringTransform() async throws {
        let held = HeldTransform()
        let load = try bench.load("a.jpg", .waitStoreCache) { $0.transformer = held.transformer }
        try await bench.transfer().finish(ScriptedCoder.file(2, 2))
        try await held.begin()
        load.cancel()
        #expect(load.words == ["failed 2002"])
        held.goOn()
        // Queued behind the transform: when this one has loaded, the transform is over.
        _ = try await bench.load("b.jpg", sending: ScriptedCoder.file(1, 1)).get()
        #expect(load.words == ["failed 2002"])
        #expect(bench.cache.memory.keys.map(\.string) == [ManagerBench.key("b.jpg").string])
        #expect(!bench.cache.stores.contains(Self.key))
    }

    @Test("A1 a load that is cancelled while it reads the file of a picture in memory ends once")
    func duringReading() async throws {
        let bench = ManagerBench(cache: SuspendedCache(answersAtOnce: false))
        bench.cache.storeInMemory(try .plain(2, 2), for: Self.key)
        for options in [WebImageOptions.queryMemoryData, .refreshCached] {
            let load = try bench.load("a.jpg", options)
            load.cancel()
            bench.cache.answer()
            #expect(load.words.last == "failed 2002")
            #expect(load.story.endings.count == 1)
        }
        #expect(bench.loader.loads.isEmpty)
    }

    @Test("A10 every callback of the caller may cancel, reprioritise, listen and load again")
    func reentrancy() async throws {
        let (manager, url) = (bench.manager, try ManagerBench.url())
        let operation = Observed<LoadOperation?>(nil)
        let story = LoadStory()
        let meddle: @Sendable () -> Void = {
            operation.value?.setPriority(.high)
            _ = operation.value?.events.makeAsyncIterator()
            _ = manager.isRunning
            manager.load(url, options: .fromCacheOnly) { _ in }
        }
        let delegate = MeddlingDelegate(meddle)
        manager.delegate = delegate
        var context = WebImageContext()
        context.callbackQueue = .current
        context.transformer = ScriptedTransformer { image in
            meddle()
            return image.grown
        }
        context.listener = MeddlingListener(meddle)
        let started = manager.load(
            url, options: .waitStoreCache, context: context, progress: { _ in meddle() },
            completed: { outcome in
                meddle()
                manager.cancelAll()
                story.add(.ending(outcome))
            })
        operation.update { $0 = started }
        let transfer = try await bench.transfer()
        transfer.progress(1)
        transfer.finish(ScriptedCoder.file(2, 2))
        _ = try await story.ending()
        #expect(story.words == ["loaded 3x3"])
        withExtendedLifetime(delegate) {}
    }

    @Test("a progress handler that cancels ends the load at once")
    func cancelledByProgress() async throws {
        let manager = bench.manager
        let story = LoadStory()
        var context = WebImageContext()
        context.callbackQueue = .current
        manager.load(
            try ManagerBench.url(), context: context,
            progress: { progress in
                story.add(.progress(progress))
                manager.cancelAll()
            }, completed: { story.add(.ending($0)) })
        let transfer = try await bench.transfer()
        transfer.progress(1)
        transfer.progress(2)
        transfer.finish(ScriptedCoder.file(2, 2))
        #expect(story.words == ["progress 1", "failed 2002"])
    }

    @Test("a priority that changes while a stage is being started reaches that stage")
    func priorityWhileStarting() async throws {
        let bench = ManagerBench(cache: SuspendedCache(answersAtOnce: false))
        let operation = Observed<LoadOperation?>(nil)
        let loader = WatchedLoader { _ in operation.value?.setPriority(.high) }
        let load = try bench.load { $0.loader = loader }
        operation.update { $0 = load.operation }
        bench.cache.answer()
        let transfer = try await loader.inner.waitForLoads(1)[0]
        #expect(transfer.request.priority == .normal)
        #expect(transfer.priorities == [.high])
        load.cancel()
    }

    @Test("a load releases the files of its stages at its end, except those that its handle holds")
    func nothingHeld() async throws {
        let load = try bench.load("a.jpg") { $0.storeCacheType = .noCache }
        try await bench.transfer().finish(ScriptedCoder.file(2, 2))
        weak let image = try await load.result().image
        #expect(image != nil)
        #expect(bench.cache.memory.isEmpty)
        #expect(!bench.manager.isRunning)
    }
}

private final class MeddlingDelegate: WebImageManagerDelegate {
    private let meddle: @Sendable () -> Void

    init(_ meddle: @escaping @Sendable () -> Void) { self.meddle = meddle }

    func shouldDownloadImage(for url: URL) -> Bool {
        meddle()
        return true
    }
}

private struct MeddlingListener: LoadListener {
    private let meddle: @Sendable () -> Void

    init(_ meddle: @escaping @Sendable () -> Void) { self.meddle = meddle }

    func receive(_ event: LoadStageEvent) { meddle() }
}
