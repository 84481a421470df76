import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImagePresentation
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@MainActor
@Suite("Views: a small picture first, and then the large one", .timeLimit(.minutes(5)))
struct ViewPreviewTests {
    private let bench = ViewBench()

    private static let failure = WebImageError(
        .invalidDownloadStatusCode, stage: .load, kind: .permanent, reason: "no")

    /// The images that the view has shown, and those that completions have got.
    private var shown: [String] {
        bench.surface.story.filter { $0.contains("shows") || $0.contains("jpg") || $0.contains("transition") }
    }

    /// A load of `large.jpg`, with `small.jpg` before it.
    private func load(
        _ options: WebImageOptions = [], placeholder: Image? = nil,
        configure: (inout WebImageContext) -> Void = { _ in },
        change: (inout ViewLoadRequest<String>) -> Void = { _ in }
    ) throws -> LoadRecorder {
        try bench.load("large.jpg", options, placeholder: placeholder) { context in
            context.preview = .address("http://host/small.jpg")
            configure(&context)
        } change: {
            change(&$0)
        }
    }

    private func transfers() async throws -> (small: SuspendedLoad, large: SuspendedLoad) {
        let loads = try await bench.manager.loader.waitForLoads(2)
        return (loads[0], loads[1])
    }

    private func wait(for words: String) async {
        while !bench.surface.story.contains(words), !Task.isCancelled { await Task.yield() }
    }

    @Test("the small picture takes the placeholder's place, and the large one that of the small one")
    func inOrder() async throws {
        let load = try load(placeholder: .plain(3, 3))
        let (small, large) = try await transfers()
        small.finish(ScriptedCoder.file(1, 1))
        await wait(for: "image shows preliminary 1x1")
        large.finish(ScriptedCoder.file(9, 9))
        _ = await load.outcome()
        #expect(
            shown == [
                "image shows placeholder 3x3", "image shows preliminary 1x1", "image shows completed 9x9",
                "large.jpg brought 9x9 from no cache",
            ])
        #expect(bench.view.status == .loaded)
    }

    @Test(
        "a small picture in memory shows at once, without a placeholder before it, and the transition is the large one's"
    )
    func inMemory() async throws {
        bench.view.transition = WebImageTransition()
        bench.manager.cache.storeInMemory(try .plain(1, 1), for: ManagerBench.key("small.jpg"))
        let load = try load(placeholder: .plain(3, 3))
        #expect(shown == ["image shows preliminary 1x1"])
        #expect(bench.view.status == .loading)
        try await bench.manager.transfer().finish(ScriptedCoder.file(9, 9))
        _ = await load.outcome()
        #expect(
            shown == [
                "image shows preliminary 1x1", "image begins its transition", "image shows final 9x9",
                "large.jpg brought 9x9 from no cache",
            ])
    }

    @Test(
        "when the large picture fails, the small one stays, in place of placeholder and error picture",
        arguments: [[], .delayPlaceholder] as [WebImageOptions], [true, false])
    func largeFails(options: WebImageOptions, hasErrorImage: Bool) async throws {
        bench.manager.cache.storeInMemory(try .plain(1, 1), for: ManagerBench.key("small.jpg"))
        let error = try Image.plain(7, 7)
        let load = try load(options, placeholder: .plain(3, 3)) { if hasErrorImage { $0.errorImage = error } }
        try await bench.manager.transfer().fail(Self.failure)
        _ = await load.outcome()
        #expect(load.failureCode == .invalidDownloadStatusCode)
        #expect(shown.filter { $0.contains("shows") } == ["image shows preliminary 1x1"])
        #expect(bench.view.status == .failed)
    }

    @Test("when both fail, the view shows what it would without a preview")
    func bothFail() async throws {
        let error = try Image.plain(7, 7)
        let load = try load(placeholder: .plain(3, 3)) { $0.errorImage = error }
        let (small, large) = try await transfers()
        for transfer in [small, large] { transfer.fail(Self.failure) }
        _ = await load.outcome()
        #expect(shown.prefix(2) == ["image shows placeholder 3x3", "image shows placeholder 7x7"])
    }

    @Test("a view that has another load shows neither picture of the one before, whatever still comes of it")
    func recycled() async throws {
        let manager = ManagerBench(loader: SuspendedLoader(endsLoadsWhenCancelled: false))
        let bench = ViewBench(manager: manager)
        let former = try bench.load("large.jpg") { $0.preview = .address("http://host/small.jpg") }
        let loads = try await manager.loader.waitForLoads(2)
        let next = try bench.load("next.jpg")
        #expect(former.failureCode == .cancelled)
        for load in loads { try await load.waitForCancellation() }
        loads[0].finish(ScriptedCoder.file(1, 1))
        loads[1].finish(ScriptedCoder.file(9, 9))
        try await manager.transfer(3).finish(ScriptedCoder.file(5, 5))
        _ = await next.outcome()
        #expect(!bench.surface.story.contains { $0.contains("1x1") || $0.contains("9x9") })
        #expect(bench.surface.image(in: "image")?.pixelSize == .square(5))
    }

    @Test("a cancelled view keeps the small picture")
    func cancelled() async throws {
        bench.manager.cache.storeInMemory(try .plain(1, 1), for: ManagerBench.key("small.jpg"))
        let load = try load(.delayPlaceholder, placeholder: .plain(3, 3))
        bench.view.cancel(.image)
        #expect(load.failureCode == .cancelled)
        #expect(bench.surface.image(in: "image")?.pixelSize == .square(1))
    }

    @Test("a closure of the app's gets the small picture and then the large one")
    func shownByApp() async throws {
        bench.manager.cache.storeInMemory(try .plain(1, 1), for: ManagerBench.key("small.jpg"))
        let setter = bench.setter("app")
        let load = try load(change: { $0.setImage = setter })
        try await bench.manager.transfer().finish(ScriptedCoder.file(9, 9))
        _ = await load.outcome()
        let sets = bench.surface.story.filter { $0.contains("sets 1x1") || $0.contains("sets 9x9") }
        #expect(sets.map { String($0.prefix(12)) } == ["app sets 1x1", "app sets 9x9"])
    }
}
