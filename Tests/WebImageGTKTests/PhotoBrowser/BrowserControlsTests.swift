import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The bars of a browser: their buttons, their texts, and the time after which they hide.
final class BrowserControlsTests: GTKTestCase, @unchecked Sendable {
    @MainActor
    private func isVisible(_ command: BrowserControls.Command, _ stage: BrowserStage) -> Bool {
        stage.browser.panels.controls.button(of: command).map { gtk_widget_get_mapped($0) != 0 } ?? false
    }

    @MainActor
    private func title(_ stage: BrowserStage) -> String {
        String(cString: gtk_label_get_text(OpaquePointer(stage.browser.panels.controls.title)))
    }

    /// MW-41 The signs of a page go while it moves, and are those of the page that comes to rest.
    func testStatusOfMovingPages() throws {
        try onBrowser(3) { stage in
            awaitLoad(in: stage)
            stage.fail(0)
            awaitComplaint(in: stage)
            let input = try XCTUnwrap(stage.browser.input)
            input.beginDrag(to: -100, 0, at: 0.1)
            XCTAssertEqual(stage.browser.pages.status.content, .none)
            input.updateDrag(-500, 0, at: 0.2)
            XCTAssertEqual(stage.browser.pages.status.content, .none)
            input.endDrag(-500, 0)
            XCTAssertEqual(stage.settledIndex(), 1)
            iterate(until: { stage.browser.pages.status.content == .loading(nil) }, "the sign of the next page")
        }
    }

    /// MW-11 MW-37 The controls hide after five seconds, or after the app's delay.
    func testDelay() throws {
        try onBrowser(3) { stage in
            stage.clock.advance(by: .seconds(4.9))
            XCTAssertTrue(stage.browser.areControlsVisible)
            stage.clock.advance(by: .seconds(0.2))
            XCTAssertFalse(stage.browser.areControlsVisible)
            XCTAssertNotEqual(gtk_widget_has_css_class(stage.browser.panels.controls.top, "away"), 0)
            XCTAssertEqual(gtk_widget_get_can_target(stage.browser.panels.controls.bottom), 0)
            stage.browser.delayToHideElements = .seconds(1)
            stage.browser.showControls()
            stage.clock.advance(by: .seconds(1))
            XCTAssertFalse(stage.browser.areControlsVisible)
        }
    }

    /// MW-37 Controls that were hidden stay so when the browser is seen again.
    func testHiddenStay() throws {
        try onBrowser(3) { stage in
            stage.browser.hideControls()
            gtk_widget_set_visible(stage.window, 0)
            stage.show()
            iterate(until: { gtk_widget_get_mapped(stage.browser.widget) != 0 }, "the browser is seen again")
            XCTAssertFalse(stage.browser.areControlsVisible)
        }
    }

    /// MW-6 MW-37 Controls that are to stay do so, and so do those of a browser without photos.
    func testStaying() throws {
        for count in [0, 3] {
            try onBrowser(count) {
                $0.browser.alwaysShowControls = count > 0
            } test: { stage in
                stage.clock.advance(by: .seconds(100))
                stage.browser.hideControls()
                XCTAssertTrue(stage.browser.areControlsVisible)
            }
        }
    }

    /// MW-34 A click hides or shows the controls after the time in which it could become a double click.
    func testClick() throws {
        try onBrowser(3) { stage in
            stage.browser.input?.click(10, 10)
            stage.clock.advance(by: .milliseconds(399))
            XCTAssertTrue(stage.browser.areControlsVisible)
            stage.clock.advance(by: .milliseconds(1))
            XCTAssertFalse(stage.browser.areControlsVisible)
            stage.browser.input?.click(10, 10)
            stage.clock.advance(by: .milliseconds(400))
            XCTAssertTrue(stage.browser.areControlsVisible)
        }
    }

    /// MW-33 MW-34 A second click in time zooms about the pointer, and the controls stay as they are.
    func testDoubleClick() throws {
        try onBrowser(3) { stage in
            load(in: stage)
            try assertStays(atX: 250, y: 200, of: stage.browser) {
                stage.browser.input?.click(250, 200)
                stage.browser.input?.click(250, 200)
                stage.clock.advance(by: .seconds(1))
                XCTAssertTrue(stage.browser.areControlsVisible)
                stage.animator.finish()
            }
            XCTAssertEqual(stage.page?.zoom.scale, (0.5 + 3) / 2)
        }
    }

    /// MW-3 The arrows are there when asked for, with several photos, and are disabled at the ends.
    func testArrows() throws {
        try onBrowser(3) { stage in
            XCTAssertFalse(isVisible(.next, stage))
            stage.browser.displayNavArrows = true
            iterate(until: { isVisible(.next, stage) && isVisible(.previous, stage) }, "the arrows are visible")
            let previous = try XCTUnwrap(stage.browser.panels.controls.button(of: .previous))
            XCTAssertEqual(gtk_widget_get_sensitive(previous), 0)
            press(try XCTUnwrap(stage.browser.panels.controls.button(of: .next)))
            XCTAssertEqual(stage.browser.currentIndex, 1)
            XCTAssertEqual(gtk_widget_get_sensitive(previous), 1)
            stage.app.photos.removeLast(2)
            stage.browser.reloadData()
            XCTAssertFalse(stage.browser.panels.controls.content.hasArrows)
        }
    }

    /// MW-4 MW-23 MW-40 The button for actions waits for the picture, asks the delegate, and opens a menu otherwise.
    func testActions() throws {
        try onBrowser(3) {
            $0.app.handlesAction = true
        } test: { stage in
            let button = try XCTUnwrap(stage.browser.panels.controls.button(of: .action))
            XCTAssertEqual(gtk_widget_get_sensitive(button), 0)
            awaitLoad(in: stage)
            stage.finish(0)
            iterate(until: { gtk_widget_get_sensitive(button) != 0 }, "the button is enabled")
            _ = stage.app.takeEvents()
            press(button)
            XCTAssertEqual(stage.app.takeEvents(), ["action 0"])
            XCTAssertNil(stage.browser.panels.menu)
            stage.app.handlesAction = false
            press(button)
            XCTAssertNotNil(stage.browser.panels.menu)
            stage.browser.displayActionButton = false
            XCTAssertFalse(stage.browser.panels.controls.content.hasAction)
        }
    }

    /// MW-5 MW-13 MW-24 MW-43 The selection is the delegate's; the button toggles it and shows it with the app's icon.
    func testSelection() throws {
        try onBrowser(3) {
            $0.browser.displaySelectionButtons = true
            $0.browser.customImageSelectedIconName = "starred-symbolic"
            $0.app.selected = [1]
        } test: { stage in
            let button = try XCTUnwrap(stage.browser.panels.controls.button(of: .toggleSelection))
            @MainActor func icon() -> String? {
                gtk_button_get_icon_name(button.of(GtkButton.self)).map { String(cString: $0) }
            }
            XCTAssertEqual(icon(), "radio-symbolic")
            _ = stage.app.takeEvents()
            press(button)
            XCTAssertEqual(stage.app.takeEvents(), ["select 0 true"])
            XCTAssertEqual(icon(), "starred-symbolic")
            press(button)
            XCTAssertEqual(stage.app.takeEvents(), ["select 0 false"])
            stage.browser.setCurrentPhotoIndex(1)
            XCTAssertEqual(icon(), "starred-symbolic")
            stage.browser.customImageSelectedIconName = "emblem-favorite-symbolic"
            XCTAssertEqual(icon(), "emblem-favorite-symbolic")
            stage.browser.customImageSelectedIconName = nil
            XCTAssertEqual(icon(), "object-select-symbolic")
        }
    }

    /// MW-21 MW-39 The title counts, is the delegate's where that has one, and is empty for a single photo.
    func testTitle() throws {
        try onBrowser(3) {
            $0.app.titles = [1: "Ada"]
        } test: { stage in
            XCTAssertEqual(title(stage), "1 of 3")
            stage.browser.setCurrentPhotoIndex(1)
            XCTAssertEqual(title(stage), "Ada")
            stage.app.photos.removeLast(2)
            stage.browser.reloadData()
            XCTAssertEqual(title(stage), "")
        }
    }

    /// MW-20 MW-42 The caption is that of the photo, or a widget of the delegate's; without either there is none.
    func testCaption() throws {
        try onBrowser(3) {
            $0.app.photos[0].caption = "A caption"
            $0.app.captions = [1: "The app's own"]
        } test: { stage in
            @MainActor func text() -> String? {
                stage.browser.panels.controls.caption.map { String(cString: gtk_label_get_text(OpaquePointer($0))) }
            }
            XCTAssertEqual(text(), "A caption")
            stage.browser.setCurrentPhotoIndex(1)
            XCTAssertEqual(text(), "The app's own")
            stage.browser.setCurrentPhotoIndex(2)
            XCTAssertNil(text())
            stage.browser.setCurrentPhotoIndex(0)
            XCTAssertEqual(text(), "A caption")
        }
    }

    /// MW-42 A caption is white, of 17 points, in the middle, 10 points from the sides of its bar, which is translucent; it
    /// is as wide as the browser at most, and has as many lines as it needs.
    func testLooksOfCaption() throws {
        try onBrowser(1) {
            $0.app.photos[0].caption = String(repeating: "many words ", count: 100)
        } test: { stage in
            let caption = try XCTUnwrap(stage.browser.panels.controls.caption)
            iterate(until: { gtk_widget_get_height(caption) > 100 }, "the caption is laid out")
            XCTAssertLessThanOrEqual(gtk_widget_get_width(caption), 800)
            XCTAssertEqual(gtk_label_get_justify(OpaquePointer(caption)), GTK_JUSTIFY_CENTER)
            let style = gtk_widget_get_style_context(caption)
            var (colour, padding) = (GdkRGBA(), GtkBorder())
            gtk_style_context_get_color(style, &colour)
            XCTAssertEqual([colour.red, colour.green, colour.blue, colour.alpha], [1, 1, 1, 1])
            gtk_style_context_get_padding(style, &padding)
            XCTAssertEqual([padding.left, padding.right, padding.top, padding.bottom], [10, 10, 10, 10])
            let font = pango_context_get_font_description(gtk_widget_get_pango_context(caption))
            XCTAssertEqual(Double(pango_font_description_get_size(font)) / Double(PANGO_SCALE), 17, accuracy: 0.01)
            XCTAssertNotEqual(pango_font_description_get_size_is_absolute(font), 0)
            let bar = try XCTUnwrap(gtk_widget_paintable_new(stage.browser.panels.controls.bottom))
            defer { g_object_unref(UnsafeMutableRawPointer(bar)) }
            let height = Int(gtk_widget_get_height(stage.browser.panels.controls.bottom))
            let corner = Rendering(bar, width: 800, height: height).colour(x: 2, y: 2)
            assertEqual(corner, Colour(red: 0, green: 0, blue: 0, alpha: 128))
        }
    }

    /// MW-38 A toolbar with nothing but the button for actions is not shown; that is in the title bar then.
    func testEmptyToolbar() throws {
        try onBrowser(3) { stage in
            let (top, bottom) = (stage.browser.panels.controls.top, stage.browser.panels.controls.bottom)
            let action = try XCTUnwrap(stage.browser.panels.controls.button(of: .action))
            XCTAssertEqual(gtk_widget_get_visible(bottom), 0)
            XCTAssertNotEqual(gtk_widget_is_ancestor(action, top), 0)
            stage.browser.displayNavArrows = true
            XCTAssertNotEqual(gtk_widget_get_visible(bottom), 0)
            XCTAssertNotEqual(gtk_widget_is_ancestor(action, bottom), 0)
        }
    }

    /// MW-38 From its left side, the toolbar has the grid, the two arrows and the actions, with the same space between them. It is
    /// as high in a narrow window as in a wide one, and no lower than the original's.
    func testToolbar() throws {
        try onBrowser(3) {
            $0.app.thumbnails[0] = $0.app.photos[0]
            $0.browser.enableGrid = true
            $0.browser.displayNavArrows = true
        } test: { stage in
            let controls = stage.browser.panels.controls
            iterate(until: { gtk_widget_get_height(controls.bottom) > 0 }, "the toolbar is laid out")
            let heights = [Int32(360), 1600].map { width in
                var height: Int32 = 0
                gtk_widget_measure(controls.bottom, GTK_ORIENTATION_VERTICAL, width, nil, &height, nil, nil)
                return height
            }
            XCTAssertEqual(heights[0], heights[1])
            XCTAssertGreaterThanOrEqual(heights[0], 44)
            let commands: [BrowserControls.Command] = [.toggleGrid, .previous, .next, .action]
            let buttons = try commands.map { try XCTUnwrap(controls.button(of: $0)) }
            var places: [ClosedRange<Double>] = []
            for button in buttons {
                XCTAssertNotEqual(gtk_widget_is_ancestor(button, controls.bottom), 0)
                var bounds = graphene_rect_t()
                XCTAssertNotEqual(gtk_widget_compute_bounds(button, controls.bottom, &bounds), 0)
                places.append(Double(bounds.origin.x)...Double(bounds.origin.x + bounds.size.width))
            }
            let gaps = zip(places, places.dropFirst()).map { $1.lowerBound - $0.upperBound }
            XCTAssertGreaterThan(gaps.min() ?? 0, 20)
            XCTAssertLessThanOrEqual((gaps.max() ?? 0) - (gaps.min() ?? 0), 1)
            let width = Double(gtk_widget_get_width(controls.bottom))
            XCTAssertEqual(places.first?.lowerBound ?? 0, width - (places.last?.upperBound ?? 0), accuracy: 1)
        }
    }

    /// MW-38 The button for actions is the rightmost one of the title bar where the toolbar would be empty; without it, there is
    /// nothing left.
    func testNothingLeft() throws {
        try onBrowser(3) { stage in
            let controls = stage.browser.panels.controls
            let action = try XCTUnwrap(controls.button(of: .action))
            iterate(until: { gtk_widget_get_width(action) > 0 }, "the title bar is laid out")
            var bounds = graphene_rect_t()
            XCTAssertNotEqual(gtk_widget_compute_bounds(action, controls.top, &bounds), 0)
            XCTAssertEqual(
                Double(bounds.origin.x + bounds.size.width), Double(gtk_widget_get_width(controls.top)), accuracy: 1
            )
            stage.browser.displayActionButton = false
            XCTAssertEqual(gtk_widget_get_visible(action), 0)
            XCTAssertEqual(gtk_widget_get_visible(controls.bottom), 0)
            stage.browser.displayNavArrows = true
            XCTAssertNotEqual(gtk_widget_get_visible(controls.bottom), 0)
            XCTAssertEqual(gtk_widget_get_visible(action), 0)
        }
    }

    /// Screen readers hear what the page shows, and every button has a name.
    func testNames() throws {
        try onBrowser(3) {
            $0.app.photos[0].caption = "Ada"
        } test: { stage in
            XCTAssertNotEqual(webimage_is_called(stage.browser.pages.stage, "Ada, 1 of 3"), 0)
            stage.browser.setCurrentPhotoIndex(1)
            XCTAssertNotEqual(webimage_is_called(stage.browser.pages.stage, "1.jpg, 2 of 3"), 0)
            let next = try XCTUnwrap(stage.browser.panels.controls.button(of: .next))
            XCTAssertNotEqual(webimage_is_called(next, "Next photo"), 0)
        }
    }
}
