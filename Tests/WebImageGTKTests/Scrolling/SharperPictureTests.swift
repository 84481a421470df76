import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Pictures that must, or need not, be decoded again for a view of another size or fit.
final class SharperPictureTests: GTKTestCase, @unchecked Sendable {
    func testWhenACellGrowsItsPictureIsDecodedAnewAndStaysUntilThen() throws {
        try onList(pictures: 1) { stage in
            stage.show()
            stage.bind(0, to: "a", configure: { $0.originalStoreCacheType = .noCache })
            iterate(until: { !stage.asked.isEmpty }, "the load")
            stage.finish("a", .red)
            iterate(until: { stage.view(0).image != nil && stage.isOnScreen }, "the picture")
            let small = try XCTUnwrap(stage.view(0).image)
            XCTAssertLessThan(small.pixelSize.width, 300)

            gtk_widget_set_size_request(stage.pictures[0], 64, 250)
            iterate(until: { stage.loader.loads.count == 2 }, "another decode")
            XCTAssertTrue(stage.view(0).image === small, "nothing is taken away before there is something better")
            let paintable = gtk_picture_get_paintable(OpaquePointer(stage.pictures[0]))
            stage.finish("a", .red)
            iterate(until: { stage.view(0).image !== small }, "the sharper picture")
            XCTAssertGreaterThan(stage.view(0).image?.pixelSize.height ?? 0, small.pixelSize.height)
            XCTAssertEqual(
                gtk_picture_get_paintable(OpaquePointer(stage.pictures[0])), paintable,
                "nothing is laid out anew, and nothing moves")

            gtk_widget_set_size_request(stage.pictures[0], 64, 64)
            drawFrames(stage, 4)
            XCTAssertEqual(stage.loader.loads.count, 2, "nothing is decoded for a view that shrinks")
        }
    }

    /// In the next run of the program, the thumbnail is on the disk.
    func testAReducedPictureFromAFileOfItsOwnIsDecodedAnewToo() throws {
        try onList(pictures: 1, coder: PosterCoder(marksThumbnails: false)) { stage in
            stage.show()
            stage.bind(0, to: "a", configure: { $0.originalStoreCacheType = .noCache })
            iterate(until: { !stage.asked.isEmpty }, "the load")
            stage.finish("a", .red)
            iterate(until: { stage.view(0).image != nil && stage.isOnScreen }, "the picture")
            gtk_widget_set_size_request(stage.pictures[0], 64, 250)
            iterate(until: { stage.loader.loads.count == 2 }, "another decode, for the size that the cell has got")
        }
    }

    /// A poster that covers a square overhangs it by a third.
    func testAPictureThatCoversItsCellIsDecodedOnceAndAsSharpAsTheCell() throws {
        try onList(pictures: 1, isStretched: false) { stage in
            gtk_picture_set_content_fit(OpaquePointer(stage.pictures[0]), GTK_CONTENT_FIT_COVER)
            stage.show()
            stage.bind(0, to: "a")
            iterate(until: { !stage.asked.isEmpty }, "the load")
            XCTAssertEqual(stage.view(0).imageCoversPixelSize, true)
            XCTAssertEqual(stage.loader.loads[0].request.context.coversThumbnailBox, true)
            stage.finish("a", .red)
            iterate(until: { stage.view(0).image != nil && stage.isOnScreen }, "the picture")
            drawFrames(stage, 4)
            let side = stage.pixels(64).width
            XCTAssertEqual(stage.view(0).image?.pixelSize, PixelSize(width: (side * 4 + 1) / 3, height: side))
            XCTAssertEqual(stage.loader.loads.count, 1)
        }
    }

    func testAPictureThatIsToCoverItsViewFromNowOnIsDecodedAnew() throws {
        try onList(pictures: 1, isStretched: false) { stage in
            stage.show()
            stage.bind(0, to: "a")
            iterate(until: { !stage.asked.isEmpty }, "the load")
            stage.finish("a", .red)
            iterate(until: { stage.view(0).image != nil && stage.isOnScreen }, "the picture")
            XCTAssertLessThan(stage.view(0).image?.pixelSize.height ?? 0, stage.pixels(64).height)
            gtk_picture_set_content_fit(OpaquePointer(stage.pictures[0]), GTK_CONTENT_FIT_COVER)
            iterate(
                until: {
                    stage.finish("a", .red)
                    return stage.view(0).image?.pixelSize.height == stage.pixels(64).height
                }, "a picture that covers the view")
        }
    }

    /// An empty `GtkPicture` in a feed has the feed's width and no height.
    func testAViewThatGetsItsHeightFromItsPictureTakesOneOfItsWidth() throws {
        try onMainThread {
            try requireDisplay()
            for fit in [GTK_CONTENT_FIT_CONTAIN, GTK_CONTENT_FIT_COVER] {
                let feed = Feed()
                defer { feed.close() }
                gtk_picture_set_content_fit(OpaquePointer(feed.picture), fit)
                iterate(until: { feed.loader.loads.count == 1 }, "the load")
                XCTAssertEqual(gtk_widget_get_height(feed.picture), 0)
                feed.loader.loads[0].finish(Colour.red.file)
                iterate(until: { gtk_widget_get_height(feed.picture) > 0 }, "the picture")
                drawFrames(4, of: feed.window)
                let width = Int(gtk_widget_get_width(feed.picture) * gtk_widget_get_scale_factor(feed.picture))
                let decoded = try XCTUnwrap(PictureView(feed.picture).image?.pixelSize)
                XCTAssertGreaterThanOrEqual(decoded.width, width)
                XCTAssertLessThanOrEqual(decoded.width, width * 17 / 16 + 1)
                XCTAssertEqual(feed.loader.loads.count, 1, "its height is what the picture gives it")
            }
        }
    }

    func testAPictureThatIsThereAsAWholeIsNotDecodedAnew() throws {
        try onList(pictures: 1, size: 500) { stage in
            stage.show()
            stage.bind(0, to: "a")
            iterate(until: { !stage.asked.isEmpty }, "the load")
            stage.finish("a", .red)
            iterate(until: { stage.view(0).image != nil && stage.isOnScreen }, "the picture")
            XCTAssertEqual(stage.view(0).image?.pixelSize, PosterCoder.size)
            gtk_widget_set_size_request(stage.pictures[0], 900, 900)
            drawFrames(stage, 4)
            XCTAssertEqual(stage.loader.loads.count, 1)
        }
    }
}

/// A window with a column of one picture, which loads.
@MainActor
private struct Feed {
    let window = TestWindow.make()
    let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
    let loader = SuspendedLoader()

    init() {
        let column: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        gtk_window_set_default_size(window.of(GtkWindow.self), 300, 600)
        gtk_window_set_child(window.of(GtkWindow.self), column)
        gtk_box_append(column.of(GtkBox.self), picture)
        gtk_window_present(window.of(GtkWindow.self))
        var context = WebImageContext()
        context.manager = WebImageManager(cache: SuspendedCache(), loader: loader, coder: PosterCoder())
        PictureView(picture).imageSizing = .view
        PictureView(picture).setImage(with: URL(filePath: "/pictures/a"), context: context)
    }

    func close() { gtk_window_destroy(window.of(GtkWindow.self)) }
}
