import Dispatch
import FoundationEssentials
import Synchronization
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTestLoads
import WebImageTesting

@testable import WebImageLoading
@testable import WebImageTestDoubles

@Suite("Prefetcher settings, while it works", .timeLimit(.minutes(5)))
struct PrefetcherSettingsTests {
    private let stage = PrefetchStage()
    private var prefetcher: WebImagePrefetcher { stage.prefetcher }
    private var loader: SuspendedLoader { stage.loader }

    @Test("while it is paused, running pictures continue and none begins")
    func pause() async throws {
        stage.prefetch(try PrefetchStage.urls(0..<5))
        prefetcher.isPaused = true
        #expect(prefetcher.isPaused)
        for load in loader.loads { load.finish(ScriptedCoder.file(1, 1)) }
        try await stage.record.wait(for: "progress 3/5")
        #expect(loader.loads.count == 3)
        prefetcher.isPaused = false
        #expect(loader.loads.count == 5)
        for load in loader.loads { load.finish(ScriptedCoder.file(1, 1)) }
        try await stage.record.wait(for: "completed 5-0")
    }

    @Test("the number of places may change at any time")
    func places() async throws {
        prefetcher.maxConcurrentPrefetchCount = 1
        stage.prefetch(try PrefetchStage.urls(0..<5))
        #expect(loader.loads.count == 1)
        prefetcher.maxConcurrentPrefetchCount = 4
        #expect(loader.loads.count == 4)
        prefetcher.maxConcurrentPrefetchCount = -7
        #expect(prefetcher.maxConcurrentPrefetchCount == 1)
    }

    @Test("a raised or lowered priority reaches running and waiting pictures, except those requested as urgent")
    func priority() async throws {
        let urls = try PrefetchStage.urls(0..<5)
        prefetcher.prefetch(
            urls.map { ImageRequest($0, options: $0 == urls[1] ? .highPriority : []) }, completed: nil)
        #expect(stage.begun == ["1.jpg", "0.jpg", "2.jpg"])
        #expect(loader.loads.map(\.request.priority) == [.high, .low, .low])
        prefetcher.priority = .normal
        #expect(loader.loads.map(\.priorities) == [[], [.normal], [.normal]])
        loader.loads[0].finish(ScriptedCoder.file(1, 1))
        #expect(try await loader.waitForLoads(4)[3].request.priority == .normal)
        prefetcher.priority = .low
        #expect(loader.loads[2].priorities == [.normal, .low])
        // Its start may not have returned yet, on the thread that continues after the first picture.
        try await loader.loads[3].waitForPriority(.low)
        #expect(loader.loads[3].priorities == [.low])
    }

    @Test("priorities that are set from many threads end with the last one")
    func racingPriorities() async throws {
        stage.prefetch(try PrefetchStage.urls(0..<3))
        DispatchQueue.concurrentPerform(iterations: 200) { number in
            prefetcher.priority = LoadPriority.allCases[number % 3]
        }
        let last = prefetcher.priority
        for load in loader.loads { #expect((load.priorities.last ?? .low) == last) }
    }

    @Test("an awaited prefetch returns the counts, and is cancelled with its task")
    func async() async throws {
        let (prefetcher, urls) = (prefetcher, try PrefetchStage.urls(0..<3))
        let task = Task { await prefetcher.prefetch(urls) }
        try await loader.waitForLoads(3)[1].finish(ScriptedCoder.file(1, 1))
        while prefetcher.progress.finishedCount == 0 { await Task.yield() }
        task.cancel()
        #expect(await task.value == PrefetchProgress(finishedCount: 3, skippedCount: 2, totalCount: 3))
        #expect(await prefetcher.prefetch([URL]()) == PrefetchProgress())
    }

    @Test("a task that was cancelled before it prefetches skips all pictures")
    func cancelledBefore() async throws {
        let (prefetcher, urls) = (prefetcher, try PrefetchStage.urls(0..<3))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await prefetcher.prefetch(urls)
        }
        #expect(await task.value.skippedCount == 3)
        #expect(!stage.manager.isRunning)
    }

    @Test("any number of tasks may await the result, before and after the end")
    func result() async throws {
        let token = stage.prefetch(try PrefetchStage.urls(0..<1))
        let waiting = (0..<3).map { _ in Task { await token.result } }
        try await stage.finishAll(1)
        for task in waiting { #expect(await task.value.isFinished) }
        #expect(await token.result == PrefetchProgress(finishedCount: 1, totalCount: 1))
    }

    @Test("updates begin with the state so far and end with the last")
    func updates() async throws {
        let token = stage.prefetch(try PrefetchStage.urls(0..<3))
        var counts: [Int] = []
        for await progress in token.updates {
            counts.append(progress.finishedCount)
            if progress.finishedCount < 3 { loader.loads[progress.finishedCount].finish(ScriptedCoder.file(1, 1)) }
        }
        #expect(counts == [0, 1, 2, 3])
        var late: [PrefetchProgress] = []
        for await progress in token.updates { late.append(progress) }
        #expect(late == [PrefetchProgress(finishedCount: 3, totalCount: 3)])
    }

    @Test("a listener that leaves is removed, the others continue")
    func leavingListener() async throws {
        let token = stage.prefetch(try PrefetchStage.urls(0..<1))
        let stays = token.updates
        for await _ in token.updates { break }
        #expect(token.listenerCount == 1)
        try await loader.waitForLoads(1)[0].finish(ScriptedCoder.file(1, 1))
        var last: PrefetchProgress?
        for await progress in stays { last = progress }
        #expect(last?.isFinished == true)
        #expect(token.listenerCount == 0)
    }

    @Test("a prefetcher that is released continues, and one that is released while paused cancels its waiting pictures")
    func lifetime() async throws {
        let (manager, loader) = (stage.manager, loader)
        var unkept: WebImagePrefetcher? = WebImagePrefetcher(manager: manager)
        let token = unkept?.prefetch(try PrefetchStage.urls(0..<1), completed: nil)
        unkept = nil
        try await loader.waitForLoads(1)[0].finish(ScriptedCoder.file(1, 1))
        #expect(await token?.result.skippedCount == 0)

        unkept = WebImagePrefetcher(manager: manager)
        unkept?.isPaused = true
        let waiting = unkept?.prefetch(try PrefetchStage.urls(1..<3), completed: nil)
        unkept = nil
        #expect(await waiting?.result == PrefetchProgress(finishedCount: 2, skippedCount: 2, totalCount: 2))
        #expect(loader.loads.count == 1)
    }

    @Test("a released callback queue blocks nothing, and its handlers are called nevertheless")
    func goneQueue() async throws {
        prefetcher.callbackQueue = CallbackQueue { _ in }
        let token = stage.prefetch(try PrefetchStage.urls(0..<4))
        try await stage.finishAll(4)
        #expect(await token.result == PrefetchProgress(finishedCount: 4, totalCount: 4))
        try await stage.record.wait(for: "completed 4-0")
        #expect(stage.record.all.count == 5)
        stage.prefetch([], name: "nothing ")
        try await stage.record.wait(for: "nothing completed 0-0")
    }

    /// Many threads that prefetch, cancel, pause and change settings over a loader that ends loads by itself.
    @Test(
        "everything at once: every call ends exactly once, and nothing is left",
        arguments: 1...10 as ClosedRange<UInt64>)
    func storm(seed: UInt64) async throws {
        let urls = try PrefetchStage.urls(0..<6)
        let manager = WebImageManager(cache: SuspendedCache(), loader: CarelessLoader(), coder: ScriptedCoder())
        let prefetcher = WebImagePrefetcher(manager: manager)
        prefetcher.callbackQueue = .current
        let endings = Observed<[Int: Int]>([:])
        await withTaskGroup { group in
            for worker in 0..<8 {
                group.addTask {
                    var random = SeededGenerator(seed: seed &* 100 &+ UInt64(worker))
                    for call in 0..<20 {
                        let number = worker * 100 + call
                        let picked = (0..<Int.random(in: 1...5, using: &random)).compactMap { _ in
                            urls.randomElement(using: &random)
                        }
                        let token = prefetcher.prefetch(
                            picked, options: .fromLoaderOnly,
                            completed: { _, _ in endings.update { $0[number, default: 0] += 1 } })
                        prefetcher.isPaused = Bool.random(using: &random)
                        prefetcher.maxConcurrentPrefetchCount = Int.random(in: 1...5, using: &random)
                        prefetcher.priority = LoadPriority.allCases.randomElement(using: &random) ?? .low
                        if Int.random(in: 0..<3, using: &random) == 0 { token.cancel() }
                        if Int.random(in: 0..<20, using: &random) == 0 { prefetcher.cancelPrefetching() }
                    }
                }
            }
        }
        prefetcher.isPaused = false
        for token in prefetcher.runningTokens { _ = await token.result }
        #expect(prefetcher.progress == PrefetchProgress(), "seed \(seed)")
        // The thread that ended the last one may still be about to report it.
        try await endings.wait { $0.count == 160 }
        #expect(endings.value.allSatisfy { $0.value == 1 }, "seed \(seed)")
    }
}

/// Ends each load by itself: some at once, some later, some with an error.
private final class CarelessLoader: ImageLoader {
    private let count = Atomic(0)
    private let queue = DispatchQueue(label: "loader", attributes: .concurrent)

    func canLoad(_ url: URL) -> Bool { true }

    func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        let number = count.add(1, ordering: .relaxed).newValue
        let failure = WebImageError(.timedOut, stage: .load, kind: .transient, reason: "late")
        let ending: ImageLoadEvent = .finished(
            number % 3 == 0 ? .failure(failure) : .success(ImageLoadResponse(data: ScriptedCoder.file(1, 1))))
        if number % 2 == 0 { receive(ending) } else { queue.async { receive(ending) } }
        return EndedLoadTask()
    }
}
