import FoundationEssentials
import Synchronization
import Testing
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// Orders of events that random schedules have found, each placed explicitly.
extension WebImageManagerTests {
    /// A queue of jobs that run when the test says so.
    private final class HeldQueue: Sendable {
        private let waiting = Mutex<[@Sendable () -> Void]>([])

        var queue: JobQueue {
            JobQueue(limit: 1) { _, work in self.waiting.withLock { $0.append(work) } }
        }

        func run() {
            while let work = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work() }
        }
    }

    private func manager(_ held: HeldQueue, coder: any ImageCoder = ScriptedCoder()) -> WebImageManager {
        WebImageManager(cache: cache, loader: loader, coder: coder, clock: ManualClock(), queue: held.queue)
    }

    private static let notModified = WebImageError(
        .cacheNotModified, stage: .load, kind: .permanent, reason: "nothing new")

    @Test("cancelAll ends loads in the order in which they began")
    func cancelAllInOrder() throws {
        let manager = manager
        let endings = Mutex<[Int]>([])
        for number in 0..<20 {
            manager.load(try Self.address("\(number).jpg"), context: Self.inline) { _ in
                endings.withLock { $0.append(number) }
            }
        }
        manager.cancelAll()
        #expect(endings.withLock { $0 } == Array(0..<20))
    }

    @Test("a file that was read in vain, because memory has the picture by then, is not delivered as the picture's own")
    func pictureCameIntoMemory() throws {
        let held = HeldQueue()
        let url = try Self.address("a.jpg")
        cache.put(ScriptedCoder.file(2, 2), for: CacheKey(url.absoluteString))
        let recorder = LoadRecorder()
        start(url, with: manager(held), into: recorder)
        let newer = try Self.picture()
        cache.storeInMemory(newer, for: CacheKey(url.absoluteString))
        held.run()
        let result = try #require(recorder.outcomes.first).get()
        #expect(result.image === newer)
        #expect(result.cacheType == .memory)
        #expect(result.data == nil)
    }

    @Test("a transformed picture from its own file is marked as one, and is delivered without that file")
    func transformedFromItsFile() throws {
        let held = HeldQueue()
        let manager = manager(held)
        let url = try Self.address("a.jpg")
        var context = Self.inline
        context.transformer = ScriptedTransformer()
        cache.put(ScriptedCoder.file(4, 2), for: manager.cacheKey(for: url, context: context))
        let recorder = LoadRecorder()
        start(url, with: manager, context: context, into: recorder)
        held.run()
        let result = try #require(recorder.outcomes.first).get()
        #expect(result.cacheType == .disk)
        #expect(result.image.metadata.isTransformed)
        #expect(result.data == nil)
    }

    @Test("a picture from memory is refreshed though its original is in memory too, and may be taken from there")
    func refreshesBesideOriginalInMemory() throws {
        let held = HeldQueue()
        let manager = manager(held)
        let url = try Self.address("a.jpg")
        var context = Self.inline
        context.transformer = ScriptedTransformer()
        context.originalQueryCacheType = .all
        let transformed = try Self.picture()
        cache.storeInMemory(transformed, for: manager.cacheKey(for: url, context: context))
        cache.storeInMemory(try Self.picture(), for: CacheKey(url.absoluteString))
        let recorder = LoadRecorder()
        start(url, with: manager, options: .refreshCached, context: context, into: recorder)
        try #require(loader.loads.first).fail(Self.notModified)
        #expect(try #require(recorder.outcomes.first).get().image === transformed)
    }

    @Test("CTX-19 an original that may come from memory only is not looked for on the disk")
    func originalFromMemoryOnly() throws {
        let held = HeldQueue()
        let url = try Self.address("a.jpg")
        var context = Self.inline
        context.transformer = ScriptedTransformer()
        context.originalQueryCacheType = .memory
        cache.put(ScriptedCoder.file(2, 2), for: CacheKey(url.absoluteString))
        start(url, with: manager(held), context: context, into: LoadRecorder())
        #expect(!cache.queries.contains(CacheKey(url.absoluteString)))
        #expect(loader.loads.count == 1)
    }

    @Test("OPT-3 a refreshed picture in memory is made again when the disk has a newer file than its source")
    func refreshesOlderPictureInMemory() throws {
        let held = HeldQueue()
        let manager = manager(held)
        let url = try Self.address("a.jpg")
        let first = LoadRecorder()
        start(url, with: manager, into: first)
        try #require(loader.loads.first).finish(ScriptedCoder.file(1, 1))
        held.run()
        // Another load has stored a newer file, whose picture was replaced in memory.
        cache.put(ScriptedCoder.file(2, 2), for: CacheKey(url.absoluteString))
        let second = LoadRecorder()
        start(url, with: manager, options: .refreshCached, into: second)
        held.run()
        try #require(loader.loads.last).fail(Self.notModified)
        #expect(try #require(first.outcomes.first).get().image.pixelSize == PixelSize(width: 1, height: 1))
        #expect(try #require(second.outcomes.first).get().image.pixelSize == PixelSize(width: 2, height: 2))
    }

    @Test("no partial picture is decoded once its load was cancelled, though the loader takes its time to end")
    func partialsEndWithCancellation() throws {
        let held = HeldQueue()
        let (loader, coder) = (SuspendedLoader(endsLoadsWhenCancelled: false), ScriptedProgressiveCoder())
        let manager = WebImageManager(
            cache: cache, loader: loader, coder: coder, clock: ManualClock(), queue: held.queue)
        let operation = start(try Self.address("a.jpg"), with: manager, options: .progressiveLoad, into: LoadRecorder())
        let load = try #require(loader.loads.first)
        load.send(ScriptedProgressiveCoder.file(1, 1, body: "a"))
        operation.cancel()
        load.send(Data("b".utf8))
        held.run()
        #expect(coder.updates.isEmpty)
    }

    @Test("S3-6 a load that missed on disk while another one ended finds that one's picture and loads nothing")
    func foundMeanwhile() async throws {
        let bench = ManagerBench(cache: SuspendedCache(answersAtOnce: false))
        let first = try bench.load { $0.storeCacheType = .memory }
        bench.cache.answer()
        let transfer = try await bench.transfer()
        let second = try bench.load()
        #expect(bench.cache.queries.count == 2)
        transfer.finish(ScriptedCoder.file(2, 2))
        _ = try await first.result()
        bench.cache.answer()
        _ = try await second.result()
        #expect(second.words == ["memory 2x2"])
        #expect(bench.loader.loads.count == 1)
    }
}
