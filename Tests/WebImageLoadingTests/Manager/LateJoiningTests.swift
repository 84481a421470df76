import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageTesting

@testable import WebImageLoading
@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// Loads that join one another at a moment that the test chooses.
@Suite("Manager: loads that join late", .timeLimit(.minutes(5)))
struct LateJoiningTests {
    private static let file = ScriptedCoder.file(4, 3)

    @Test("a load that finds an equal one before its maker has joined starts it")
    func beforeItsMaker() async throws {
        let bench = ManagerBench()
        let (core, settings) = (bench.manager.core, bench.manager.settings)
        let request = ImageRequest(try ManagerBench.url())
        let key = try #require(SharedLoadKey(request, requestedURL: nil, settings: settings))
        let plan = core.plan(try ManagerBench.url(), request, settings, LoadCallbacks())
        let made = SharedLoad(
            LoadStages(plan: plan, shared: core.shared, settings: settings), key: key, among: core.loads,
            isTraced: false)
        _ = core.loads.join(key, orMake: { made }, by: { _ in true })
        let load = bench.manager.observed(request)
        try await bench.transfer().finish(Self.file)
        #expect(try await load.ending().failure == nil)
    }

    // MARK: At each stage

    /// A manager whose loads wait for the test at one stage.
    private struct Held {
        let bench: ManagerBench
        let trace = TraceRecorder()
        let coder: ScriptedCoder
        private let context: WebImageContext
        private let mayDecode = Gate()
        private let mayTransform = Gate()
        private let requestedWrites = Observed(0)

        init(at stage: LoadStageEvent.Stage) {
            let (mayDecode, mayTransform, requestedWrites) = (mayDecode, mayTransform, requestedWrites)
            coder = ScriptedCoder { _ in mayDecode.waitBlocking() }
            bench = ManagerBench(
                cache: SuspendedCache(
                    answersAtOnce: stage != .disk, holdsStores: stage == .store,
                    didStore: { requestedWrites.update { $0 += 1 } }),
                coder: coder)
            var context = WebImageContext()
            context.callbackQueue = .current
            context.listener = trace
            // In memory, the picture would be found before the stage is reported.
            context.storeCacheType = .disk
            context.transformer = ScriptedTransformer { image in
                mayTransform.waitBlocking()
                return image.grown
            }
            self.context = context
            if stage != .decode { mayDecode.open() }
            if stage != .transform { mayTransform.open() }
        }

        func load() throws -> ManagedLoad {
            bench.manager.observed(
                ImageRequest(try ManagerBench.url(), options: .waitStoreCache, context: context))
        }

        /// Lets the load at `stage` continue to its end.
        func goOn(from stage: LoadStageEvent.Stage) async throws {
            switch stage {
            case .disk: for _ in 0..<2 { bench.cache.answer() }
            case .decode: mayDecode.open()
            case .transform: mayTransform.open()
            case .store: bench.cache.releaseStores()
            default: break
            }
            if stage == .disk || stage == .load { try await bench.transfer().finish(ScriptedCoder.file(4, 3)) }
        }

        /// Returns once `count` loads have reached `stage`.
        func wait(at stage: LoadStageEvent.Stage, count: Int = 1) async throws {
            if stage != .disk && stage != .load { try await bench.transfer().finish(ScriptedCoder.file(4, 3)) }
            try await trace.wait(for: "+\(stage)", count: count)
            if stage == .store { try await waitForWrites(ofLoads: 1) }
        }

        /// Returns once the writes of `count` shared loads are requested, which may be later than the report of the
        /// stage: each stores the original file and the transformed picture.
        func waitForWrites(ofLoads count: Int) async throws { try await requestedWrites.wait { $0 >= 2 * count } }
    }

    @Test(
        "a load joins at any stage, gets the first one's result, and its listener gets that stage and the rest",
        arguments: [LoadStageEvent.Stage.disk, .load, .decode, .transform, .store])
    func anyStage(stage: LoadStageEvent.Stage) async throws {
        let held = Held(at: stage)
        let first = try held.load()
        try await held.wait(at: stage)
        let second = try held.load()
        try await held.goOn(from: stage)
        #expect(try await first.result().image === (try await second.result().image))
        #expect(held.bench.loader.loads.count == 1)
        #expect(held.coder.decodeCount == 1)
        try await held.trace.waitForEnd(of: 2)
        #expect(held.trace.faults.isEmpty)
        let own = held.trace.words(ofLoad: 1)
        #expect(own.prefix(4) == ["+whole", "+memory", "-memory missed", "+\(stage)"])
        #expect(own.contains("-\(stage) done") || own.contains("-\(stage) missed"))
        #expect(own.suffix(3) == ["+deliver", "-deliver done", "-whole done"])
        #expect(held.trace.words(ofLoad: 0).suffix(own.count - 4) == own.dropFirst(4))
    }

    @Test(
        "at any stage the first may leave, and the work ends with the last",
        arguments: [LoadStageEvent.Stage.disk, .load, .decode, .transform, .store])
    func leavingAtAnyStage(stage: LoadStageEvent.Stage) async throws {
        let held = Held(at: stage)
        let loads = [try held.load(), try held.load()]
        try await held.wait(at: stage, count: loads.count)
        for load in loads {
            load.cancel()
            #expect(load.words == ["failed 2002"])
        }
        #expect(!held.bench.manager.isRunning)
        try await held.trace.waitForEnd(of: 2)
        #expect(held.trace.faults.isEmpty)
        for number in 0...1 {
            #expect(
                held.trace.words(ofLoad: number).suffix(4) == [
                    "-\(stage) 2002", "+deliver", "-deliver done", "-whole 2002",
                ])
        }
        // Later loads start again, while the earlier one is still ending.
        held.bench.cache.clear(.all, completion: nil)
        let next = try held.load()
        try await held.goOn(from: stage)
        if stage != .disk { try await held.bench.transfer(2).finish(ScriptedCoder.file(4, 3)) }
        if stage == .store { try await held.waitForWrites(ofLoads: 2) }
        try await held.goOn(from: stage)
        _ = try await next.result()
        #expect(loads.allSatisfy { $0.words == ["failed 2002"] })
    }

    // MARK: Missed events

    @Test(
        "OPT-2 a load that joins gets the current progress and the latest part of the picture, and then the rest")
    func soFar() async throws {
        let coder = ScriptedProgressiveCoder()
        let bench = ManagerBench(coder: coder)
        let first = try bench.load("a.jpg", .progressiveLoad)
        let transfer = try await bench.transfer()
        for (number, part) in ["4x3:", "a"].enumerated() {
            transfer.send(Data(part.utf8))
            try await first.story.waitForEvents(number + 1)
        }
        transfer.progress(5, of: 9)
        let second = try bench.load("a.jpg", .progressiveLoad)
        #expect(second.words == ["progress 5", "partial 4x3"])
        #expect(second.story.partials.first === first.story.partials.last)
        transfer.progress(7, of: 9)
        transfer.send(Data("b".utf8))
        try await second.story.waitForEvents(4)
        transfer.finish(ScriptedProgressiveCoder.file(4, 3, body: "ab"))
        _ = try await second.result()
        #expect(second.words == ["progress 5", "partial 4x3", "progress 7", "partial 4x3", "loaded 4x3"])
        #expect(second.story.partials.last === first.story.partials.last)
        // Partial pictures are decoded once for all of them.
        #expect(coder.decoderCount == 1)
        #expect(bench.loader.loads.count == 1)
    }

    @Test("a load that joins gets older progress before newer, even if that arrives during the report")
    func olderFirst() async throws {
        let bench = ManagerBench()
        _ = try bench.load()
        let transfer = try await bench.transfer()
        transfer.progress(1)
        let told = Observed<[Int]>([])
        bench.manager.load(
            try ManagerBench.url(), context: WebImageManagerTests.inline,
            progress: { progress in
                if progress.receivedByteCount == 1 { transfer.progress(2) }
                told.update { $0.append(progress.receivedByteCount) }
            }, completed: { _ in })
        #expect(told.value == [1, 2])
        bench.manager.cancelAll()
    }

    @Test("the ending waits for a running report of progress, and none follows it")
    func progressBeforeEnding() async throws {
        let bench = ManagerBench()
        let (manager, story) = (bench.manager, LoadStory())
        manager.load(
            try ManagerBench.url(), context: WebImageManagerTests.inline,
            progress: { progress in
                manager.cancelAll()
                story.add(.progress(progress))
            }, completed: { story.add(.ending($0)) })
        try await bench.transfer().progress(1)
        #expect(story.words == ["progress 1", "failed 2002"])
        #expect(!manager.isRunning)
    }

    // MARK: At the end

    @Test("a load that joins between an update and its report gets the same update")
    func afterDecision() async throws {
        let late = Observed<ManagedLoad?>(nil)
        let join = Observed<(@Sendable () -> Void)?>(nil)
        // The last step before any report.
        let bench = ManagerBench(cache: SuspendedCache(didStore: { join.value?() }))
        var context = WebImageContext()
        context.storeCacheType = .disk
        let request = ImageRequest(try ManagerBench.url(), context: context)
        join.update { $0 = { late.update { $0 = bench.manager.observed(request) } } }
        let first = bench.manager.observed(request)
        try await bench.transfer().finish(Self.file)
        let image = try await first.result().image
        #expect(try await late.value?.result().image === image)
        #expect(bench.loader.loads.count == 1)
        join.update { $0 = nil }
    }

    @Test(
        "a load that joins at the end of a shared load starts its own, whatever the end was",
        arguments: [0, 1, 2])
    func atTheEnd(end: Int) async throws {
        let cache = AskingCache()
        let loader = SuspendedLoader()
        let manager = WebImageManager(cache: cache, loader: loader, coder: ScriptedCoder(), clock: ManualClock())
        let request = ImageRequest(try ManagerBench.url())
        let first = manager.observed(request)
        let transfer = try await loader.waitForLoads(1)[0]
        cache.willAnswer.update { willAnswer in
            willAnswer = {
                cache.willAnswer.update { $0 = nil }
                switch end {
                case 0: first.cancel()
                case 1: transfer.fail(WebImageError(.timedOut, stage: .load, kind: .transient, reason: "late"))
                default: transfer.fail(.cancelled())
                }
            }
        }
        let second = manager.observed(request)
        #expect(first.story.endings.count == 1)
        try await loader.waitForLoads(2)[1].finish(Self.file)
        #expect(try await second.result().cacheType == .noCache)
        #expect(second.words == ["loaded 4x3"])
        #expect(!manager.isRunning)
    }

    @Test("a shared load that is over is not joined: it is removed, and another begins")
    func over() async throws {
        let loader = SuspendedLoader()
        let shared = SharedStages()
        let loads = SharedLoads()
        let defaults = LoadDefaults(cache: AskingCache(), loader: loader, coder: ScriptedCoder())
        let settings = LoadSettings()
        let url = try ManagerBench.url()
        let request = ImageRequest(url)
        let key = try #require(SharedLoadKey(request, requestedURL: nil, settings: settings))
        let story = LoadStory()
        let operation = LoadOperation(
            request, callbacks: LoadCallbacks(queue: .current, completed: { story.add(.ending($0)) }), trace: nil,
            shared: shared)
        var made: [SharedLoad] = []
        let (joined, number) = loads.join(key) {
            let plan = LoadPlan(url: url, request: request, defaults: defaults)
            let load = SharedLoad(
                LoadStages(plan: plan, shared: shared, settings: settings), key: key, among: loads, isTraced: false)
            if made.isEmpty { _ = load.work.end() }
            made.append(load)
            return load
        } by: {
            $0.join(operation)
        }
        #expect(number == 1)
        joined.start(inMemory: nil)
        #expect(made.count == 2)
        #expect(loads[key] === made[1])
        try await loader.waitForLoads(1)[0].finish(Self.file)
        _ = try await story.ending()
        #expect(story.words == ["loaded 4x3"])
        #expect(loads.isEmpty)
    }

    @Test("a new request within the completion of the last begins a new load")
    func inTheCallback() async throws {
        let bench = ManagerBench()
        let url = try ManagerBench.url()
        let again = LoadStory()
        bench.manager.load(url, context: WebImageManagerTests.inline) { _ in
            bench.manager.load(url, context: WebImageManagerTests.inline) { again.add(.ending($0)) }
        }
        let second = try bench.load()
        try await bench.transfer().fail(WebImageError(.timedOut, stage: .load, kind: .transient, reason: "late"))
        #expect(second.words == ["failed 3001"])
        #expect(again.words.isEmpty)
        try await bench.transfer(2).finish(Self.file)
        _ = try await again.ending()
        #expect(again.words == ["loaded 4x3"])
    }

    /// An empty cache that calls a closure of the test before it answers.
    private final class AskingCache: EmptyCache {
        let willAnswer = Observed<(@Sendable () -> Void)?>(nil)

        func imageFromMemory(for key: CacheKey) -> Image? {
            willAnswer.value?()
            return nil
        }
    }
}
