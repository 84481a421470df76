import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImagePixels
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: identical loads are shared", .timeLimit(.minutes(5)))
struct JoinedLoadTests {
    private static let file = ScriptedCoder.file(4, 3)
    private static let timeout = WebImageError(.timedOut, stage: .load, kind: .transient, reason: "late")

    @Test("equal loads look up, load, decode and store once, and all get the one result")
    func once() async throws {
        let coder = ScriptedCoder()
        let bench = ManagerBench(coder: coder)
        let loads = try (0..<20).map { _ in try bench.load("a.jpg", .waitStoreCache) }
        try await bench.transfer().finish(Self.file)
        let images = Set(try await Self.images(of: loads))
        #expect(images.count == 1)
        #expect(loads.allSatisfy { $0.words == ["loaded 4x3"] })
        #expect(bench.loader.loads.count == 1)
        #expect(bench.cache.queries.count == 1)
        #expect(bench.cache.stores.count == 1)
        #expect(coder.decodeCount == 1)
        #expect(!bench.manager.isRunning)
    }

    @Test("A5 a failure is reported to each once, and noted before the first report")
    func failure() async throws {
        let bench = ManagerBench()
        let loads = try (0..<3).map { _ in try bench.load() }
        let again = LoadStory()
        bench.manager.load(
            try ManagerBench.url(), context: WebImageManagerTests.inline,
            completed: { _ in
                bench.manager.load(try? ManagerBench.url(), context: WebImageManagerTests.inline) {
                    again.add(.ending($0))
                }
            })
        try await bench.transfer().finish(Data("no".utf8))
        for load in loads { #expect(try await load.failure().code == .badImageData) }
        _ = try await again.ending()
        #expect(again.words == ["failed 1003"])
        #expect(loads.allSatisfy { $0.words == ["failed 1001"] })
    }

    // MARK: Leaving

    @Test("a cancelled load changes nothing for the others, the first one included")
    func leaving() async throws {
        let bench = ManagerBench()
        let loads = try (0..<3).map { _ in try bench.load() }
        let transfer = try await bench.transfer()
        for load in loads.dropLast() {
            load.cancel()
            #expect(load.words == ["failed 2002"])
            #expect(load.operation.isCancelled)
        }
        #expect(!transfer.isCancelled)
        transfer.finish(Self.file)
        _ = try await loads[2].result()
        #expect(loads.map(\.words) == [["failed 2002"], ["failed 2002"], ["loaded 4x3"]])
    }

    @Test("the last cancelled load ends the transfer, and a later load begins another")
    func lastLeaves() async throws {
        let bench = ManagerBench()
        let loads = try (0..<3).map { _ in try bench.load() }
        let transfer = try await bench.transfer()
        for load in loads {
            #expect(!transfer.isCancelled)
            load.cancel()
        }
        try await transfer.waitForCancellation()
        #expect(!bench.manager.isRunning)
        let next = try bench.load()
        try await bench.transfer(2).finish(Self.file)
        #expect(try await next.result().cacheType == .noCache)
    }

    @Test("MGR-5 cancelAll ends all loads of a shared one, in the order in which they began, and their transfer")
    func cancelAll() async throws {
        let bench = ManagerBench()
        let endings = Observed<[Int]>([])
        for number in 0..<10 {
            bench.manager.load(try ManagerBench.url(), context: WebImageManagerTests.inline) { _ in
                endings.update { $0.append(number) }
            }
        }
        bench.manager.cancelAll()
        #expect(endings.value == Array(0..<10))
        #expect(bench.loader.loads.map(\.isCancelled) == [true])
    }

    @Test("a callback that cancels the others leaves each of them one ending")
    func cancelledWhileTold() async throws {
        let bench = ManagerBench()
        let first = LoadStory()
        bench.manager.load(try ManagerBench.url(), context: WebImageManagerTests.inline) { outcome in
            first.add(.ending(outcome))
            bench.manager.cancelAll()
        }
        let others = try (0..<3).map { _ in try bench.load() }
        try await bench.transfer().finish(Self.file)
        _ = try await first.ending()
        for load in others { #expect(try await load.failure().isCancelled) }
        #expect(others.allSatisfy { $0.story.endings.count == 1 })
    }

    // MARK: Priority

    @Test("the transfer has the highest priority of the waiting loads, up and down, and gets only changes")
    func priority() async throws {
        let bench = ManagerBench()
        let loads = try (0..<3).map { _ in try bench.load() }
        let transfer = try await bench.transfer()
        #expect(transfer.request.priority == .normal)
        loads[0].operation.setPriority(.high)
        loads[1].operation.setPriority(.high)
        loads[2].operation.setPriority(.low)
        #expect(transfer.priorities == [.high])
        loads[0].operation.setPriority(.low)
        #expect(transfer.priorities == [.high])
        loads[1].operation.setPriority(.normal)
        #expect(transfer.priorities == [.high, .normal])
        loads[1].cancel()
        #expect(transfer.priorities == [.high, .normal, .low])
        bench.manager.cancelAll()
        #expect(transfer.priorities.count == 3)
    }

    @Test("a load that joins raises the priority of the transfer to its own, if that is higher")
    func priorityOfJoining() async throws {
        let bench = ManagerBench()
        let first = try bench.load()
        let transfer = try await bench.transfer()
        first.operation.setPriority(.low)
        for _ in 0..<2 { _ = try bench.load() }
        #expect(transfer.priorities == [.low, .normal])
        bench.manager.cancelAll()
    }

    @Test("OPT-4 a load that is cancelled before it waits sends no request, and changes nothing for the others")
    func cancelledBeforeItWaits() async throws {
        let bench = ManagerBench()
        bench.manager.backgroundTasks = NoTime()
        let alone = try bench.load("a.jpg", .continueInBackground)
        #expect(alone.words == ["failed 2002"])
        #expect(bench.loader.loads.isEmpty && !bench.manager.isRunning)
        bench.manager.backgroundTasks = NoTime(after: 1)
        let waiting = try bench.load("a.jpg", .continueInBackground)
        let late = try bench.load("a.jpg", .continueInBackground)
        #expect(late.words == ["failed 2002"])
        try await bench.transfer().finish(Self.file)
        _ = try await waiting.result()
    }

    @Test("a stage begins with the highest priority of the waiting loads")
    func priorityOfNextStage() async throws {
        let bench = ManagerBench(cache: SuspendedCache(answersAtOnce: false))
        let loads = try (0..<2).map { _ in try bench.load("a.jpg", .lowPriority) }
        loads[1].operation.setPriority(.high)
        bench.cache.answer()
        #expect(try await bench.transfer().request.priority == .high)
        for load in loads { load.cancel() }
    }

    // MARK: Differences between loads

    @Test(
        "loads that differ in anything, and those that concern their caller alone, are not shared",
        arguments: [
            [WebImageOptions.highPriority], [.handleCookies], [.refreshCached, .refreshCached],
            [.queryDiskDataSync, .queryDiskDataSync], [.queryMemoryDataSync, .queryMemoryDataSync],
        ])
    func otherOptions(options: [WebImageOptions]) async throws {
        let bench = ManagerBench()
        _ = try bench.load("a.jpg", options[0])
        _ = try bench.load("a.jpg", options.dropFirst().first ?? [])
        #expect(bench.loader.loads.count == 2)
        bench.manager.cancelAll()
    }

    @Test(
        "loads with other contexts, settings or addresses are not shared, and neither are those that a delegate decides"
    )
    func otherSettings() async throws {
        let bench = ManagerBench()
        _ = try bench.load("a.jpg")
        _ = try bench.load("a.jpg") { $0.timeout = .seconds(3) }
        _ = try bench.load("a.jpg") { $0.timeout = .seconds(4) }
        _ = try bench.load("b.jpg")
        bench.manager.interceptorTimeout = .seconds(3)
        _ = try bench.load("a.jpg")
        #expect(bench.loader.loads.count == 5)
        let delegate = ScriptedDelegate()
        bench.manager.delegate = delegate
        for _ in 0..<2 { _ = try bench.load("a.jpg") }
        #expect(bench.loader.loads.count == 7)
        bench.manager.cancelAll()
        withExtendedLifetime(delegate) {}
    }

    @Test("loads whose contexts have the same settings are shared, also if the contexts were made separately")
    func equalContexts() async throws {
        let bench = ManagerBench()
        let loads = try (0..<3).map { _ in
            try bench.load {
                $0.thumbnailPixelSize = .square(2)
                $0.transformer = ImageFlippingTransformer(horizontal: true, vertical: false)
                $0.httpHeaders = ["X-One": "1"]
            }
        }
        try await bench.transfer().finish(Self.file)
        #expect(Set(try await Self.images(of: loads)).count == 1)
        #expect(bench.loader.loads.count == 1)
    }

    @Test("loads are shared although their manager adds a value that cannot be compared")
    func managersValues() async throws {
        let bench = ManagerBench()
        bench.manager.cacheKeyFilter = ScriptedKeyFilter()
        var context = WebImageContext()
        context.thumbnailPixelSize = .square(2)
        let url = try ManagerBench.url()
        let loads = (0..<3).map { _ in bench.manager.observed(ImageRequest(url, context: context)) }
        try await bench.transfer().finish(Self.file)
        #expect(Set(try await Self.images(of: loads)).count == 1)
        #expect(bench.loader.loads.count == 1)
    }

    @Test("a copy of a context is the same context, on whatever queue its load calls back")
    func otherQueues() async throws {
        let bench = ManagerBench()
        var context = WebImageContext()
        context.transformer = ScriptedTransformer()
        let queues = [HeldCallbacks(), HeldCallbacks()]
        let loads = try queues.map { held in
            var copy = context
            copy.callbackQueue = held.queue
            copy[Unset.self] = nil
            return bench.manager.observed(ImageRequest(try ManagerBench.url(), context: copy))
        }
        try await bench.transfer().finish(Self.file)
        for held in queues { try await held.waitForCallbacks(1) }
        queues[1].runAll()
        #expect(loads.map(\.words) == [[], ["loaded 5x4"]])
        queues[0].runAll()
        #expect(loads.map(\.words) == [["loaded 5x4"], ["loaded 5x4"]])
        #expect(bench.loader.loads.count == 1)
    }

    private enum Unset: WebImageContext.Key {
        typealias Value = Bool
    }

    @Test("loads without own collaborators, of a manager with its own settings, are shared")
    func managersOwnSettings() async throws {
        let bench = ManagerBench()
        bench.manager.transformer = ScriptedTransformer()
        let loads = try (0..<3).map { _ in try bench.load() }
        try await bench.transfer().finish(Self.file)
        #expect(Set(try await Self.images(of: loads)).count == 1)
        #expect(loads.allSatisfy { $0.words == ["loaded 5x4"] })
        #expect(bench.loader.loads.count == 1)
    }

    @Test("the inner loads of interceptors are shared, and each outer load ends by itself")
    func interceptors() async throws {
        let bench = ManagerBench()
        let trace = TraceRecorder()
        bench.manager.listeners = [trace]
        bench.manager.interceptors = [
            ScriptedInterceptor { _ in .around { chain throws(WebImageError) in try await chain.proceed() } }
        ]
        let loads = try (0..<2).map { _ in try bench.load() }
        let transfer = try await bench.transfer()
        // Both parts wait for it.
        try await trace.wait(for: "+load", count: 2)
        transfer.finish(Self.file)
        #expect(Set(try await Self.images(of: loads)).count == 1)
        #expect(bench.loader.loads.count == 1)
        try await trace.waitForEnd(of: 4)
        #expect(trace.faults.isEmpty)
    }

    private static func images(of loads: [ManagedLoad]) async throws -> [ObjectIdentifier] {
        var images: [ObjectIdentifier] = []
        for load in loads { images.append(ObjectIdentifier(try await load.result().image)) }
        return images
    }
}

/// Gives time to the first tasks; the time of those after them is over before it has begun.
private final class NoTime: BackgroundTaskProvider {
    private let left: Observed<Int>

    init(after count: Int = 0) { left = Observed(count) }

    func beginTask(expired: @escaping @Sendable () -> Void) -> any CancellableTask {
        let hasTime = left.update { left in
            left -= 1
            return left >= 0
        }
        if !hasTime { expired() }
        return EndedLoadTask()
    }
}
