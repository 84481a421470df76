import CGtk4
import WebImage
import WebImageTestLoads
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
            stage.window.setSetting("gtk-double-click-time", to: 900)
            stage.window.setSetting("gtk-double-click-distance", to: 30)
            defer {
                stage.window.setSetting("gtk-double-click-time", to: 400)
                stage.window.setSetting("gtk-double-click-distance", to: 5)
            }
            input.click(400, 300)
            stage.clock.advance(by: .milliseconds(850))
            XCTAssertTrue(stage.browser.areControlsVisible)
            input.click(425, 300)
            stage.animator.finish()
            XCTAssertEqual(stage.page?.zoom.scale, (0.5 + 3) / 2)
        }
    }
}
