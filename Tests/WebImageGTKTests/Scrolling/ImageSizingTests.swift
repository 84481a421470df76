import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// How large pictures are decoded for views, in real windows.
final class ImageSizingTests: GTKTestCase, @unchecked Sendable {
    func testACellsPictureIsDecodedToItsSizeRequestAtOnce() throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: 1)
            defer { stage.close() }
            XCTAssertNotNil(stage.bind(0, to: "a"))
            XCTAssertEqual(stage.boxes, [stage.pixels(64)])
            XCTAssertEqual(stage.view(0).imagePixelSize, stage.pixels(64))
        }
    }

    func testOutsideOfListsPicturesAreDecodedAsTheyAreUnlessAsked() throws {
        try onMainThread {
            try requireDisplay()
            let test = TestStage()
            let stage = Stage()
            defer { stage.close() }
            stage.view.setImage(with: test.url("a"), context: test.context)
            stage.view.imageSizing = .view
            stage.view.setImage(with: test.url("b"), context: test.context)
            let side = 64 * Int(gtk_widget_get_scale_factor(stage.widgets[0]))
            XCTAssertEqual(
                test.loader.loads.map(\.request.context.imageThumbnailPixelSize),
                [nil, PixelSize(width: side, height: side)])
        }
    }

    func testWhatTheAppSaysWins() throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: 3)
            defer { stage.close() }
            stage.bind(0, to: "a", configure: { $0.imageThumbnailPixelSize = PixelSize(width: 5, height: 5) })
            stage.bind(1, to: "b", .scaleDownLargeImages)
            stage.view(2).imageSizing = .file
            stage.bind(2, to: "c")
            XCTAssertEqual(stage.boxes, [PixelSize(width: 5, height: 5), nil, nil])
        }
    }

    func testALoadWaitsForTheSizeThatItsCellWillHave() throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: 2, size: nil)
            defer { stage.close() }
            for picture in stage.pictures { gtk_widget_set_size_request(picture, -1, 40) }
            XCTAssertNotNil(stage.bind(0, to: "a"))
            XCTAssertEqual(stage.asked, [])
            stage.show()
            iterate(until: { stage.asked == ["a"] }, "the load")
            XCTAssertEqual(stage.boxes, [stage.view(0).imagePixelSize])
            XCTAssertGreaterThan(stage.boxes[0]?.width ?? 0, 100, "as wide as the window")
        }
    }

    func testAViewThatGetsNoSizeShowsThePictureAsItIs() throws {
        try onMainThread {
            try requireDisplay()
            let test = TestStage()
            let stage = Stage()
            defer { stage.close() }
            gtk_widget_set_size_request(stage.widgets[0], -1, -1)
            gtk_widget_set_valign(stage.widgets[0], GTK_ALIGN_START)
            stage.view.imageSizing = .view
            stage.view.setImage(with: test.url("a"), context: test.context)
            XCTAssertEqual(test.loader.loads.count, 0)
            stage.show()
            iterate(until: { test.loader.loads.count == 1 }, "the load")
            XCTAssertNil(test.loader.loads[0].request.context.imageThumbnailPixelSize)
        }
    }

    func testACellThatIsNotLaidOutTakesTheSizeOfItsNeighbours() throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: 2, size: nil)
            defer { stage.close() }
            for picture in stage.pictures { gtk_widget_set_size_request(picture, -1, 40) }
            gtk_widget_set_visible(gtk_widget_get_parent(stage.pictures[1]), 0)
            stage.bind(1, to: "unseen")
            stage.bind(0, to: "seen")
            stage.show()
            iterate(until: { stage.asked.count == 2 }, "both loads")
            XCTAssertEqual(stage.asked, ["seen", "unseen"])
            XCTAssertEqual(stage.boxes[0], stage.boxes[1])
        }
    }

    /// A cover and a portrait, say.
    func testACellTakesTheSizeOfNeighboursOfItsKindOnly() throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: 4, size: nil)
            defer { stage.close() }
            for (index, picture) in stage.pictures.enumerated() {
                gtk_widget_set_size_request(picture, -1, index < 2 ? 40 : 120)
            }
            for index in [1, 3] { gtk_widget_set_visible(gtk_widget_get_parent(stage.pictures[index]), 0) }
            for (index, name) in [(1, "low"), (3, "high"), (0, "seen low"), (2, "seen high")] {
                stage.bind(index, to: name)
            }
            stage.show()
            iterate(until: { stage.asked.count == 4 }, "all loads")
            let boxes = Dictionary(uniqueKeysWithValues: zip(stage.asked, stage.boxes))
            XCTAssertEqual(boxes["low"], boxes["seen low"])
            XCTAssertEqual(boxes["high"], boxes["seen high"])
            XCTAssertNotEqual(boxes["low"], boxes["high"])
        }
    }

    /// A window that is minimised or covered keeps its widgets mapped, and may get no frames.
    func testALoadDoesNotWaitForFramesThatDoNotCome() throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: 1, size: nil)
            defer { stage.close() }
            let elsewhere: UnsafeMutablePointer<GtkWidget> = gtk_label_new(nil)
            g_object_ref_sink(elsewhere)
            defer { g_object_unref(elsewhere) }
            Coordinator.of(stage.pictures[0]).surface.admission.sizeWait.frames = elsewhere
            stage.show()
            iterate(until: { stage.isOnScreen || gtk_widget_get_mapped(stage.pictures[0]) != 0 }, "the window")
            stage.bind(0, to: "a")
            XCTAssertEqual(stage.asked, [])
            iterate(until: { stage.asked == ["a"] }, "the load")
            XCTAssertNotNil(stage.boxes.last ?? nil, "nothing that nobody sees is decoded as a whole")
        }
    }

    func testEachPlaceOfAWidgetHasItsOwn() throws {
        try onMainThread {
            try requireDisplay()
            let widget: UnsafeMutablePointer<GtkWidget> = gtk_button_new()
            g_object_ref_sink(widget)
            defer { g_object_unref(widget) }
            let button = ButtonView(widget)
            button.imageSizing = .view
            XCTAssertEqual(button.imageView(for: .prelight).imageSizing, .view)
            XCTAssertEqual(button.alternateView.imageSizing, .view)
            XCTAssertEqual(button.backgroundView(for: .normal).imageSizing, .automatic)
            button.imageView(for: .prelight).imageSizing = .file
            XCTAssertEqual(button.imageSizing, .view)
            let picture = WebImageView()
            XCTAssertEqual(picture.highlightedView.imageSizing, .view)
            picture.highlightedView.imageSizing = .file
            XCTAssertEqual(picture.imageSizing, .view)
        }
    }

    func testALoadOfACellThatNobodyEverSeesEndsAllTheSame() throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: 1, size: nil)
            defer { stage.close() }
            let endings = Recorder<Bool>()
            stage.bind(0, to: "a") { endings.append($0.isCancelled) }
            iterate(until: { stage.asked == ["a"] }, "the load")
            XCTAssertNotNil(stage.boxes[0], "nothing that nobody sees is decoded as a whole")
            stage.finish("a", .red)
            iterate(until: { endings.values == [false] }, "its end")
        }
    }

    /// VIEW-6, VIEW-10, VIEW-12: a load that waits is one that runs, for the app.
    func testALoadThatWaitsForASizeIsHandedOutAndCanBeCancelled() throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: 1, size: nil)
            defer { stage.close() }
            stage.view(0).imageProgress.totalUnitCount = 1
            stage.view(0).imageProgress.completedUnitCount = 1
            let endings = Recorder<Bool>()
            let operation = try XCTUnwrap(stage.bind(0, to: "a") { endings.append($0.isCancelled) })
            XCTAssertTrue(stage.view(0).imageLoadOperation() === operation)
            XCTAssertEqual(stage.view(0).imageProgress.completedUnitCount, 0)
            operation.cancel()
            XCTAssertEqual(endings.values, [true])
            XCTAssertTrue(operation.isCancelled)
            XCTAssertNil(stage.view(0).imageLoadOperation())
            stage.show()
            iterate(until: { stage.isOnScreen || gtk_widget_get_mapped(stage.pictures[0]) != 0 }, "the window")
            drawFrames(stage, 4)
            XCTAssertEqual(stage.asked, [])
        }
    }

    /// MGR-5: whoever logs out ends what waits for a size, too.
    func testTheManagerCancelsWhatWaits() throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: 1, size: nil)
            defer { stage.close() }
            let endings = Recorder<Bool>()
            stage.bind(0, to: "a") { endings.append($0.isCancelled) }
            XCTAssertTrue(stage.manager.isRunning)
            stage.manager.cancelAll()
            iterate(until: { endings.values == [true] }, "the end")
            XCTAssertFalse(stage.manager.isRunning)
            stage.show()
            iterate(until: { stage.isOnScreen }, "the window")
            drawFrames(stage, 4)
            XCTAssertEqual(stage.asked, [])
        }
    }

    /// VIEW-12: the operation stays the same when the load begins.
    func testTheOperationOfALoadThatWaitedIsThatOfTheLoad() throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: 1, size: nil)
            defer { stage.close() }
            let endings = Recorder<Bool>()
            let operation = try XCTUnwrap(stage.bind(0, to: "a") { endings.append($0.isCancelled) })
            stage.show()
            iterate(until: { stage.asked == ["a"] }, "the load")
            XCTAssertTrue(stage.view(0).imageLoadOperation() === operation)
            XCTAssertEqual(stage.loader.loads[0].priorities.last, LoadPriority(inView: [], isSeen: true))
            operation.cancel()
            XCTAssertTrue(stage.loader.loads[0].isCancelled)
            XCTAssertEqual(endings.values, [true])
            XCTAssertFalse(stage.manager.isRunning)
        }
    }

    func testALoadThatIsReplacedWhileItWaitsForASizeNeverBegins() throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: 1, size: nil)
            defer { stage.close() }
            let endings = Recorder<String>()
            stage.bind(0, to: "a") { endings.append($0.isCancelled ? "a cancelled" : "a") }
            stage.bind(0, to: "b") { endings.append($0.isCancelled ? "b cancelled" : "b") }
            XCTAssertEqual(endings.values, ["a cancelled"])
            stage.show()
            iterate(until: { stage.asked == ["b"] }, "the load")
            stage.view(0).cancelCurrentImageLoad()
            XCTAssertEqual(endings.values, ["a cancelled", "b cancelled"])
        }
    }

    func testWhenACellGrowsItsPictureIsDecodedAnewAndStaysUntilThen() throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: 1)
            defer { stage.close() }
            stage.show()
            stage.bind(0, to: "a", configure: { $0.originalStoreCacheType = ImageCacheType.none })
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

    /// In the next run of the program, the reduced picture is on the disk.
    func testAReducedPictureFromAFileOfItsOwnIsDecodedAnewToo() throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: 1, coder: PosterCoder(marksThumbnails: false))
            defer { stage.close() }
            stage.bind(0, to: "a", configure: { $0.originalStoreCacheType = ImageCacheType.none })
            stage.finish("a", .red)
            iterate(until: { stage.view(0).image != nil }, "the picture")
            stage.show()
            iterate(until: { stage.loader.loads.count == 2 }, "another decode, for the size that the cell has got")
        }
    }

    /// A poster that covers a square is wider than it by a third.
    func testAPictureThatCoversItsCellIsDecodedOnceAndAsSharpAsTheCell() throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: 1, isStretched: false)
            defer { stage.close() }
            gtk_picture_set_content_fit(OpaquePointer(stage.pictures[0]), GTK_CONTENT_FIT_COVER)
            stage.show()
            stage.bind(0, to: "a")
            XCTAssertEqual(stage.view(0).imageCoversPixelSize, true)
            XCTAssertEqual(stage.loader.loads[0].request.context.imageCoversThumbnailBox, true)
            stage.finish("a", .red)
            iterate(until: { stage.view(0).image != nil && stage.isOnScreen }, "the picture")
            drawFrames(stage, 4)
            let side = stage.pixels(64).width
            XCTAssertEqual(stage.view(0).image?.pixelSize, PixelSize(width: (side * 4 + 1) / 3, height: side))
            XCTAssertEqual(stage.loader.loads.count, 1)
        }
    }

    func testAPictureThatIsToCoverItsViewFromNowOnIsDecodedAnew() throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: 1, isStretched: false)
            defer { stage.close() }
            stage.show()
            stage.bind(0, to: "a")
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

    /// An empty `GtkPicture` in a feed is as wide as that, and has no height.
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
                feed.drawFrames(4, in: self)
                let width = Int(gtk_widget_get_width(feed.picture) * gtk_widget_get_scale_factor(feed.picture))
                let decoded = try XCTUnwrap(PictureView(feed.picture).image?.pixelSize)
                XCTAssertGreaterThanOrEqual(decoded.width, width)
                XCTAssertLessThanOrEqual(decoded.width, width * 17 / 16 + 1)
                XCTAssertEqual(feed.loader.loads.count, 1, "its height is what the picture gives it")
            }
        }
    }

    func testAPictureThatIsThereAsAWholeIsNotDecodedAnew() throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: 1, size: 500)
            defer { stage.close() }
            stage.show()
            stage.bind(0, to: "a")
            stage.finish("a", .red)
            iterate(until: { stage.view(0).image != nil && stage.isOnScreen }, "the picture")
            XCTAssertEqual(stage.view(0).image?.pixelSize, PosterCoder.size)
            gtk_widget_set_size_request(stage.pictures[0], 900, 900)
            drawFrames(stage, 4)
            XCTAssertEqual(stage.loader.loads.count, 1)
        }
    }

    func testHowLargeAPictureIsDecodedDoesNotChangeWhatIsLaidOut() throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: 1)
            defer { stage.close() }
            stage.show()
            stage.bind(0, to: "a")
            stage.finish("a", .red)
            iterate(until: { stage.view(0).image != nil }, "the picture")
            let paintable = try XCTUnwrap(gtk_picture_get_paintable(OpaquePointer(stage.pictures[0])))
            XCTAssertEqual(gdk_paintable_get_intrinsic_width(paintable), 400)
            XCTAssertEqual(gdk_paintable_get_intrinsic_height(paintable), 300)
        }
    }

    /// Whatever happens in the next frames has happened.
    @MainActor
    private func drawFrames(_ stage: ListStage, _ count: Int64) {
        let end = stage.frame + count
        iterate(
            until: {
                stage.queueDraw()
                return stage.frame >= end
            }, "\(count) frames")
    }
}

extension ListStage {
    /// Pixels per point.
    fileprivate var scale: Int { Int(gtk_widget_get_scale_factor(pictures[0])) }

    /// A square of so many points, in pixels.
    fileprivate func pixels(_ side: Int) -> PixelSize {
        let side = side * scale
        return PixelSize(width: side, height: side)
    }
}

/// A window with a column of pictures of which there is one, that loads.
@MainActor
private struct Feed {
    let window: UnsafeMutablePointer<GtkWidget> = gtk_window_new()
    let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
    let loader = SuspendedLoader()

    init() {
        let column: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        gtk_window_set_default_size(window.of(GtkWindow.self), 300, 600)
        gtk_window_set_child(window.of(GtkWindow.self), column)
        gtk_box_append(column.of(GtkBox.self), picture)
        gtk_window_present(window.of(GtkWindow.self))
        var context = WebImageContext()
        context.imageManager = WebImageManager(cache: SuspendedCache(), loader: loader, coder: PosterCoder())
        PictureView(picture).imageSizing = .view
        PictureView(picture).setImage(with: URL(filePath: "/pictures/a"), context: context)
    }

    func drawFrames(_ count: Int, in test: GTKTestCase) {
        var frames = 0
        let ticks = FrameTicks(of: window) { _ in
            frames += 1
            return frames < count
        }
        test.iterate(until: { frames == count }, "\(count) frames")
        ticks.stop()
    }

    func close() { gtk_window_destroy(window.of(GtkWindow.self)) }
}
