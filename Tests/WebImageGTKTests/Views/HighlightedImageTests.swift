import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The picture of a highlighted view.
final class HighlightedImageTests: ViewTestCase, @unchecked Sendable {
    /// VIEW-13
    func testTheHighlightedPictureIsShownWhileTheViewIsHighlighted() throws {
        try onMainThread {
            try requireDisplay()
            try assertHighlights(try shown(gtk_picture_new())) { PictureView($0) }
            try assertHighlights(try shown(gtk_image_new())) { ImageView($0) }
        }
    }

    @MainActor
    private func assertHighlights(
        _ stage: WidgetStage, _ make: (UnsafeMutablePointer<GtkWidget>) -> some HighlightableView
    ) throws {
        defer { stage.close() }
        let (view, test) = (make(stage.widget), TestStage())
        gtk_widget_set_size_request(stage.widget, 32, 32)
        load(.red, in: view, test)
        view.setHighlightedImage(with: test.url("highlighted"), context: test.context)
        view.isHighlighted = true
        drawFrames(4, of: stage.window)
        XCTAssertEqual(stage.middles(), [.red], "there is no placeholder")
        test.finish(test.url("highlighted"), .blue)
        iterate(until: { view.highlightedImage != nil }, "the picture")
        drawFrames(4, of: stage.window)
        XCTAssertEqual(stage.middles(), [.blue])
        XCTAssertEqual(view.image?.colour, .red)
        view.isHighlighted = false
        drawFrames(4, of: stage.window)
        XCTAssertEqual(stage.middles(), [.red])
        XCTAssertEqual(view.highlightedImage?.colour, .blue)
    }

    /// VIEW-13: the load has a key and a URL of its own.
    func testTheTwoLoadsDoNotDisturbEachOther() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_picture_new())
            defer { stage.close() }
            let (view, test) = (PictureView(stage.widget), TestStage())
            var endings: [Bool] = []
            view.setImage(with: test.url("a"), context: test.context)
            view.setHighlightedImage(with: test.url("b"), context: test.context) { endings.append($0.isCancelled) }
            XCTAssertEqual(view.highlightedView.slot.operationKey, "highlightedImage")
            XCTAssertEqual(view.currentImageURL, test.url("a"))
            XCTAssertEqual(view.currentHighlightedImageURL, test.url("b"))
            XCTAssertEqual(test.pending.count, 2)
            view.cancelCurrentHighlightedImageLoad()
            XCTAssertEqual(endings, [true])
            XCTAssertEqual(test.pending.map(\.request.url), [test.url("a")])
        }
    }

    /// VIEW-13: a recycled cell does not show its former picture during a load, nor after a failure.
    func testAnotherHighlightedPictureTakesTheFormerOneAwayAtOnce() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_picture_new())
            defer { stage.close() }
            let (view, test) = (PictureView(stage.widget), TestStage())
            load(.red, in: view, test)
            view.isHighlighted = true
            load(.blue, in: view.highlightedView, test)
            XCTAssertEqual(colour(view), .blue)
            var endings: [Bool] = []
            view.setHighlightedImage(with: test.url("b"), context: test.context) { endings.append($0.isCancelled) }
            XCTAssertEqual(colour(view), .red)
            test.loader.loads(of: test.url("b"))[0].fail(.scripted)
            iterate(until: { endings == [false] }, "the failure")
            XCTAssertEqual(colour(view), .red)
            XCTAssertNil(view.highlightedImage)
            view.setHighlightedImage(with: test.url("c").absoluteString, context: test.context)
            test.finish(test.url("c"), .green)
            iterate(until: { view.highlightedImage != nil }, "the next picture")
            XCTAssertEqual(colour(view), .green)
        }
    }

    /// VIEW-13: text and closures load like a URL.
    func testEveryFormOfTheCall() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_picture_new())
            defer { stage.close() }
            let (view, test) = (PictureView(stage.widget), TestStage())
            let (url, context) = (test.url("a"), test.context)
            test.cache.storeInMemory(try Colour.blue.image(), for: CacheKey(url.absoluteString))
            var story: [String] = []
            let end: (Result<LoadResult, WebImageError>) -> Void = { _ in story.append("end") }
            let show: PictureView.SetImage = { image, _, _, _ in if image != nil { story.append("set") } }
            view.setHighlightedImage(with: url.absoluteString, context: context, progress: nil, completed: end)
            view.setHighlightedImage(with: url.absoluteString, context: context) { end($0) }
            XCTAssertEqual(view.currentHighlightedImageURL, url)
            view.setHighlightedImage(with: url, context: context, setImage: show, progress: nil, completed: end)
            view.setHighlightedImage(with: url, context: context, setImage: show) { end($0) }
            view.setHighlightedImage(
                with: url.absoluteString, context: context, setImage: show, progress: nil, completed: end)
            view.setHighlightedImage(with: url.absoluteString, context: context, setImage: show) { end($0) }
            XCTAssertEqual(story, ["end", "end"] + Array(repeating: ["set", "end"], count: 4).joined())
        }
    }

    /// A picture that arrives while the other one shows does not replace it.
    func testTheUsualPictureDoesNotCoverTheHighlightedOne() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_picture_new())
            defer { stage.close() }
            gtk_widget_set_size_request(stage.widget, 32, 32)
            let view = PictureView(stage.widget)
            load(.green, in: view, TestStage())
            view.highlightedImage = try Colour.blue.image()
            view.isHighlighted = true
            load(.red, in: view, TestStage())
            drawFrames(4, of: stage.window)
            XCTAssertEqual(stage.middles(), [.blue])
            view.highlightedImage = nil
            drawFrames(4, of: stage.window)
            XCTAssertEqual(stage.middles(), [.red])
        }
    }

    /// VIEW-13: a list sets the selection on its rows, not on the widgets within.
    func testASelectedRowsPictureIsHighlighted() throws {
        try onMainThread {
            try requireDisplay()
            let list: UnsafeMutablePointer<GtkWidget> = gtk_list_box_new()
            let rows = (0..<2).map { _ in gtk_list_box_row_new() as UnsafeMutablePointer<GtkWidget> }
            for row in rows { gtk_list_box_append(OpaquePointer(list), row) }
            let stage = try shown(list)
            defer { stage.close() }
            let view = PictureView(ListRowView(rows[0]).widget)
            view.image = try Colour.red.image()
            ListRowView(rows[0]).highlightedImage = try Colour.blue.image()
            gtk_list_box_select_row(OpaquePointer(list), rows[0].of(GtkListBoxRow.self))
            XCTAssertEqual(colour(view), .blue)
            XCTAssertFalse(view.isHighlighted)
            gtk_list_box_select_row(OpaquePointer(list), rows[1].of(GtkListBoxRow.self))
            XCTAssertEqual(colour(view), .red)
            try moveToSelectedRow(view, from: rows[0], to: rows[1])
            iterate(until: { gtk_widget_get_mapped(view.widget) != 0 }, "the picture in its new row")
            XCTAssertEqual(colour(view), .blue)
            gtk_list_box_unselect_all(OpaquePointer(list))
            XCTAssertEqual(colour(view), .red)
        }
    }

    /// The app's own paintable returns.
    func testTheAppsOwnPictureIsKept() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_picture_new())
            defer { stage.close() }
            let own = PaintableHandle(StillContent(try Colour.green.image()))
            gtk_picture_set_paintable(OpaquePointer(stage.widget), own.pointer)
            let view = PictureView(stage.widget)
            view.highlightedImage = try Colour.blue.image()
            view.isHighlighted = true
            XCTAssertEqual(colour(view), .blue)
            view.isHighlighted = false
            XCTAssertEqual(gtk_picture_get_paintable(OpaquePointer(stage.widget)), own.pointer)
        }
    }

    /// An indicator covers the widget's paintable without changing it for the app.
    func testAnIndicatorDoesNotDisturbTheTwoPictures() throws {
        try onMainThread {
            try requireDisplay()
            for isHighlightFirst in [true, false] {
                let stage = try shown(gtk_picture_new())
                gtk_widget_set_size_request(stage.widget, 64, 64)
                let (view, test) = (PictureView(stage.widget), TestStage())
                if isHighlightFirst { view.highlightedImage = try Colour.blue.image() }
                view.imageIndicator = ActivityIndicator()
                load(.red, in: view, test)
                view.highlightedImage = try Colour.blue.image()
                view.isHighlighted = true
                view.setImage(with: test.url("next"), placeholder: try Colour.green.image(), context: test.context)
                drawFrames(4, of: stage.window)
                XCTAssertEqual(stage.colours(2, 2, of: stage.widget), [.blue])
                XCTAssertEqual(view.image?.colour, .green)
                view.isHighlighted = false
                drawFrames(4, of: stage.window)
                XCTAssertEqual(stage.colours(2, 2, of: stage.widget), [.green])
                test.finish(test.url("next"), .red)
                iterate(until: { view.image?.colour == .red }, "the next picture")
                drawFrames(4, of: stage.window)
                XCTAssertEqual(stage.colours(2, 2, of: stage.widget), [.red])
                XCTAssertEqual(view.highlightedImage?.colour, .blue)
                stage.close()
            }
        }
    }

    @MainActor
    private func moveToSelectedRow(
        _ view: PictureView, from old: UnsafeMutablePointer<GtkWidget>, to new: UnsafeMutablePointer<GtkWidget>
    ) throws {
        g_object_ref(view.widget)
        gtk_list_box_row_set_child(old.of(GtkListBoxRow.self), nil)
        gtk_list_box_row_set_child(new.of(GtkListBoxRow.self), view.widget)
        g_object_unref(view.widget)
    }

    @MainActor
    private func colour(_ view: PictureView) -> Colour? {
        gtk_picture_get_paintable(OpaquePointer(view.widget)).map {
            Rendering($0, width: 8, height: 8).colour(x: 4, y: 4)
        }
    }
}
