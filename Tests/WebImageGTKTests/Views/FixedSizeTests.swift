import CGtk4
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Views that are exactly as large as the app says, in real windows.
final class FixedSizeTests: ViewTestCase, @unchecked Sendable {
    private typealias Widget = UnsafeMutablePointer<GtkWidget>

    private static let fits: [ContentFit] = [.fill, .contain, .cover, .scaleDown]

    /// The minimum and natural width, and the minimum and natural height.
    @MainActor
    private func measured(_ widget: Widget) -> [Int32] {
        let (across, down) = (widget.extent(GTK_ORIENTATION_HORIZONTAL), widget.extent(GTK_ORIENTATION_VERTICAL))
        return [across.minimum, across.natural, down.minimum, down.natural]
    }

    @MainActor
    private func allocated(_ widget: Widget) -> [Int32] {
        [gtk_widget_get_width(widget), gtk_widget_get_height(widget)]
    }

    /// A container that gives `widget` all of its 400 × 300 points.
    @MainActor
    private func stretching(_ kind: String, _ widget: Widget) -> Widget {
        gtk_widget_set_hexpand(widget, 1)
        gtk_widget_set_vexpand(widget, 1)
        let container: Widget
        switch kind {
        case "row":
            container = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
            gtk_box_append(container.of(GtkBox.self), widget)
        case "column":
            container = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
            gtk_box_append(container.of(GtkBox.self), widget)
        case "grid":
            container = gtk_grid_new()
            gtk_grid_attach(container.of(GtkGrid.self), widget, 0, 0, 1, 1)
        case "overlay":
            container = gtk_overlay_new()
            gtk_overlay_set_child(OpaquePointer(container), widget)
        case "frame":
            container = gtk_frame_new(nil)
            gtk_frame_set_child(container.of(GtkFrame.self), widget)
        default:
            container = gtk_center_box_new()
            gtk_center_box_set_start_widget(OpaquePointer(container), widget)
        }
        gtk_widget_set_size_request(container, 400, 300)
        return container
    }

    /// VIEW-16
    func testAnAvatarHasItsSizeInEveryContainerForEveryFit() throws {
        try onMainThread {
            try requireDisplay()
            let picture = try Colour.red.image(width: 640, height: 452)
            for kind in ["row", "column", "grid", "overlay", "frame", "centre box"] {
                let view = WebImageView(size: PointSize(width: 48, height: 48))
                let stage = try shown(stretching(kind, view.widget))
                defer { stage.close() }
                XCTAssertEqual(allocated(view.widget), [48, 48], "\(kind), empty")
                for fit in Self.fits {
                    view.contentFit = fit
                    view.image = picture
                    drawFrames(4, of: stage.window)
                    XCTAssertEqual(measured(view.widget), [48, 48, 48, 48], "\(kind), \(fit)")
                    XCTAssertEqual(allocated(view.widget), [48, 48], "\(kind), \(fit)")
                    XCTAssertEqual(stage.middles(of: view.widget), [.red], "\(kind), \(fit)")
                }
                XCTAssertEqual(view.fixedSize, PointSize(width: 48, height: 48))
            }
        }
    }

    /// GTK stretches a widget at the baseline that has none.
    func testAnAvatarAtTheBaselineHasItsSizeToo() throws {
        try onMainThread {
            try requireDisplay()
            for kind in ["row", "column", "grid", "overlay", "frame", "centre box"] {
                let view = PictureView(gtk_picture_new() as Widget)
                gtk_widget_set_valign(view.widget, GTK_ALIGN_BASELINE)
                view.fixedSize = PointSize(width: 48, height: 48)
                let stage = try shown(stretching(kind, view.widget))
                defer { stage.close() }
                XCTAssertEqual(allocated(view.widget), [48, 48], kind)
                view.fixedSize = nil
                XCTAssertEqual(gtk_widget_get_valign(view.widget), GTK_ALIGN_BASELINE, kind)
            }
        }
    }

    func testAHeaderIsAsHighAsTheAppSaysAndAsWideAsItsContainer() throws {
        try onMainThread {
            try requireDisplay()
            let header = WebImageView(size: PointSize(width: 0, height: 220))
            header.contentFit = .cover
            let stage = try shown(stretching("column", header.widget))
            defer { stage.close() }
            for (width, height) in [(1000, 430), (100, 2000)] {
                header.image = try Colour.blue.image(width: width, height: height)
                drawFrames(4, of: stage.window)
                XCTAssertEqual(allocated(header.widget), [400, 220])
                XCTAssertEqual(measured(header.widget)[2...], [220, 220])
                XCTAssertEqual(measured(header.widget)[0], 0)
            }
            XCTAssertEqual(header.fixedSize, PointSize(width: 0, height: 220))
        }
    }

    func testAButtonsPictureHasItsSizeAndTheButtonGrowsByNoMore() throws {
        try onMainThread {
            try requireDisplay()
            for label in [nil, "Ada"] {
                let button: Widget = label.map { gtk_button_new_with_label($0) } ?? gtk_button_new()
                let view = ButtonView(button)
                view.fixedSize = PointSize(width: 48, height: 40)
                view.contentFit = .cover
                let stage = try shown(button)
                defer { stage.close() }
                view.image = try Colour.red.image(width: 531, height: 373)
                drawFrames(4, of: stage.window)
                let picture = try XCTUnwrap(view.imageWidget)
                XCTAssertEqual(measured(picture), [48, 48, 40, 40], label ?? "no label")
                XCTAssertEqual(allocated(picture), [48, 40], label ?? "no label")
                XCTAssertEqual(view.contentFit, .cover)
                XCTAssertEqual(stage.middles(of: picture), [.red])
                XCTAssertLessThan(gtk_widget_get_height(button), 64)
            }
        }
    }

    func testAPictureBesideALabelIsInAnIconAgainWithoutAFixedSize() throws {
        try onMainThread {
            try requireDisplay()
            let view = ButtonView(gtk_button_new_with_label("Ada"))
            let stage = try shown(view.widget)
            defer { stage.close() }
            view.image = try Colour.red.image(width: 64, height: 64)
            XCTAssertTrue(try XCTUnwrap(view.imageWidget).isA(gtk_image_get_type()))
            view.fixedSize = PointSize(width: 30, height: 20)
            drawFrames(4, of: stage.window)
            let picture = try XCTUnwrap(view.imageWidget)
            XCTAssertEqual(allocated(picture), [30, 20])
            XCTAssertEqual(stage.middles(of: picture), [.red], "the picture is where it was")
            view.fixedSize = nil
            drawFrames(4, of: stage.window)
            let icon = try XCTUnwrap(view.imageWidget)
            XCTAssertTrue(icon.isA(gtk_image_get_type()))
            XCTAssertEqual(stage.middles(of: icon), [.red])
            XCTAssertNil(view.fixedSize)
        }
    }

    func testAnIconOfTheAppInAButtonHasThatSizeToo() throws {
        try onMainThread {
            try requireDisplay()
            let view = ButtonView(gtk_button_new_from_icon_name("image-missing"))
            let stage = try shown(view.widget)
            defer { stage.close() }
            view.fixedSize = PointSize(width: 50, height: 40)
            view.image = try Colour.red.image(width: 100, height: 100)
            drawFrames(4, of: stage.window)
            let icon = try XCTUnwrap(view.imageWidget)
            XCTAssertEqual(allocated(icon), [50, 40])
            XCTAssertEqual(stage.middles(of: icon), [.red])
        }
    }

    func testAButtonsBackgroundHasAFitAndNoSize() throws {
        try onMainThread {
            try requireDisplay()
            let view = ButtonView(gtk_button_new_with_label("Ada"))
            g_object_ref_sink(view.widget)
            defer { g_object_unref(view.widget) }
            let background = view.backgroundView(for: .normal)
            XCTAssertEqual(background.contentFit, .fill)
            background.contentFit = .cover
            background.fixedSize = PointSize(width: 9, height: 9)
            XCTAssertNil(background.fixedSize)
            let widget = try XCTUnwrap(view.backgroundWidget)
            XCTAssertEqual(gtk_picture_get_content_fit(OpaquePointer(widget)), GTK_CONTENT_FIT_COVER)
        }
    }

    func testARowsPictureHasItsSizeInARowOfAnyHeight() throws {
        try onMainThread {
            try requireDisplay()
            let (list, row): (Widget, Widget) = (gtk_list_box_new(), gtk_list_box_row_new())
            let box: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6)
            gtk_box_append(box.of(GtkBox.self), gtk_label_new("Ada\nLovelace\nMathematician\nLondon\n1815"))
            gtk_list_box_row_set_child(row.of(GtkListBoxRow.self), box)
            gtk_list_box_append(OpaquePointer(list), row)
            let view = ListRowView(row)
            view.fixedSize = PointSize(width: 40, height: 40)
            view.contentFit = .cover
            let stage = try shown(list)
            defer { stage.close() }
            view.image = try Colour.green.image(width: 300, height: 200)
            drawFrames(4, of: stage.window)
            XCTAssertGreaterThan(gtk_widget_get_height(row), 60)
            XCTAssertEqual(measured(view.widget), [40, 40, 40, 40])
            XCTAssertEqual(allocated(view.widget), [40, 40])
            XCTAssertEqual(view.contentFit, .cover)
        }
    }

    /// A row that the app fills has no picture.
    func testARowWithoutAPictureHasNoSize() throws {
        try onMainThread {
            try requireDisplay()
            let row: Widget = gtk_list_box_row_new()
            g_object_ref_sink(row)
            defer { g_object_unref(row) }
            gtk_list_box_row_set_child(row.of(GtkListBoxRow.self), gtk_label_new("Ada"))
            let view = ListRowView(row)
            view.fixedSize = PointSize(width: 40, height: 40)
            view.contentFit = .cover
            XCTAssertNil(view.fixedSize)
            XCTAssertEqual(view.contentFit, .contain)
        }
    }

    // MARK: Sizes that are none

    func testASideThatIsNotPositiveIsNotFixed() throws {
        try onMainThread {
            try requireDisplay()
            let view = WebImageView()
            view.image = try Colour.red.image(width: 30, height: 20)
            let usual = measured(view.widget)
            for side in [0, -0.0, -1, -100_000, .nan, -.infinity] {
                view.fixedSize = PointSize(width: side, height: side)
                XCTAssertNil(view.fixedSize, "\(side)")
                XCTAssertEqual(measured(view.widget), usual, "\(side)")
                view.fixedSize = PointSize(width: 10, height: side)
                XCTAssertEqual(view.fixedSize, PointSize(width: 10, height: 0), "\(side)")
                XCTAssertEqual(measured(view.widget), [10, 10, 0, 7], "in the picture's proportions: \(side)")
            }
            view.fixedSize = nil
            XCTAssertEqual(measured(view.widget), usual)
        }
    }

    func testSidesAreWholePointsUpToTheLargestWindow() throws {
        try onMainThread {
            try requireDisplay()
            let view = WebImageView()
            for (side, length) in [(0.2, 1), (47.4, 47), (100_000, 32_767), (.infinity, 32_767), (1e300, 32_767)] {
                view.fixedSize = PointSize(width: side, height: side)
                XCTAssertEqual(measured(view.widget), [Int32](repeating: Int32(length), count: 4), "\(side)")
            }
            XCTAssertEqual(view.imagePixelSize?.isEmpty, false)
            let scroller: Widget = gtk_scrolled_window_new()
            gtk_widget_set_size_request(scroller, 200, 100)
            view.fixedSize = PointSize(width: 100_000, height: 100_000)
            gtk_scrolled_window_set_child(OpaquePointer(scroller), view.widget)
            let stage = try shown(scroller)
            defer { stage.close() }
            view.image = try Colour.red.image()
            drawFrames(4, of: stage.window)
            XCTAssertEqual(allocated(view.widget), [32_767, 32_767])
        }
    }

    // MARK: Neighbours

    func testTheAlignmentOfTheAppStaysAndOneThatStretchesComesBack() throws {
        try onMainThread {
            try requireDisplay()
            let view = WebImageView()
            gtk_widget_set_halign(view.widget, GTK_ALIGN_START)
            view.fixedSize = PointSize(width: 48, height: 48)
            XCTAssertEqual(gtk_widget_get_halign(view.widget), GTK_ALIGN_START)
            XCTAssertEqual(gtk_widget_get_valign(view.widget), GTK_ALIGN_CENTER)
            view.fixedSize = nil
            XCTAssertEqual(gtk_widget_get_halign(view.widget), GTK_ALIGN_START)
            XCTAssertEqual(gtk_widget_get_valign(view.widget), GTK_ALIGN_FILL)
        }
    }

    func testAnIndicatorChangesNothingOfTheSize() throws {
        try onMainThread {
            try requireDisplay()
            let test = TestStage()
            for isFixedFirst in [true, false] {
                let view = WebImageView()
                let size = PointSize(width: 48, height: 48)
                if isFixedFirst { view.fixedSize = size }
                view.imageIndicator = ActivityIndicator.large
                let stage = try shown(stretching("row", view.widget))
                defer { stage.close() }
                view.context = test.context
                view.url = test.url("\(isFixedFirst)")
                drawFrames(4, of: stage.window)
                if !isFixedFirst { view.fixedSize = size }
                drawFrames(4, of: stage.window)
                XCTAssertEqual(allocated(view.widget), [48, 48], "while it loads")
                test.finish(test.url("\(isFixedFirst)"), .red)
                iterate(until: { view.image?.colour == .red }, "the picture")
                view.imageIndicator = nil
                drawFrames(4, of: stage.window)
                XCTAssertEqual(allocated(view.widget), [48, 48], "loaded")
                XCTAssertEqual(measured(view.widget), [48, 48, 48, 48])
            }
        }
    }

    func testTheWidgetsEndIsQuiet() throws {
        try onMainThread {
            try requireDisplay()
            let view = WebImageView(size: PointSize(width: 48, height: 48))
            view.imageIndicator = ActivityIndicator.large
            let stage = try shown(stretching("row", view.widget))
            stage.close()
            view.fixedSize = PointSize(width: 50, height: 48)
            view.fixedSize = nil
        }
    }

    // MARK: Decode sizes

    func testThePictureIsDecodedForItAtOnce() throws {
        try onMainThread {
            try requireDisplay()
            let test = TestStage()
            let avatar = WebImageView(size: PointSize(width: 48, height: 48))
            let scale = Int(gtk_widget_get_scale_factor(avatar.widget))
            avatar.contentFit = .cover
            avatar.context = test.context
            avatar.url = test.url("avatar")
            let picture: Widget = gtk_picture_new()
            g_object_ref_sink(picture)
            defer { g_object_unref(picture) }
            PictureView(picture).fixedSize = PointSize(width: 64, height: 32)
            PictureView(picture).setImage(with: test.url("picture"), context: test.context)
            let button = ButtonView(gtk_button_new_with_label("Ada"))
            g_object_ref_sink(button.widget)
            defer { g_object_unref(button.widget) }
            button.fixedSize = PointSize(width: 24, height: 24)
            button.setImage(with: test.url("button"), context: test.context)
            button.setImage(with: test.url("pressed"), for: .active, context: test.context)
            let boxes = [48, 64, 24, 24].map { $0 * scale }
            XCTAssertEqual(test.loader.loads.map(\.request.context.thumbnailPixelSize?.width), boxes)
            XCTAssertEqual(
                test.loader.loads.map(\.request.context.thumbnailPixelSize?.height),
                [48, 32, 24, 24].map { $0 * scale })
            XCTAssertEqual(avatar.imageCoversPixelSize, true)
            XCTAssertEqual(button.imagePixelSize, PixelSize(width: 24 * scale, height: 24 * scale))
        }
    }

    /// In a list whose other cells have other sizes.
    func testACellDoesNotTakeItsNeighboursSize() throws {
        try onList(pictures: 3, size: nil) { stage in
            stage.view(0).fixedSize = PointSize(width: 64, height: 64)
            stage.view(1).fixedSize = PointSize(width: 32, height: 32)
            stage.bind(0, to: "a")
            stage.bind(1, to: "b")
            stage.show()
            iterate(until: { stage.boxes.count == 2 }, "both loads")
            XCTAssertEqual(stage.asked, ["a", "b"])
            XCTAssertEqual(stage.boxes, [stage.pixels(64), stage.pixels(32)])
        }
    }
}
