import CGtk4
import CLinux
import Foundation
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// A `GtkPicture` that loads, in a real window on a real display.
final class PictureViewTests: GTKTestCase, @unchecked Sendable {
    private typealias Ending = Result<LoadResult, WebImageError>

    /// S3-14, VIEW-3
    func testThePlaceholderIsThereWhenTheCallReturns() throws {
        try onStage { stage, test in
            stage.view.setImage(with: test.url("a"), placeholder: try Colour.green.image(), context: test.context)
            XCTAssertEqual(stage.colour, .green)
            XCTAssertEqual(stage.view.currentImageURL, test.url("a"))
        }
    }

    /// VIEW-3
    func testWithoutAPlaceholderTheViewIsCleared() throws {
        try onStage { stage, test in
            stage.view.image = try Colour.red.image()
            stage.view.setImage(with: test.url("a"), context: test.context)
            XCTAssertNil(gtk_picture_get_paintable(OpaquePointer(stage.widgets[0])))
        }
    }

    /// S3-32
    func testThePictureIsSetAndThenTheCompletionCalled() throws {
        try onStage { stage, test in
            var shown: Colour?
            var source: ImageCacheType?
            stage.view.setImage(with: test.url("a"), context: test.context) { result in
                shown = stage.view.image?.colour
                source = try? result.get().cacheType
            }
            test.finish(test.url("a"), .blue)
            iterate(until: { shown != nil }, "the completion")
            XCTAssertEqual(shown, .blue)
            XCTAssertEqual(source, ImageCacheType.noCache)
        }
    }

    /// S3-32: both on the main thread, whatever the loading thread.
    func testThePictureIsSetAndTheCompletionCalledOnTheMainThread() throws {
        try onStage { stage, test in
            let story = Recorder<String>()
            let note: @Sendable (String) -> Void = { event in
                story.append(webimage_is_main_thread() == 0 ? "\(event) elsewhere" : event)
            }
            stage.view.setImage(
                with: test.url("a"), context: test.context,
                setImage: { image, _, _, _ in note(image == nil ? "cleared" : "set") },
                completed: { _ in note("completed") })
            let (load, data) = (test.loader.loads[0], Colour.blue.file)
            Thread { load.finish(data) }.start()
            iterate(until: { story.values.count == 3 }, "the completion")
            XCTAssertEqual(story.values, ["cleared", "set", "completed"])
        }
    }

    /// S3-15, C7
    func testAPictureInMemoryIsThereWhenTheCallReturns() throws {
        try onStage { stage, test in
            load(test.url("a"), .blue, in: stage, test)
            var source: ImageCacheType?
            let operation = stage.view.setImage(
                with: test.url("a"), placeholder: try Colour.green.image(), context: test.context
            ) { source = try? $0.get().cacheType }
            XCTAssertEqual(stage.colour, .blue)
            XCTAssertEqual(source, .memory)
            XCTAssertNil(operation)
        }
    }

    /// S3-22, VIEW-11: the completion of the old load is called before the placeholder of the new one shows.
    func testBindingAnotherURLCancelsTheLoadBeforeIt() throws {
        try onStage { stage, test in
            stage.view.image = nil
            var endings: [Ending] = []
            var shownThen: Image?
            stage.view.setImage(with: test.url("a"), placeholder: try Colour.red.image(), context: test.context) {
                endings.append($0)
                shownThen = stage.view.image
            }
            stage.view.setImage(with: test.url("b"), placeholder: try Colour.green.image(), context: test.context)
            XCTAssertEqual(endings.map(\.isCancelled), [true])
            XCTAssertEqual(shownThen?.colour, .red)
            XCTAssertEqual(stage.colour, .green)
            XCTAssertTrue(test.loader.loads(of: test.url("a"))[0].isCancelled)
            test.finish(test.url("b"), .blue)
            iterate(until: { stage.colour == .blue }, "the second picture")
            XCTAssertEqual(endings.count, 1)
        }
    }

    /// S3-23: the first picture is decoded and waits for the main loop when the view is bound to the second.
    func testAStaleResultNeverLands() throws {
        try onMainThread {
            try requireDisplay()
            let (stage, test) = (Stage(pictures: 2), TestStage())
            defer { stage.close() }
            var endings: [Ending] = []
            stage.view.setImage(with: test.url("a"), context: test.context) { endings.append($0) }
            test.finish(test.url("a"), .red)
            // In memory, so decoded: the delivery is pending, and the main loop has not run since.
            let key = CacheKey(test.url("a").absoluteString)
            wait("the decoding") { test.cache.imageFromMemory(for: key) != nil }
            stage.view.setImage(with: test.url("b"), context: test.context)
            load(test.url("c"), .green, in: stage, test, picture: 1)
            XCTAssertNil(stage.view.image)
            XCTAssertEqual(endings.map(\.isCancelled), [true])
        }
    }

    func testCancellingEndsTheLoadAtOnceAndKeepsThePlaceholder() throws {
        try onStage { stage, test in
            var endings: [Ending] = []
            stage.view.setImage(with: test.url("a"), placeholder: try Colour.green.image(), context: test.context) {
                endings.append($0)
            }
            stage.view.cancelCurrentImageLoad()
            stage.view.cancelCurrentImageLoad()
            XCTAssertEqual(endings.map(\.isCancelled), [true])
            XCTAssertEqual(stage.colour, .green)
            XCTAssertEqual(test.loader.loads.map(\.isCancelled), [true])
        }
    }

    func testTheOperationHandedOutCancelsToo() throws {
        try onStage { stage, test in
            var endings: [Ending] = []
            let operation = stage.view.setImage(with: test.url("a"), context: test.context) { endings.append($0) }
            try XCTUnwrap(operation).cancel()
            iterate(until: { !endings.isEmpty }, "the completion")
            XCTAssertEqual(endings.map(\.isCancelled), [true])
        }
    }

    /// S3-19
    func testThePlaceholderStaysWhenTheLoadFails() throws {
        try onStage { stage, test in
            var ending: Ending?
            stage.view.setImage(with: test.url("a"), placeholder: try Colour.green.image(), context: test.context) {
                ending = $0
            }
            test.loader.loads[0].fail(.scripted)
            iterate(until: { ending != nil }, "the failure")
            XCTAssertEqual(ending?.code, .transferFailed)
            XCTAssertEqual(stage.colour, .green)
        }
    }

    /// VIEW-3, VIEW-4
    func testADelayedPlaceholderComesWhenTheLoadFails() throws {
        try onStage { stage, test in
            stage.view.image = try Colour.red.image()
            var hasEnded = false
            stage.view.setImage(
                with: test.url("a"), placeholder: try Colour.green.image(), options: .delayPlaceholder,
                context: test.context
            ) { _ in hasEnded = true }
            XCTAssertEqual(stage.colour, .red)
            test.loader.loads[0].fail(.scripted)
            iterate(until: { hasEnded }, "the failure")
            XCTAssertEqual(stage.colour, .green)
        }
    }

    /// VIEW-4
    func testWithAvoidAutoSetImageTheCompletionHasThePictureAndTheViewHasNot() throws {
        try onStage { stage, test in
            var arrived: Colour?
            stage.view.setImage(
                with: test.url("a"), placeholder: try Colour.green.image(), options: .avoidAutoSetImage,
                context: test.context
            ) { arrived = try? $0.get().image.colour }
            test.finish(test.url("a"), .blue)
            iterate(until: { arrived != nil }, "the completion")
            XCTAssertEqual(arrived, .blue)
            XCTAssertEqual(stage.colour, .green)
        }
    }

    /// VIEW-7, S3-33
    func testWithoutAURLTheCompletionIsToldAtOnce() throws {
        try onStage { stage, test in
            stage.view.setImage(with: test.url("a"), context: test.context)
            var ending: Ending?
            stage.view.setImage(with: nil, placeholder: try Colour.green.image(), context: test.context) { ending = $0 }
            XCTAssertEqual(ending?.code, .invalidURL)
            XCTAssertEqual(stage.colour, .green)
            XCTAssertNil(stage.view.currentImageURL)
            XCTAssertTrue(test.loader.loads[0].isCancelled)
        }
    }

    func testProgressReachesTheCaller() throws {
        try onStage { stage, test in
            let seen = Recorder<LoadProgress>()
            stage.view.setImage(with: test.url("a"), context: test.context, progress: { seen.append($0) })
            test.loader.loads[0].progress(3, of: 4)
            XCTAssertEqual(seen.values, [LoadProgress(receivedByteCount: 3, expectedByteCount: 4)])
        }
    }

    /// The call that cancels a load wins over a load that the cancelled load's completion starts.
    func testACompletionThatBindsTheViewAnewIsOvertaken() throws {
        try onStage { stage, test in
            stage.view.setImage(with: test.url("a"), context: test.context) { _ in
                stage.view.setImage(with: test.url("c"), context: test.context)
            }
            var endings: [Ending] = []
            stage.view.setImage(with: test.url("b"), context: test.context) { endings.append($0) }
            XCTAssertEqual(stage.view.currentImageURL, test.url("b"))
            test.finish(test.url("b"), .blue)
            iterate(until: { stage.view.image != nil }, "the picture")
            XCTAssertEqual(stage.colour, .blue)
            XCTAssertEqual(test.loader.loads(of: test.url("c")).map(\.isCancelled), [true])
            XCTAssertEqual(endings.count, 1)
        }
    }

    // MARK: The end of the widget

    func testDestroyingTheWidgetCancelsItsLoad() throws {
        try onMainThread {
            try requireDisplay()
            let (stage, test) = (Stage(), TestStage())
            var endings: [Ending] = []
            stage.view.setImage(with: test.url("a"), context: test.context) { endings.append($0) }
            weak let coordinator = Coordinator.of(stage.widgets[0])
            stage.show()
            stage.close()
            XCTAssertEqual(endings.map(\.isCancelled), [true])
            XCTAssertEqual(test.loader.loads.map(\.isCancelled), [true])
            XCTAssertNil(coordinator)
        }
    }

    func testAWidgetThatIsOnlyRemovedGoesOnLoading() throws {
        try onStage { stage, test in
            let widget = stage.widgets[0]
            g_object_ref(UnsafeMutableRawPointer(widget))
            defer { g_object_unref(UnsafeMutableRawPointer(widget)) }
            stage.show()
            let view = PictureView(widget)
            view.setImage(with: test.url("a"), context: test.context)
            stage.remove(widget)
            test.finish(test.url("a"), .blue)
            iterate(until: { view.image != nil }, "the picture")
            XCTAssertEqual(view.image?.colour, .blue)
        }
    }

    func testTheWidgetMayBeDestroyedInItsCompletion() throws {
        try onMainThread {
            try requireDisplay()
            let (stage, test) = (Stage(), TestStage())
            var hasEnded = false
            stage.view.setImage(with: test.url("a"), context: test.context) { _ in
                hasEnded = true
                stage.close()
                stage.view.fadeFromPreviousContent()
            }
            g_object_ref(UnsafeMutableRawPointer(stage.widgets[0]))
            test.finish(test.url("a"), .blue)
            iterate(until: { hasEnded }, "the completion")
            g_object_unref(UnsafeMutableRawPointer(stage.widgets[0]))
        }
    }

    @MainActor
    private func load(_ url: URL, _ colour: Colour, in stage: Stage, _ test: TestStage, picture: Int = 0) {
        let view = PictureView(stage.widgets[picture])
        view.setImage(with: url, context: test.context)
        test.finish(url, colour)
        iterate(until: { view.image?.colour == colour }, "the picture \(url)")
    }
}

extension Result where Success == LoadResult, Failure == WebImageError {
    var isCancelled: Bool { code == .cancelled }

    var code: WebImageError.Code? {
        guard case .failure(let error) = self else { return nil }
        return error.code
    }
}
