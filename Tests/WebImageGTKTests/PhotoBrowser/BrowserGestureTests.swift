import CGtk4
import WebImage
import WebImageTestSupport
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Clicks, pinches and drags that follow each other quickly.
final class BrowserGestureTests: GTKTestCase, @unchecked Sendable {
    /// MW-32 A swipe that begins while a picture springs back to its smallest size does not leave it smaller.
    func testSwipeWhileSpringingBack() throws {
        try onFirstPicture { stage, input in
            input.beginPinch()
            input.pinch(by: 0.2, atX: 400, y: 300)
            input.endPinch()
            stage.animator.advance(to: 0.2)
            let zoom = try XCTUnwrap(stage.page?.zoom)
            XCTAssertLessThan(zoom.scale, zoom.limits.minimum)
            input.drag((-300, 0, 0.1), (-300, 0, 1), (0, 0, 2), (0, 0, 3))
            XCTAssertEqual(stage.settledIndex(), 0)
            XCTAssertEqual(stage.page?.zoom.scale, zoom.limits.minimum)
        }
    }

    /// MW-35 Control with the wheel ends an animated zoom: that does not overwrite it.
    func testWheelDuringZoom() throws {
        try onFirstPicture { stage, input in
            input.zoom(by: 2)
            stage.animator.advance(to: 0.5)
            input.scroll(0, -1, zooms: true)
            let scale = stage.page?.zoom.scale
            stage.animator.finishAll()
            XCTAssertEqual(stage.page?.zoom.scale, scale)
        }
    }

    /// MW-33 MW-34 The second click of a slow double click zooms, and the first one has not touched the controls.
    func testSlowDoubleClick() throws {
        try onFirstPicture { stage, input in
            input.click(400, 300)
            stage.clock.advance(by: .milliseconds(350))
            XCTAssertTrue(stage.browser.areControlsVisible)
            input.click(402, 300)
            stage.animator.finish()
            XCTAssertEqual(stage.page?.zoom.scale, (0.5 + 3) / 2)
            stage.clock.advance(by: .seconds(1))
            XCTAssertTrue(stage.browser.areControlsVisible)
        }
    }

    /// MW-33 What counts as a double click is the person's setting.
    func testDoubleClickSettings() throws {
        try onFirstPicture { stage, input in
            let settings = UnsafeMutableRawPointer(try XCTUnwrap(gtk_widget_get_settings(stage.window)))
                .assumingMemoryBound(to: GObject.self)
            set("gtk-double-click-time", to: 900, of: settings)
            set("gtk-double-click-distance", to: 30, of: settings)
            defer {
                set("gtk-double-click-time", to: 400, of: settings)
                set("gtk-double-click-distance", to: 5, of: settings)
            }
            input.click(400, 300)
            stage.clock.advance(by: .milliseconds(850))
            XCTAssertTrue(stage.browser.areControlsVisible)
            input.click(425, 300)
            stage.animator.finish()
            XCTAssertEqual(stage.page?.zoom.scale, (0.5 + 3) / 2)
        }
    }

    @MainActor
    private func set(_ name: String, to number: gint, of object: UnsafeMutablePointer<GObject>) {
        var value = GValue()
        g_value_init(&value, g_type_from_name("gint"))
        g_value_set_int(&value, number)
        g_object_set_property(object, name, &value)
        g_value_unset(&value)
    }
}
