import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImagePresentation
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// Loads that replace each other, and loads that are cancelled.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct ViewCancellationTests {
    private let bench = ViewBench()

    @Test("VIEW-11 A2 T4.7 a load that is replaced ends once, as cancelled, before the next one's placeholder")
    func replaced() async throws {
        let old = try bench.load("a.jpg", placeholder: .plain(1, 1))
        let new = try bench.load("b.jpg", placeholder: .plain(2, 2))
        #expect(
            bench.story() == [
                "image shows placeholder 1x1", "is loading", "a.jpg failed with 2002", "image shows placeholder 2x2",
            ])
        #expect(bench.manager.loader.loads[0].isCancelled)
        try await bench.manager.transfer(2).finish(ScriptedCoder.file(4, 4))
        _ = await new.outcome()
        #expect(old.outcomes.count == 1)
    }

    @Test("T4.7 a delayed placeholder of a cancelled load reaches its closure once, before the next load's")
    func delayedPlaceholder() async throws {
        try bench.load(
            "a.jpg", .delayPlaceholder, placeholder: .plain(1, 1), change: { $0.setImage = bench.setter("one") })
        #expect(bench.story() == ["is loading"])
        let new = try bench.load("b.jpg", placeholder: .plain(2, 2), change: { $0.setImage = bench.setter("two") })
        #expect(
            bench.story() == [
                "one sets 1x1, no file, no cache, a.jpg", "a.jpg failed with 2002",
                "two sets 2x2, no file, no cache, b.jpg",
            ])
        try await bench.manager.transfer(2).finish(ScriptedCoder.file(4, 4))
        _ = await new.outcome()
        #expect(
            bench.story() == ["is loaded", "two sets 4x4, a file, no cache, b.jpg", "b.jpg brought 4x4 from no cache"])
    }

    @Test("T4.7 a placeholder that was shown is not shown again when its load is cancelled")
    func shownPlaceholder() throws {
        try bench.load("a.jpg", placeholder: .plain(1, 1), change: { $0.setImage = bench.setter("one") })
        try bench.load("b.jpg", placeholder: .plain(2, 2), change: { $0.setImage = bench.setter("two") })
        #expect(
            bench.story() == [
                "one sets 1x1, no file, no cache, a.jpg", "is loading", "a.jpg failed with 2002",
                "two sets 2x2, no file, no cache, b.jpg",
            ])
    }

    @Test("VIEW-10 VIEW-11 cancelling by key ends the load before the call returns, and nothing is left under the key")
    func cancel() throws {
        let load = try bench.load()
        let operation = try #require(bench.view.operation(for: .image) as? LoadOperation)
        bench.view.cancel(.image)
        bench.view.cancel(.image)
        #expect(operation.isCancelled)
        #expect(load.failureCode == .cancelled)
        #expect(bench.view.operation(for: .image) == nil)
        #expect(bench.story().suffix(2) == ["is idle", "a.jpg failed with 2002"])
    }

    @Test("OPT-24 T4.7 with avoidAutoCancelImage both loads end by themselves, and only the newer one is shown")
    func avoidAutoCancelImage() async throws {
        let old = try bench.load("a.jpg")
        let new = try bench.load("b.jpg", .avoidAutoCancelImage)
        try await bench.manager.transfer(2).finish(ScriptedCoder.file(4, 4))
        _ = await new.outcome()
        try await bench.manager.transfer(1).finish(ScriptedCoder.file(3, 3))
        _ = await old.outcome()
        #expect(bench.surface.story.contains("a.jpg brought 3x3 from no cache"))
        #expect(!bench.surface.story.contains("image shows final 3x3"))
        #expect(bench.surface.story.contains("image shows final 4x4"))
    }

    @Test("S3-23 B17 B42 a picture that waits for the main thread when its view is bound anew is not shown")
    func stale() async throws {
        let held = HeldCallbacks()
        let bench = ViewBench(queue: held.queue)
        let old = try bench.load("a.jpg")
        try await bench.manager.transfer(1).finish(ScriptedCoder.file(3, 3))
        try await held.waitForCallbacks(1)
        try bench.load("b.jpg")
        held.runAll()
        #expect(old.failureCode == .cancelled)
        #expect(!bench.surface.story.contains("image shows final 3x3"))
    }

    @Test("S3-21 S3-22 loads under different keys do not cancel each other")
    func keys() async throws {
        let avatar = try bench.load("a.jpg", configure: { $0.operationKey = "avatar" })
        let badge = try bench.load("b.jpg", place: "badge")
        #expect(bench.view.latestKey == "badge")
        #expect(bench.view.latestKey(at: .image) == "avatar")
        #expect(bench.view.url(for: "avatar") == (try ManagerBench.url()))
        bench.view.cancel("badge")
        #expect(badge.failureCode == .cancelled)
        try await bench.manager.transfer(1).finish(ScriptedCoder.file(3, 3))
        _ = await avatar.outcome()
        #expect(bench.surface.story.suffix(2) == ["image shows final 3x3", "a.jpg brought 3x3 from no cache"])
    }

    @Test("VIEW-10 an operation of the app's own takes a key without cancelling, and is cancelled by the next load")
    func foreignOperation() throws {
        let load = try bench.load("a.jpg")
        let own = CountingTask()
        bench.view.setOperation(nil, for: .image)
        #expect(bench.view.operation(for: .image) is LoadOperation)
        bench.view.setOperation(own, for: .image)
        #expect(bench.view.operation(for: .image) === own)
        #expect(load.outcomes.isEmpty)
        try bench.load("b.jpg")
        #expect(own.cancelCount == 1)
        #expect(load.outcomes.isEmpty)
    }

    @Test("VIEW-10 operations are held weakly, can be taken out, and go with the view")
    func operations() throws {
        bench.view.setOperation(CountingTask(), for: "own")
        #expect(bench.view.operation(for: "own") == nil)
        let (kept, dropped) = (CountingTask(), CountingTask())
        bench.view.setOperation(kept, for: "kept")
        bench.view.setOperation(dropped, for: "dropped")
        bench.view.removeOperation(for: "dropped")
        let load = try bench.load("a.jpg")
        bench.view.removeOperation(for: .image)
        bench.view.cancel(.image)
        #expect(load.outcomes.isEmpty)
        bench.view.end()
        #expect([kept.cancelCount, dropped.cancelCount] == [1, 0])
        #expect(load.failureCode == .cancelled)
    }

    @Test("a completion that answers a cancellation with another load is overtaken by the load that caused it")
    func overtaken() throws {
        let view = bench.view
        try bench.load("a.jpg", completed: { [bench] _ in _ = try? bench.load("c.jpg") })
        let last = try bench.load("b.jpg")
        #expect(view.url(for: .image) == (try ManagerBench.url("b.jpg")))
        #expect(bench.surface.story.filter { $0.contains("c.jpg") } == ["c.jpg failed with 2002"])
        #expect(last.outcomes.isEmpty)
    }

    @Test("a view that has ended shows nothing, and its loads end at once")
    func ended() throws {
        let running = try bench.load("a.jpg")
        bench.view.end()
        #expect(running.failureCode == .cancelled)
        _ = bench.story()
        let late = try bench.load("b.jpg", placeholder: .plain(1, 1))
        #expect(late.failureCode == .cancelled)
        #expect(bench.story() == ["b.jpg failed with 2002"])
        #expect(bench.manager.loader.loads.count == 1)
    }
}

private final class CountingTask: CancellableTask {
    private let count = Observed(0)

    var cancelCount: Int { count.value }

    func cancel() { count.update { $0 += 1 } }
}
