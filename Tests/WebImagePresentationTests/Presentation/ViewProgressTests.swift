import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImagePresentation
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// The reports of a load's progress: to the progress object, to the indicator, to the caller.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct ViewProgressTests {
    private let bench = ViewBench()

    @Test("VIEW-6 S3-26 S3-27 the object starts at nothing of nothing and follows the bytes, on the main thread")
    func object() async throws {
        let object = CountingProgress()
        bench.view.progress.setObject(object, for: .image)
        let load = try bench.load()
        #expect(object.values == [ProgressCounts()])
        let transfer = try await bench.manager.transfer()
        await Task.detached { transfer.progress(3, of: 12) }.value
        try await object.wait { $0.last == ProgressCounts(completed: 3, total: 12) }
        transfer.finish(ScriptedCoder.file(4, 4))
        _ = await load.outcome()
        #expect(object.values.last == ProgressCounts(completed: 3, total: 3))
    }

    @Test("VIEW-6 numbers that arrive before the object's report make one hop, and the last of them is reported")
    func coalescedObject() async throws {
        let held = HeldCallbacks()
        let bench = ViewBench(queue: held.queue)
        let object = CountingProgress()
        bench.view.progress.setObject(object, for: .image)
        try bench.load()
        let transfer = try await bench.manager.transfer()
        for count in 1...5 { transfer.progress(count, of: 10) }
        #expect(object.values == [ProgressCounts()])
        held.runAll()
        #expect(object.values == [ProgressCounts(), ProgressCounts(completed: 5, total: 10)])
        transfer.progress(6, of: 10)
        try bench.load("b.jpg")
        held.runAll()
        #expect(object.values.last == ProgressCounts(), "the number of a load that was replaced is gone")
    }

    @Test("S4-5 VIEW-6 the load's events report each change, on any thread")
    func events() async throws {
        try bench.load()
        let operation = try #require(bench.view.operation(for: .image) as? LoadOperation)
        let events = operation.events
        let told = Task.detached {
            for try await event in events {
                if case .progress(let progress) = event { return progress.receivedByteCount }
            }
            return 0
        }
        try await bench.manager.transfer().progress(3, of: 12)
        #expect(try await told.value == 3)
    }

    @Test("VIEW-6 S3-28 a picture without any progress is one of one, and a failure keeps its progress")
    func untouched() async throws {
        let object = CountingProgress()
        bench.view.progress.setObject(object, for: .image)
        let failing = try bench.load()
        try await bench.manager.transfer().fail(.scriptedFailure)
        _ = await failing.outcome()
        #expect(object.values.last == ProgressCounts())
        try await bench.load("b.jpg", sending: ScriptedCoder.file(4, 4))
        #expect(object.values.last == ProgressCounts(completed: 1, total: 1))
        try bench.load("b.jpg")
        #expect(object.values.suffix(2) == [ProgressCounts(), ProgressCounts(completed: 1, total: 1)])
    }

    @Test("VIEW-6 an object that is set while a load runs shows its progress, and the former one nothing more")
    func replacedObject() async throws {
        let (former, own) = (CountingProgress(), CountingProgress())
        bench.view.progress.setObject(former, for: .image)
        try bench.load()
        let transfer = try await bench.manager.transfer()
        transfer.progress(3, of: 12)
        bench.view.progress.setObject(own, for: .image)
        #expect(own.values == [ProgressCounts(completed: 3, total: 12)])
        transfer.progress(4, of: 12)
        #expect(own.values.last?.completed == 4)
        #expect(former.values.last?.completed == 3)
        #expect(bench.view.progress.object(for: .image) === own)
        bench.view.progress.remove(.image)
        #expect(bench.view.progress.object(for: .image) == nil)
    }

    @Test("VIEW-9 each key has an object of its own, and an older load under a key changes nothing of it")
    func keys() async throws {
        let (picture, badge) = (CountingProgress(), CountingProgress())
        bench.view.progress.setObject(picture, for: .image)
        bench.view.progress.setObject(badge, for: "badge")
        try bench.load("a.jpg")
        try bench.load("b.jpg", place: "badge")
        try bench.load("c.jpg", .avoidAutoCancelImage)
        let transfers = try await bench.manager.loader.waitForLoads(3)
        transfers[0].progress(1, of: 2)
        #expect(picture.values.allSatisfy { $0 == ProgressCounts() })
        transfers[1].progress(2, of: 2)
        transfers[2].progress(3, of: 4)
        #expect(badge.values.last == ProgressCounts(completed: 2, total: 2))
        #expect(picture.values.last == ProgressCounts(completed: 3, total: 4))
    }

    @Test(
        "IND-5 S3-27 the indicator gets a number from 0 to 1 on the main thread, before the caller",
        arguments: [(3, 12, 0.25), (20, 10, 1.0), (5, nil, 0.0), (5, 0, 0.0), (5, -1, 0.0)] as [(Int, Int?, Double)])
    func indicator(received: Int, expected: Int?, fraction: Double) async throws {
        let surface = bench.surface
        bench.view.changeIndicator(isThere: true) {}
        try bench.load(
            progress: { progress in
                MainActor.assumeIsolated { surface.story.append("caller gets \(progress.receivedByteCount)") }
            })
        let transfer = try await bench.manager.transfer()
        _ = bench.story()
        // The main thread loads here, so that the whole order is visible.
        transfer.progress(received, of: expected)
        #expect(bench.story() == ["indicator at \(fraction)", "caller gets \(received)"])
    }

    @Test("S3-27 the caller is told on the main thread, once for numbers that come while it waits, and of the last one")
    func coalescedHandler() async throws {
        let held = HeldCallbacks()
        let bench = ViewBench(queue: held.queue)
        var told: [Int] = []
        let load = try bench.load(progress: { told.append($0.receivedByteCount) })
        let transfer = try await bench.manager.transfer()
        await Task.detached { for count in 1...5 { transfer.progress(count, of: 10) } }.value
        #expect(told == [])
        held.runAll()
        #expect(told == [5])
        transfer.progress(6, of: 10)
        bench.view.cancel(.image)
        held.runAll()
        #expect(told == [5], "nothing is told after the end of a load")
        #expect(load.failureCode == .cancelled)
    }

    @Test("S3-27 the caller gets the last number before the end, and may begin another load then")
    func handlerBeforeTheEnd() async throws {
        let held = HeldCallbacks()
        let bench = ViewBench(queue: held.queue)
        var story: [String] = []
        let load = try bench.load(
            completed: { _ in story.append("ended") },
            progress: { progress in
                story.append("told \(progress.receivedByteCount)")
                if progress.receivedByteCount == 7 { bench.view.cancel(.image) }
            })
        let transfer = try await bench.manager.transfer()
        transfer.progress(7, of: 10)
        transfer.finish(ScriptedCoder.file(4, 4))
        try await held.waitForCallbacks(2)
        held.runAll()
        #expect(story == ["told 7", "ended"])
        #expect(load.failureCode == .cancelled)
    }

    @Test("IND-5 many numbers make one hop to the main thread, with the last of them")
    func coalesced() async throws {
        let held = HeldCallbacks()
        let bench = ViewBench(queue: held.queue)
        bench.view.changeIndicator(isThere: true) {}
        try bench.load()
        let transfer = try await bench.manager.transfer()
        _ = bench.story()
        for count in 1...5 { transfer.progress(count, of: 10) }
        try await held.waitForCallbacks(1)
        held.runAll()
        #expect(bench.story() == ["indicator at 0.5"])
        transfer.progress(6, of: 10)
        bench.view.cancel(.image)
        _ = bench.story()
        held.runAll()
        #expect(bench.story() == [])
    }

    @Test("IND-5 without an indicator nothing hops to the main thread")
    func noIndicator() async throws {
        let held = HeldCallbacks()
        let bench = ViewBench(queue: held.queue)
        try bench.load()
        try await bench.manager.transfer().progress(1, of: 10)
        held.runAll()
        #expect(!bench.surface.story.contains { $0.hasPrefix("indicator") })
    }

    @Test("IND-5 the indicator runs while any load with a URL does, and shows the youngest one's progress")
    func severalLoads() async throws {
        bench.view.changeIndicator(isThere: true) {}
        try bench.load("a.jpg")
        try bench.load("b.jpg", place: "badge")
        #expect(bench.story().count { $0 == "indicator starts" } == 1)
        let transfers = try await bench.manager.loader.waitForLoads(2)
        transfers[0].progress(1, of: 2)
        transfers[1].progress(1, of: 4)
        #expect(bench.story() == ["indicator at 0.25"])
        bench.view.cancel("badge")
        #expect(!bench.story().contains("indicator stops"))
        transfers[0].progress(2, of: 2)
        #expect(bench.story() == ["indicator at 1.0"])
        bench.view.cancel(.image)
        #expect(bench.story().first == "indicator stops")
    }

    @Test("IND-5 an indicator that is set while a load runs starts at once, and the one before it stops")
    func lateIndicator() throws {
        try bench.load()
        bench.view.changeIndicator(isThere: true) { bench.surface.story.append("first") }
        bench.view.changeIndicator(isThere: true) { bench.surface.story.append("second") }
        bench.view.changeIndicator(isThere: false) { bench.surface.story.append("none") }
        #expect(
            bench.story().dropFirst(2) == [
                "first", "indicator starts", "indicator stops", "second", "indicator starts", "indicator stops", "none",
            ])
    }
}

/// Records its numbers.
private final class CountingProgress: ProgressCounting {
    private let told = Observed<[ProgressCounts]>([])

    var values: [ProgressCounts] { told.value }

    func wait(until condition: @Sendable ([ProgressCounts]) -> Bool) async throws {
        try await told.wait(until: condition)
    }

    func show(completed: Int64, of total: Int64) {
        told.update { $0.append(ProgressCounts(completed: completed, total: total)) }
    }
}
