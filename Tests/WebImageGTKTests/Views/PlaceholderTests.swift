import CGtk4
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Placeholders and error pictures: icons in the colours of their view, and a fit of their own.
final class PlaceholderTests: ViewTestCase, @unchecked Sendable {
    private typealias Widget = UnsafeMutablePointer<GtkWidget>

    /// A style sheet that is removed at the end of a test.
    @MainActor
    private final class Style {
        private let provider: UnsafeMutablePointer<GtkCssProvider> = gtk_css_provider_new()

        init() {
            gtk_style_context_add_provider_for_display(
                gdk_display_get_default(), OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_USER))
        }

        func set(_ css: String) { gtk_css_provider_load_from_data(provider, css, -1) }

        func remove() {
            gtk_style_context_remove_provider_for_display(gdk_display_get_default(), OpaquePointer(provider))
            g_object_unref(provider)
        }
    }

    @MainActor
    private func makePicture(_ fit: ContentFit) -> Widget {
        let picture: Widget = gtk_picture_new()
        PictureView(picture).contentFit = fit
        PictureView(picture).fixedSize = PointSize(width: 120, height: 100)
        return picture
    }

    /// The columns and rows of `colour` in the widget, by all renderers.
    @MainActor
    private func area(of colour: Colour, in widget: Widget, _ stage: WidgetStage) -> Set<[Int]> {
        drawFrames(4, of: stage.window)
        let corner = stage.point(0, 0, of: widget)
        let (width, height) = (Int(gtk_widget_get_width(widget)), Int(gtk_widget_get_height(widget)))
        return Set(
            stage.screenshots().map { pixels in
                let found = (0..<height).flatMap { y in (0..<width).map { (x: $0, y: y) } }.filter {
                    pixels.colour(x: $0.x + Int(corner.x), y: $0.y + Int(corner.y)) == colour
                }
                let (xs, ys) = (found.map(\.x), found.map(\.y))
                guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else {
                    return []
                }
                return [left, top, right, bottom]
            })
    }

    @MainActor
    private func icon(_ size: Double, for widget: Widget) throws -> Image {
        try XCTUnwrap(Image(iconNamed: "window-close-symbolic", size: size, for: widget))
    }

    func testAnIconMadeBeforeItsWidgetIsShownHasTheColourOfTheTextThenAndLater() throws {
        try onMainThread {
            try requireDisplay()
            let style = Style()
            defer { style.remove() }
            style.set("picture { color: #ff0000; }")
            let picture = makePicture(.contain)
            PictureView(picture).image = try icon(48, for: picture)
            let stage = try shown(picture)
            defer { stage.close() }
            for area in area(of: .red, in: picture, stage) { XCTAssertEqual(area.count, 4, "red is there") }
            style.set("picture { color: #0000ff; }")
            for area in area(of: .blue, in: picture, stage) { XCTAssertEqual(area.count, 4, "blue is there") }
            for area in area(of: .red, in: picture, stage) { XCTAssertEqual(area, [], "red is gone") }
        }
    }

    func testAnIconIsNotLargerThanItWasMade() throws {
        try onMainThread {
            try requireDisplay()
            let style = Style()
            defer { style.remove() }
            style.set("picture { color: #ff0000; }")
            for fit in [ContentFit.fill, .contain, .cover, .scaleDown] {
                let picture = makePicture(fit)
                PictureView(picture).image = try icon(32, for: picture)
                let stage = try shown(picture)
                defer { stage.close() }
                for area in area(of: .red, in: picture, stage) {
                    XCTAssertEqual(area.count, 4, "\(fit)")
                    guard area.count == 4 else { continue }
                    XCTAssertTrue(area[0] >= 44 && area[2] < 76 && area[1] >= 34 && area[3] < 66, "\(fit): \(area)")
                    XCTAssertEqual(area[0] + area[2], 119, "\(fit), in the middle")
                    XCTAssertEqual(area[1] + area[3], 99, "\(fit), in the middle")
                }
                XCTAssertEqual(picture.extent(GTK_ORIENTATION_HORIZONTAL).natural, 120)
            }
        }
    }

    func testAnIconLargerThanItsViewIsReduced() throws {
        try onMainThread {
            try requireDisplay()
            let style = Style()
            defer { style.remove() }
            style.set("picture { color: #ff0000; }")
            let view = WebImageView(size: PointSize(width: 20, height: 20))
            view.placeholder = try icon(64, for: view.widget)
            let stage = try shown(view.widget)
            defer { stage.close() }
            for area in area(of: .red, in: view.widget, stage) { XCTAssertEqual(area.count, 4) }
        }
    }

    func testThePlaceholderAndTheErrorPictureHaveAFitOfTheirOwn() throws {
        try onMainThread {
            try requireDisplay()
            let (picture, test) = (makePicture(.fill), TestStage())
            let stage = try shown(picture)
            defer { stage.close() }
            let view = PictureView(picture)
            XCTAssertEqual(view.placeholderContentFit, .automatic)
            view.placeholderContentFit = .always(.scaleDown)
            var context = test.context
            context.errorImage = try Colour.green.image(width: 20, height: 40)
            var endings = 0
            let placeholder = try Colour.red.image(width: 40, height: 20)
            view.setImage(with: test.url("a"), placeholder: placeholder, context: context) { _ in endings += 1 }
            XCTAssertEqual(area(of: .red, in: picture, stage), [[40, 40, 79, 59]])
            test.finish(test.url("a"), .blue)
            iterate(until: { endings == 1 }, "the picture")
            XCTAssertEqual(area(of: .blue, in: picture, stage), [[0, 0, 119, 99]], "pictures fit as before")
            view.setImage(with: test.url("b"), placeholder: placeholder, context: context) { _ in endings += 1 }
            test.loader.loads(of: test.url("b")).first?.fail(.scripted)
            iterate(until: { endings == 2 }, "the failure")
            XCTAssertEqual(area(of: .green, in: picture, stage), [[50, 30, 69, 69]])
            view.image = try Colour.blue.image(width: 10, height: 10)
            XCTAssertEqual(
                area(of: .blue, in: picture, stage), [[0, 0, 119, 99]], "a picture of the app is none of them")
        }
    }

    func testAColourFillsTheViewAndABlurHasThePlaceOfThePictureWhateverThePlaceholdersFit() throws {
        try onMainThread {
            try requireDisplay()
            let (picture, test) = (makePicture(.contain), TestStage())
            let stage = try shown(picture)
            defer { stage.close() }
            let view = PictureView(picture)
            view.placeholderContentFit = .always(.scaleDown)
            let red = RGBAColor(red: 255, green: 0, blue: 0)
            view.setImage(with: test.url("a"), placeholder: .color(red), context: test.context)
            XCTAssertEqual(area(of: .red, in: picture, stage), [[0, 0, 119, 99]])
            view.setImage(
                with: test.url("a"), placeholder: .blurHash("00TI:j", aspectRatio: 2), context: test.context)
            XCTAssertEqual(
                try XCTUnwrap(BlurHash("00TI:j")).averageColor, red, "the hash is that of the colour")
            XCTAssertEqual(area(of: .red, in: picture, stage), [[0, 20, 119, 79]])
            view.setImage(with: test.url("a"), placeholder: .blurHash("00TI:j"), context: test.context)
            XCTAssertEqual(area(of: .red, in: picture, stage), [[0, 0, 119, 99]], "without proportions")
            view.setImage(with: test.url("a"), placeholder: .cachedHash, context: test.context)
            XCTAssertEqual(area(of: .red, in: picture, stage), [[]], "there is none")
        }
    }

    func testAPlaceholderThatFitsInItsOwnWayKeepsItsSizeForTheLayout() throws {
        try onMainThread {
            try requireDisplay()
            let picture: Widget = gtk_picture_new()
            g_object_ref_sink(picture)
            defer { g_object_unref(picture) }
            PictureView(picture).image = try icon(32, for: picture)
            XCTAssertEqual(picture.extent(GTK_ORIENTATION_HORIZONTAL).natural, 32)
            XCTAssertEqual(picture.extent(GTK_ORIENTATION_VERTICAL).natural, 32)
        }
    }

    /// The fade begins with what was there: the icon in its place, in its colour.
    func testAPictureFadesInOverTheIconInItsPlace() throws {
        try onMainThread {
            try requireDisplay()
            let style = Style()
            defer { style.remove() }
            style.set("picture { color: #ff0000; }")
            let (picture, test) = (makePicture(.fill), TestStage())
            let stage = try shown(picture)
            defer { stage.close() }
            let view = PictureView(picture)
            view.imageTransition = .fade
            Coordinator.of(picture).display.time = { _ in 1_000_000 }
            view.setImage(with: test.url("a"), placeholder: try icon(32, for: picture), context: test.context)
            let before = area(of: .red, in: picture, stage)
            XCTAssertTrue(before.allSatisfy { $0.count == 4 })
            test.finish(test.url("a"), .blue)
            iterate(until: { view.display?.isAnimating == true }, "the fade")
            XCTAssertEqual(area(of: .red, in: picture, stage), before)
        }
    }

    func testAnIndicatorLiesInTheMiddleOfTheViewOverAnIcon() throws {
        try onMainThread {
            try requireDisplay()
            let (picture, test) = (makePicture(.cover), TestStage())
            let stage = try shown(picture)
            defer { stage.close() }
            let dot: Widget = gtk_picture_new()
            FixedSize.set(PointSize(width: 10, height: 10), of: dot)
            PictureView(dot).contentFit = .fill
            PictureView(dot).image = try Colour.green.image()
            let view = PictureView(picture)
            view.imageIndicator = CustomIndicator(dot)
            view.setImage(with: test.url("a"), placeholder: try icon(32, for: picture), context: test.context)
            XCTAssertEqual(area(of: .green, in: picture, stage), [[55, 45, 64, 54]])
        }
    }

    func testAnImagePutIntoACacheIsNoIconAnyMore() throws {
        try onMainThread {
            try requireDisplay()
            let picture: Widget = gtk_picture_new()
            g_object_ref_sink(picture)
            defer { g_object_unref(picture) }
            let icon = try icon(32, for: picture)
            XCTAssertNotNil(icon.icon)
            XCTAssertNil(Image(bitmap: icon.bitmap, scale: icon.scale).icon)
        }
    }
}
