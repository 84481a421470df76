import CGtk4
import CLinux
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The arguments of `setImage`, and the results for its completion.
final class SetImageTests: GTKTestCase, @unchecked Sendable {
    /// S0-14, S3-30: the placeholder shows until the end; then the completion gets the picture, its source, and the
    /// requested address.
    func testTheCompletionGetsThePictureItsSourceAndTheAddress() throws {
        try onStage { stage, test in
            var results: [LoadResult] = []
            for _ in 0..<2 {
                stage.view.setImage(with: test.url("a"), placeholder: try Colour.red.image(), context: test.context) {
                    if case .success(let result) = $0 { results.append(result) }
                }
                if results.isEmpty { XCTAssertEqual(stage.colour, .red) }
                test.finish(test.url("a"), .blue)
                let count = results.count
                iterate(until: { results.count > count || results.count == 2 }, "the picture")
            }
            XCTAssertEqual(results.map(\.image.colour), [.blue, .blue])
            XCTAssertEqual(results.map(\.cacheType), [ImageCacheType.noCache, .memory])
            XCTAssertEqual(results.map(\.url), [test.url("a"), test.url("a")])
        }
    }

    /// S0-14, S3-30: whether an interceptor rewrites it or a server redirects it.
    func testTheCompletionGetsTheAddressThatWasAskedForAndNotTheOneThatAnswered() throws {
        try onStage { stage, test in
            test.manager.interceptors = [Rewriting(to: test.url("rewritten"))]
            var result: LoadResult?
            var shown: URL?
            stage.view.setImage(
                with: test.url("asked"), context: test.context, setImage: { _, _, _, url in shown = url },
                completed: { result = try? $0.get() })
            XCTAssertEqual(test.loader.loads.map(\.request.url), [test.url("rewritten")])
            test.loader.loads[0].finish(
                Colour.blue.file, http: HTTPResponse(url: test.url("redirected"), statusCode: 200))
            iterate(until: { result != nil }, "the picture")
            XCTAssertEqual(result?.url, test.url("asked"))
            XCTAssertEqual(shown, test.url("asked"))
            XCTAssertEqual(stage.view.currentImageURL, test.url("asked"))
            XCTAssertEqual(result?.http?.url, test.url("redirected"))
        }
    }

    /// S3-30: a call that sets nothing causes no layout.
    func testOnlyAPictureThatIsSetIsLaidOut() throws {
        try onStage { stage, test in
            stage.present(in: self)
            SquareLayout.install(on: try XCTUnwrap(gtk_widget_get_parent(stage.widgets[0])))
            drawFrames(4, of: stage.window)
            SquareLayout.measureCount = 0
            for (name, options) in [("fails", WebImageOptions.delayPlaceholder), ("is not set", .avoidAutoSetImage)] {
                var hasEnded = false
                stage.view.setImage(with: test.url(name), options: options, context: test.context) { _ in
                    hasEnded = true
                }
                if name == "fails" { test.loader.loads[0].fail(.scripted) } else { test.finish(test.url(name), .red) }
                iterate(until: { hasEnded }, "the end of the load that \(name)")
                drawFrames(4, of: stage.window)
                XCTAssertEqual(SquareLayout.measureCount, 0, name)
            }
            stage.view.setImage(with: test.url("set"), context: test.context)
            test.finish(test.url("set"), .blue)
            iterate(until: { stage.view.image != nil }, "the picture")
            drawFrames(4, of: stage.window)
            XCTAssertGreaterThan(SquareLayout.measureCount, 0)
        }
    }

    /// S0-14: on failure the completion gets an error and no picture.
    func testTheCompletionGetsTheErrorOfAFailure() throws {
        try onStage { stage, test in
            var errors: [WebImageError] = []
            stage.view.setImage(with: test.url("a"), context: test.context) {
                if case .failure(let error) = $0 { errors.append(error) }
            }
            test.loader.loads[0].fail(.scripted)
            iterate(until: { !errors.isEmpty }, "the failure")
            XCTAssertEqual(errors.map(\.code), [.transferFailed])
            XCTAssertNil(stage.view.image)
        }
    }

    /// S0-6, OPT-3, A44: the cached picture shows at once, and the server's new one replaces it.
    func testTheCachedPictureIsShownWhileItIsRefreshed() throws {
        try onStage { stage, test in
            var results: [LoadResult] = []
            for options in [WebImageOptions(), .refreshCached] {
                stage.view.setImage(with: test.url("a"), options: options, context: test.context) {
                    if case .success(let result) = $0 { results.append(result) }
                }
                if options == .refreshCached {
                    iterate(until: { test.loader.loads.count == 2 }, "the question")
                    XCTAssertEqual(stage.colour, .red)
                    XCTAssertEqual(results.count, 1)
                }
                test.finish(test.url("a"), options == .refreshCached ? .blue : .red)
                let count = results.count
                iterate(until: { results.count > count }, "the picture")
            }
            XCTAssertEqual(results.map(\.cacheType), [ImageCacheType.noCache, .noCache])
            XCTAssertEqual(stage.colour, .blue)
        }
    }

    /// CTX-2, S3-26, A13, B11: the context's manager loads, and its own context does not contain it, which would be a
    /// reference cycle; views are set and completions called on the main thread, whatever the context's queue.
    func testTheContextsManagerLoadsAndItsQueueIsNotTheViews() throws {
        try onStage { stage, test in
            var context = test.context
            XCTAssertNotNil(context.manager)
            context.callbackQueue = .global
            var wasOnMainThread: Bool?
            stage.view.setImage(with: test.url("a"), context: context) { _ in
                wasOnMainThread = webimage_is_main_thread() != 0
            }
            XCTAssertNil(test.loader.loads[0].request.context.manager)
            test.finish(test.url("a"), .blue)
            iterate(until: { wasOnMainThread != nil }, "the picture")
            XCTAssertEqual(wasOnMainThread, true)
        }
    }

    /// S3-18: omitted arguments mean no placeholder, no options, no progress, equally in both forms.
    func testWhatIsLeftOutMeansNothing() throws {
        try onStage { stage, test in
            var endings = 0
            stage.view.setImage(with: test.url("a"), context: test.context) { _ in endings += 1 }
            stage.view.setImage(with: test.url("b"), context: test.context, completed: nil)
            XCTAssertEqual(test.loader.loads.map(\.request.priority), [.low, .low], "the view is not visible")
            XCTAssertNil(stage.view.image)
            XCTAssertEqual(endings, 1)
        }
    }

    /// A single trailing closure is the completion, whatever it does with its arguments; that of a view without a picture
    /// of its own is `setImage` where it has four of them.
    func testATrailingClosureIsWhatItLooksLike() throws {
        try onStage { stage, test in
            test.cache.storeInMemory(try Colour.blue.image(), for: CacheKey(test.url("a").absoluteString))
            let (view, url, context) = (stage.view, test.url("a"), test.context)
            var story: [String] = []
            view.setImage(with: url, context: context) { _ in story.append("completed") }
            view.setImage(with: url, context: context) { story.append("completed \((try? $0.get()) != nil)") }
            view.setImage(with: url, context: context, progress: { _ in story.append("progress") }) { _ in
                story.append("completed")
            }
            view.setImage(with: url, context: context) { image, _, _, _ in
                if image?.colour == .blue { story.append("set") }
            } completed: { _ in
                story.append("completed")
            }
            view.setImage(
                with: url, context: context, setImage: { image, _, _, _ in if image != nil { story.append("set") } }
            ) { _ in
                story.append("completed")
            }
            AnyWidgetView(stage.widgets[0]).setImage(with: url, context: context) { image, _, _, _ in
                if image?.colour == .blue { story.append("set") }
            }
            XCTAssertEqual(
                story,
                [
                    "completed", "completed true", "completed", "set", "completed", "set", "completed", "set",
                ])
        }
    }

    /// S4-23: the transformer of a call has precedence over that of its context.
    func testALoadMayHaveATransformerOfItsOwn() throws {
        try onStage { stage, test in
            var context = test.context
            context.transformer = .resize(width: 2, height: 2)
            for (name, size) in [("a", 5), ("b", 2)] {
                stage.view.setImage(
                    with: test.url(name), transformer: name == "a" ? .resize(width: 5, height: 5) : nil,
                    context: context)
                test.finish(test.url(name), .blue)
                iterate(until: { stage.view.image?.pixelSize.width == size }, "the picture")
            }
        }
    }

    /// S3-20
    func testChangingTheContextAfterwardsChangesNothing() throws {
        try onStage { stage, test in
            let other = TestStage()
            var context = test.context
            stage.view.setImage(with: test.url("a"), context: context)
            context.manager = other.manager
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.view.image != nil }, "the picture")
            XCTAssertEqual(other.loader.loads.count, 0)
        }
    }

    /// S3-25, VIEW-5: a placeholder is set like a picture, and the widget is laid out again for either.
    func testThePlaceholderIsSetAsAPictureIs() throws {
        try onStage { stage, test in
            stage.view.setImage(
                with: test.url("a"), placeholder: try Colour.green.image(width: 100, height: 90), context: test.context)
            XCTAssertEqual(stage.view.image?.colour, .green)
            XCTAssertEqual(naturalWidth(of: stage.widgets[0]), 100)
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.view.image?.colour == .blue }, "the picture")
            XCTAssertEqual(naturalWidth(of: stage.widgets[0]), 64)
        }
    }

    /// VIEW-8: the URL of the latest load, whether it runs, has ended or was cancelled.
    func testTheCurrentURLIsThatOfTheLatestLoad() throws {
        try onStage { stage, test in
            XCTAssertNil(stage.view.currentImageURL)
            stage.view.setImage(with: test.url("a"), context: test.context)
            stage.view.setImage(with: test.url("b"), context: test.context)
            XCTAssertEqual(stage.view.currentImageURL, test.url("b"))
            stage.view.cancelCurrentImageLoad()
            XCTAssertEqual(stage.view.currentImageURL, test.url("b"))
        }
    }

    /// S3-16: the bytes arrive on the main thread here, and are still decoded elsewhere.
    func testDecodingIsNotTheMainThreadsWork() throws {
        try onStage { stage, test in
            let coder = ThreadNotingCoder()
            var context = test.context
            context.coder = coder
            var delivered: Bool?
            stage.view.setImage(with: test.url("a"), context: context) { _ in
                delivered = webimage_is_main_thread() != 0
            }
            test.finish(test.url("a"), .blue)
            iterate(until: { delivered != nil }, "the picture")
            XCTAssertEqual(coder.decodedOnMainThread.values, [false])
            XCTAssertEqual(delivered, true)
        }
    }

    @MainActor
    private func naturalWidth(of widget: UnsafeMutablePointer<GtkWidget>) -> Int32 {
        var natural: Int32 = 0
        gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, nil, &natural, nil, nil)
        return natural
    }
}

/// A ``ColourCoder`` that records its thread.
private struct ThreadNotingCoder: ImageCoder {
    let decodedOnMainThread = Recorder<Bool>()
    private let coder = ColourCoder()

    func canDecode(_ data: Data) -> Bool { coder.canDecode(data) }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try coder.properties(of: data, isComplete: isComplete)
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        decodedOnMainThread.append(webimage_is_main_thread() != 0)
        return try coder.decode(data, options: options)
    }

    func canEncode(_ format: ImageFormat) -> Bool { false }

    func encode(_ image: Image, to format: ImageFormat, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        try coder.encode(image, to: format, options: options)
    }
}

/// Loads another address than the requested one.
private struct Rewriting: LoadInterceptor {
    let url: URL

    init(to url: URL) { self.url = url }

    func intercept(_ request: ImageRequest) -> LoadInterception {
        var request = request
        request.url = url
        return .proceed(request)
    }
}
