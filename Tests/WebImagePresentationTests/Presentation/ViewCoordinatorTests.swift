import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageLoading
import WebImagePresentation
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// One load through all steps of a view.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct ViewCoordinatorTests {
    private let bench = ViewBench()

    @Test(
        "VIEW-1 S3-13 S3-14 S3-26 S3-32 the placeholder, the indicator, the status; then the picture, then the completion"
    )
    func road() async throws {
        bench.view.changeIndicator(isThere: true) {}
        let load = try bench.load(placeholder: .plain(1, 1))
        #expect(bench.story() == ["image shows placeholder 1x1", "indicator starts", "is loading"])
        try await bench.manager.transfer().finish(ScriptedCoder.file(4, 4))
        _ = await load.outcome()
        #expect(
            bench.story() == [
                "indicator stops", "is loaded", "image shows final 4x4", "a.jpg brought 4x4 from no cache",
            ])
    }

    @Test("S3-20 a change of the context by the caller after the call has no effect, not even when the load fails")
    func contextIsCopied() async throws {
        var context = WebImageContext()
        context.manager = bench.manager.manager
        context.errorImage = try .plain(2, 2)
        let recorder = LoadRecorder()
        let request = ViewLoadRequest(
            view: "image", place: .image, url: try ManagerBench.url("a.jpg"), context: context,
            completed: { recorder.completed($0) })
        _ = bench.view.load(request)
        context.errorImage = try .plain(3, 3)
        context.manager = nil
        try await bench.manager.transfer().fail(.scriptedFailure)
        _ = await recorder.outcome()
        #expect(bench.story().last == "image shows placeholder 2x2")
    }

    @Test("S3-23 B42 an older load under another key never overwrites the newer picture of the same place")
    func twoKeys() async throws {
        let old = try bench.load("a.jpg") { $0.operationKey = "avatar" }
        let new = try bench.load("b.jpg")
        try await bench.manager.transfer(2).finish(ScriptedCoder.file(2, 2))
        _ = await new.outcome()
        try await bench.manager.transfer(1).finish(ScriptedCoder.file(4, 4))
        let result = await old.outcome()
        #expect(throws: Never.self) { try result.get() }
        #expect(bench.story().filter { $0.contains("shows final") } == ["image shows final 2x2"])
    }

    @Test(
        "VIEW-1 a picture in memory is shown when the call returns: without a placeholder, and without load events"
    )
    func memory() async throws {
        try await bench.load(sending: ScriptedCoder.file(4, 4))
        _ = bench.story()
        try bench.load(placeholder: .plain(1, 1))
        #expect(
            bench.story() == [
                "image shows immediate 4x4", "a.jpg brought 4x4 from memory",
            ])
    }

    @Test("a delayed placeholder is shown before the completion of a load that failed at once")
    func refusedAtOnce() async throws {
        let failing = try bench.load(placeholder: .plain(1, 1))
        try await bench.manager.transfer().fail(
            WebImageError(.badImageData, stage: .load, kind: .permanent, reason: "no"))
        _ = await failing.outcome()
        _ = bench.story()
        try bench.load(placeholder: .plain(2, 2))
        #expect(bench.story().first == "image shows placeholder 2x2")
    }

    @Test(
        "VIEW-1 A34 a cache that holds pictures only while they are shown is asked before the placeholder takes them away"
    )
    func weakCache() throws {
        let cache = WeakCache()
        try showPicture(in: cache)
        try bench.load(placeholder: .plain(1, 1)) { $0.cache = cache }
        #expect(bench.surface.story.last == "a.jpg brought 4x4 from memory")
        bench.surface.show(nil, as: .placeholder, in: "image")
        #expect(cache.imageFromMemory(for: ManagerBench.key()) == nil)
    }

    /// Only the surface retains it.
    private func showPicture(in cache: WeakCache) throws {
        let picture = try Image.plain(4, 4)
        cache.storeInMemory(picture, for: ManagerBench.key())
        bench.surface.show(picture, as: .final, in: "image")
    }

    @Test("VIEW-3 S3-25 no placeholder clears the view")
    func noPlaceholder() throws {
        try bench.load()
        #expect(bench.story().first == "image shows placeholder nothing")
    }

    @Test("VIEW-4 S3-19 a failure leaves the placeholder; a delayed one appears then")
    func failure() async throws {
        for (options, last) in [([], "is failed"), (.delayPlaceholder, "image shows placeholder 1x1")]
            as [(WebImageOptions, String)]
        {
            let load = try bench.load("a.jpg", options, placeholder: .plain(1, 1))
            _ = bench.story()
            try await bench.manager.transfer(bench.manager.loader.loads.count).fail(.scriptedFailure)
            _ = await load.outcome()
            #expect(bench.story().dropLast().last == last)
        }
    }

    @Test("an error picture takes the placeholder's place when the load fails")
    func errorImage() async throws {
        let error = try Image.plain(2, 2)
        let load = try bench.load(placeholder: .plain(1, 1)) { $0.errorImage = error }
        try await bench.manager.transfer().fail(.scriptedFailure)
        _ = await load.outcome()
        #expect(bench.story().suffix(2) == ["image shows placeholder 2x2", "a.jpg failed with 3000"])
    }

    @Test(
        "a refresh that fails leaves the cached picture, in spite of an error picture or a placeholder that was held back",
        arguments: [[.refreshCached], [.refreshCached, .delayPlaceholder]] as [WebImageOptions])
    func failedRefresh(options: WebImageOptions) async throws {
        bench.manager.cache.storeInMemory(try .plain(4, 4), for: ManagerBench.key())
        for hasErrorImage in [true, false] {
            let error = hasErrorImage ? try Image.plain(2, 2) : nil
            let load = try bench.load("a.jpg", options, placeholder: .plain(1, 1)) { $0.errorImage = error }
            try await bench.manager.transfer(bench.manager.loader.loads.count).fail(.scriptedFailure)
            _ = await load.outcome()
            let shown = bench.story().filter { $0.contains("shows") }
            #expect(shown.last?.hasSuffix("4x4") == true, "\(shown)")
        }
    }

    @Test("VIEW-4 OPT-10 with avoidAutoSetImage only the completion has the picture")
    func avoidAutoSetImage() async throws {
        try await bench.load("a.jpg", .avoidAutoSetImage, sending: ScriptedCoder.file(4, 4))
        #expect(bench.story().suffix(2) == ["is loaded", "a.jpg brought 4x4 from no cache"])
    }

    @Test("VIEW-2 T4.7 a closure gets the placeholder without a file, then the picture, before the completion")
    func setImage() async throws {
        let load = try bench.load(placeholder: .plain(1, 1), change: { $0.setImage = bench.setter("app") })
        #expect(bench.story() == ["app sets 1x1, no file, no cache, a.jpg", "is loading"])
        try await bench.manager.transfer().finish(ScriptedCoder.file(4, 4))
        _ = await load.outcome()
        #expect(
            bench.story() == ["is loaded", "app sets 4x4, a file, no cache, a.jpg", "a.jpg brought 4x4 from no cache"])
    }

    @Test("VIEW-7 S3-33 without a URL the indicator stops and the completion gets 1000; nothing is loaded")
    func noURL() throws {
        bench.view.changeIndicator(isThere: true) {}
        try bench.load()
        _ = bench.story()
        let load = try bench.load(nil)
        #expect(
            bench.story() == [
                "a.jpg failed with 2002", "image shows placeholder nothing", "indicator stops", "is idle",
                "no URL failed with 1000",
            ])
        #expect(load.outcomes.count == 1)
        #expect(bench.manager.loader.loads.count == 1)
        #expect(bench.view.url(for: .image) == nil)
    }

    @Test("VIEW-7 A95 text that is no address fails with its own reason")
    func refusal() throws {
        let reason = WebImageError(.invalidURL, stage: .request, kind: .permanent, reason: "what a person wrote")
        let load = try bench.load(nil, change: { $0.refusal = reason })
        #expect(try #require(load.outcomes.first).failure?.reason == "what a person wrote")
    }

    @Test("S0-26 parts of a picture, and the cached one that is refreshed, are shown without the transition")
    func preliminary() async throws {
        bench.view.transition = WebImageTransition()
        let coder = ScriptedProgressiveCoder()
        let load = try bench.load("a.jpg", [.progressiveLoad, .forceTransition]) { $0.coder = coder }
        let transfer = try await bench.manager.transfer()
        transfer.send(ScriptedProgressiveCoder.file(4, 4, body: "1"))
        try await coder.waitForUpdates(1)
        transfer.send(Data("2".utf8))
        try await coder.waitForUpdates(2)
        transfer.finish(ScriptedProgressiveCoder.file(4, 4, body: "12"))
        _ = await load.outcome()
        let shown = bench.story().filter { $0.contains("shows") || $0.contains("transition") }
        #expect(shown.contains { $0.hasPrefix("image shows preliminary") })
        #expect(shown.suffix(2) == ["image begins its transition", "image shows final 4x4"])
        #expect(shown.count { $0.contains("transition") } == 1)
    }

    @Test("VIEW-17 S3-20 S3-21 S3-26 CTX-1 CTX-2 the manager gets nothing that concerns views, except the key")
    func downstream() async throws {
        let seen = ScriptedInterceptor { .proceed($0) }
        bench.manager.manager.interceptors = [seen]
        let error = try Image.plain(1, 1)
        try bench.load("a.jpg", [.retryFailed, .ofViews]) { $0.errorImage = error }
        try bench.load("b.jpg", place: "badge", configure: { $0.operationKey = "avatar" })
        let requests = seen.requests
        #expect(requests.map(\.options) == [.retryFailed, []])
        #expect(requests.map(\.context.operationKey) == ["image", "avatar"])
        #expect(requests.allSatisfy { $0.context.manager == nil && $0.context.errorImage == nil })
    }

    @Test(
        "VIEW-17 no loader gets an option that concerns views",
        arguments: [.delayPlaceholder, .avoidAutoSetImage, .forceTransition, .avoidAutoCancelImage, .waitTransition]
            as [WebImageOptions])
    func optionsOfViews(option: WebImageOptions) throws {
        #expect(WebImageOptions.ofViews.isSuperset(of: option))
        try bench.load("a.jpg", [option, .retryFailed, .highPriority])
        #expect(bench.manager.loader.loads.map(\.request.options) == [[.retryFailed, .highPriority]])
    }

    @Test("VIEW-17 only these five are for views; the others reach the loader")
    func otherOptions() throws {
        #expect(WebImageOptions.ofViews.rawValue.nonzeroBitCount == 5)
        let others: WebImageOptions = [
            .retryFailed, .lowPriority, .progressiveLoad, .continueInBackground, .handleCookies,
            .allowInvalidSSLCertificates, .scaleDownLargeImages, .waitStoreCache, .decodeFirstFrameOnly,
        ]
        try bench.load("a.jpg", others.union(.ofViews))
        #expect(bench.manager.loader.loads.map(\.request.options) == [others])
    }
}

/// A cache whose memory holds pictures weakly.
private final class WeakCache: EmptyCache {
    private struct Entry {
        weak var image: Image?
    }

    private let entries = Observed<[CacheKey: Entry]>([:])

    func imageFromMemory(for key: CacheKey) -> Image? { entries.value[key]?.image }

    func storeInMemory(_ image: Image, for key: CacheKey) { entries.update { $0[key] = Entry(image: image) } }
}
