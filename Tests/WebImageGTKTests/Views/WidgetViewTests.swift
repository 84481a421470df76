import CGtk4
import CLinux
import Foundation
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Features common to the views of all widgets.
final class WidgetViewTests: GTKTestCase, @unchecked Sendable {
    /// T4.7, VIEW-2, VIEW-5, VIEW-16: a widget of any kind that the app fills.
    func testAClosureShowsThePlaceholderAndThenThePicture() throws {
        try onMainThread {
            let (area, test) = try ownWidget()
            defer { area.close() }
            var shown: [String] = []
            var shownAtTheEnd: Int?
            area.setImage(
                with: test.url("a"), placeholder: try Colour.red.image(), context: test.context,
                setImage: { image, data, cacheType, url in
                    let name = image?.colour == .red ? "red" : "blue"
                    shown.append("\(name) \(data?.count ?? 0) \(cacheType) \(url?.lastPathComponent ?? "-")")
                }
            ) { _ in shownAtTheEnd = shown.count }
            XCTAssertEqual(shown, ["red 0 no cache a"])
            test.finish(test.url("a"), .blue)
            iterate(until: { shownAtTheEnd != nil }, "the picture")
            XCTAssertEqual(shown, ["red 0 no cache a", "blue 4 no cache a"])
            XCTAssertEqual(shownAtTheEnd, 2)
        }
    }

    /// T4.7, VIEW-4: a place that only the app can fill, and a load without a closure: the completion gets the picture.
    func testWithoutAClosureAnOwnWidgetShowsNothing() throws {
        try onMainThread {
            let (area, test) = try ownWidget()
            defer { area.close() }
            var arrived: Colour?
            area.setImage(with: test.url("a"), context: test.context) { arrived = try? $0.get().image.colour }
            test.finish(test.url("a"), .blue)
            iterate(until: { arrived != nil }, "the picture")
            XCTAssertEqual(arrived, .blue)
            XCTAssertNil(area.image)
        }
    }

    /// S3-21, VIEW-8, VIEW-9, VIEW-10, CTX-1: two loads of one widget, under keys of their own.
    func testLoadsUnderTheirOwnKeysAreIndependent() throws {
        try onMainThread {
            let (area, test) = try ownWidget()
            defer { area.close() }
            var shown: [String: Colour] = [:]
            for key in ["avatar", "badge"] {
                var context = test.context
                context.operationKey = key
                area.setImage(
                    with: test.url(key), context: context, setImage: { image, _, _, _ in shown[key] = image?.colour })
            }
            XCTAssertEqual(area.latestOperationKey, "badge")
            XCTAssertEqual(area.imageURL, test.url("badge"))
            XCTAssertEqual(area.imageLoadState(forKey: "avatar")?.url, test.url("avatar"))
            XCTAssertNil(area.imageLoadState(forKey: "other"))
            XCTAssertNotNil(area.imageLoadOperation(forKey: "avatar"))
            area.cancelLatestImageLoad()
            XCTAssertNil(area.imageLoadOperation(forKey: "badge"))
            test.finish(test.url("avatar"), .blue)
            iterate(until: { shown["avatar"] != nil }, "the avatar")
            XCTAssertNil(shown["badge"])
            area.setImageLoadState(nil, forKey: "avatar")
            XCTAssertNil(area.imageLoadState(forKey: "avatar"))
        }
    }

    /// VIEW-9: after the app replaces the state of a key, the key's load updates the new one.
    func testTheStateOfAKeyCanBeReplaced() throws {
        try onStage { stage, test in
            var context = test.context
            context.operationKey = "badge"
            let (own, other) = (Progress(totalUnitCount: 7), Progress(totalUnitCount: 9))
            stage.view.setImageLoadState(ImageLoadState(url: test.url("other"), progress: other), forKey: "other")
            stage.view.setImage(with: test.url("a"), context: context, setImage: { _, _, _, _ in })
            XCTAssertNil(stage.view.imageLoadState(forKey: "badge")?.progress)
            stage.view.setImageLoadState(ImageLoadState(url: test.url("b"), progress: own), forKey: "badge")
            let state = try XCTUnwrap(stage.view.imageLoadState(forKey: "badge"))
            XCTAssertEqual(state.url, test.url("b"))
            XCTAssertTrue(state.progress === own)
            test.loader.loads[0].progress(3, of: 4)
            XCTAssertEqual(own.fractionCompleted, 0.75, "the load goes on")
            XCTAssertEqual(other.totalUnitCount, 9)
            XCTAssertEqual(stage.view.imageLoadState(forKey: "other")?.url, test.url("other"))
            stage.view.setImageLoadState(ImageLoadState(url: test.url("b")), forKey: "badge")
            XCTAssertNil(stage.view.imageLoadState(forKey: "badge")?.progress)
            test.loader.loads[0].progress(4, of: 4)
            XCTAssertEqual(own.fractionCompleted, 0.75, "nobody has it any more")
        }
    }

    /// T4.7, VIEW-10: `cancelLatestImageLoad` cancels the operation, and nothing is left under its key.
    func testCancellingTheLatestLoadLeavesNothing() throws {
        try onStage { stage, test in
            XCTAssertNil(stage.view.imageLoadOperation())
            let operation = stage.view.setImage(with: test.url("a"), context: test.context)
            XCTAssertTrue(stage.view.imageLoadOperation() === operation)
            stage.view.cancelLatestImageLoad()
            XCTAssertEqual(operation?.isCancelled, true)
            XCTAssertNil(stage.view.imageLoadOperation())
        }
    }

    /// VIEW-10: setting nil changes nothing; after removing, the load continues, and its picture shows.
    func testAnOperationCanBeTakenOutAndPutElsewhere() throws {
        try onStage { stage, test in
            let operation = stage.view.setImage(with: test.url("a"), context: test.context)
            stage.view.setImageLoadOperation(nil)
            XCTAssertTrue(stage.view.imageLoadOperation() === operation)
            stage.view.removeImageLoadOperation()
            stage.view.cancelImageLoad()
            XCTAssertEqual(operation?.isCancelled, false)
            stage.view.setImageLoadOperation(operation, forKey: "kept")
            XCTAssertTrue(stage.view.imageLoadOperation(forKey: "kept") === operation)
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.view.image != nil }, "the picture")
            XCTAssertEqual(stage.colour, .blue)
        }
    }

    /// VIEW-7, VIEW-12, A95, T4.7: an address as text works like a URL, and invalid text fails at once.
    func testAnAddressLoadsAsAURLDoes() throws {
        try onStage { stage, test in
            var colours: [Colour?] = []
            stage.view.setImage(with: test.url("a").absoluteString, context: test.context) {
                colours.append(try? $0.get().image.colour)
            }
            XCTAssertEqual(stage.view.currentImageURL, test.url("a"))
            test.finish(test.url("a"), .blue)
            iterate(until: { !colours.isEmpty }, "the picture")
            XCTAssertEqual(colours, [.blue])

            for text in ["", "http://", "http:///a.jpg"] {
                var ending: Result<LoadResult, WebImageError>?
                stage.view.setImage(with: text, placeholder: try Colour.green.image(), context: test.context) {
                    ending = $0
                }
                XCTAssertEqual(ending?.code, .invalidURL, text)
                XCTAssertEqual(stage.colour, .green)
                XCTAssertNil(stage.view.currentImageURL)
            }
            XCTAssertEqual(test.loader.loads.count, 1)
        }
    }

    /// T4.7, OPT-14, S3-15: bytes on the disk are decoded and shown before the call returns.
    func testAPictureOnTheDiskIsThereWhenTheCallReturns() throws {
        try onStage { stage, test in
            stage.view.imageTransition = .fade
            test.cache.put(Colour.blue.file, for: CacheKey(test.url("a").absoluteString))
            stage.view.setImage(with: test.url("a"), options: .queryDiskDataSync, context: test.context)
            XCTAssertEqual(stage.colour, .blue)
            XCTAssertEqual(test.loader.loads.count, 0)
        }
    }

    /// An error picture, and the CSS classes of the widget.
    func testAWidgetSaysWhatItsLoadsDo() throws {
        try onStage { stage, test in
            let classes = ["webimage-loading", "webimage-loaded", "webimage-failed"]
            let widget = stage.widgets[0]
            func shown() -> [String] { classes.filter { gtk_widget_has_css_class(widget, $0) != 0 } }
            XCTAssertEqual(shown(), [])
            var context = test.context
            context.errorImage = try Colour.red.image()
            stage.view.setImage(with: test.url("a"), context: context)
            XCTAssertEqual(shown(), ["webimage-loading"])
            test.loader.loads[0].fail(.scripted)
            iterate(until: { stage.colour == .red }, "the error picture")
            XCTAssertEqual(shown(), ["webimage-failed"])
            stage.view.setImage(with: test.url("b"), context: context)
            test.finish(test.url("b"), .blue)
            iterate(until: { stage.colour == .blue }, "the picture")
            XCTAssertEqual(shown(), ["webimage-loaded"])
            stage.view.setImage(with: test.url("c"), context: context)
            stage.view.cancelCurrentImageLoad()
            XCTAssertEqual(shown(), [])
        }
    }

    @MainActor
    private func ownWidget() throws -> (DrawnView, TestStage) {
        try requireDisplay()
        return (DrawnView(), TestStage())
    }
}

/// An app's own view: for a widget that this library does not know, in a window.
@MainActor
private struct DrawnView: WidgetView {
    let widget: UnsafeMutablePointer<GtkWidget> = gtk_drawing_area_new()
    private let window = TestWindow.make()

    init() { gtk_window_set_child(window.of(GtkWindow.self), widget) }

    func close() { gtk_window_destroy(window.of(GtkWindow.self)) }
}
