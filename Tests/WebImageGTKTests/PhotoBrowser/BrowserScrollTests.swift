import CGtk4
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The wheel and touchpads over a browser's pages.
final class BrowserScrollTests: GTKTestCase, @unchecked Sendable {
    @MainActor
    private func swipe(_ input: BrowserInput, _ x: Double, _ y: Double, times: Int = 1) {
        for _ in 0..<times { input.scroll(x / 60, y / 60, zooms: false, isTouchpad: true) }
    }

    /// A picture that is larger than the view by some points takes the notch that brings its edge into view; the next one
    /// turns the page.
    func testSmallOverflow() throws {
        try onFirstPicture(width: 1600, height: 1220) { stage, input in
            XCTAssertEqual(stage.page?.zoom.frame.size.height, 610)
            input.scroll(0, 1, zooms: false)
            XCTAssertEqual(stage.page?.zoom.frame.y, -10)
            XCTAssertEqual(stage.settledIndex(), 0)
            input.scroll(0, 1, zooms: false)
            XCTAssertEqual(stage.settledIndex(), 1)
        }
    }

    /// S2-6 A long picture is read to its end, and a further notch turns the page; parts of notches are added up.
    func testEndOfLongPicture() throws {
        try onFirstPicture(width: 800, height: 16_000) { stage, input in
            input.scroll(0, 1000, zooms: false)
            XCTAssertEqual(stage.page?.zoom.frame.y, 600 - 16_000)
            XCTAssertEqual(stage.settledIndex(), 0)
            input.scroll(0, 0.5, zooms: false)
            XCTAssertEqual(stage.settledIndex(), 0)
            input.scroll(0, 0.5, zooms: false)
            XCTAssertEqual(stage.settledIndex(), 1)
        }
    }

    /// One swipe of a touchpad turns one page, however long it is; the next swipe turns the next one.
    func testOneSwipeOnePage() throws {
        try onFirstPicture { stage, input in
            for index in 1...2 {
                input.beginSwipe()
                for _ in 0..<10 {
                    swipe(input, 40, 0)
                    stage.animator.finishAll()
                }
                input.endSwipe()
                XCTAssertEqual(stage.browser.currentIndex, index)
            }
            // Without a word about its end, a pause is one.
            swipe(input, 40, 0, times: 10)
            XCTAssertEqual(stage.settledIndex(), 3)
            swipe(input, -40, 0, times: 10)
            XCTAssertEqual(stage.settledIndex(), 3)
            stage.clock.advance(by: BrowserInput.swipePause)
            swipe(input, -40, 0, times: 10)
            XCTAssertEqual(stage.settledIndex(), 2)
        }
    }

    /// A swipe moves a zoomed picture, with soft edges, and goes on for a while after a quick end.
    func testPan() throws {
        try onFirstPicture { stage, input in
            let start = try stage.zoom(by: 4)
            input.beginSwipe()
            swipe(input, 10, 0, times: 10)
            XCTAssertEqual(stage.page?.zoom.frame.x ?? 0, start.x - 100, accuracy: 1e-6)
            input.endSwipe()
            input.decelerate(800, 0)
            stage.animator.finishAll()
            XCTAssertEqual(stage.page?.zoom.frame.x ?? 0, start.x - 300, accuracy: 1e-6)
            input.beginSwipe()
            swipe(input, 100, 0, times: 20)
            let edge = 800 - start.size.width
            XCTAssertLessThan(try XCTUnwrap(stage.page?.zoom.frame.x), edge - 10)
            // The fingers that have begun to move the picture go on doing so.
            XCTAssertEqual(stage.browser.currentIndex, 0)
            input.endSwipe()
            stage.animator.finishAll()
            XCTAssertEqual(stage.page?.zoom.frame.x ?? 0, edge, accuracy: 1e-6)
            input.beginSwipe()
            swipe(input, 10, 0, times: 10)
            XCTAssertEqual(stage.settledIndex(), 1)
        }
    }

    /// A picture beyond its edge springs back also where the device does not tell the end of a swipe.
    func testNoEnd() throws {
        try onFirstPicture(width: 800, height: 16_000) { stage, input in
            swipe(input, 0, 10)
            swipe(input, 0, -100)
            XCTAssertGreaterThan(try XCTUnwrap(stage.page?.zoom.frame.y), 10)
            stage.clock.advance(by: BrowserInput.swipePause)
            stage.animator.finishAll()
            XCTAssertEqual(stage.page?.zoom.frame.y, 0)
        }
    }

    /// GTK is asked for the speed at the end of a swipe.
    func testKineticController() throws {
        try onFirstPicture { stage, _ in
            let controllers = gtk_widget_observe_controllers(stage.browser.pages.widget)
            defer { g_object_unref(UnsafeMutableRawPointer(controllers)) }
            let flags = (0..<g_list_model_get_n_items(controllers)).compactMap { index -> UInt32? in
                guard let item = g_list_model_get_item(controllers, index) else { return nil }
                defer { g_object_unref(item) }
                guard item.isInstance(of: gtk_event_controller_scroll_get_type()) else { return nil }
                return gtk_event_controller_scroll_get_flags(OpaquePointer(item)).rawValue
            }
            XCTAssertEqual(flags.map { $0 & GTK_EVENT_CONTROLLER_SCROLL_KINETIC.rawValue != 0 }, [true])
        }
    }

    /// MW-30 MW-35 A pointer that moves shows the controls, but not in the drag that has hidden them.
    func testMotionInDrag() throws {
        try onFirstPicture { stage, input in
            input.beginDrag(to: -200, 0, at: 0.1)
            input.movePointer(200, 300)
            XCTAssertFalse(stage.browser.areControlsVisible)
            input.endDrag(-200, 0, at: 0.2)
            stage.animator.finishAll()
            input.movePointer(201, 300)
            XCTAssertTrue(stage.browser.areControlsVisible)
        }
    }
}
