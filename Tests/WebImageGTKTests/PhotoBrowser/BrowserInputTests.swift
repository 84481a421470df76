import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Fingers, wheel and keys on a browser's pages.
final class BrowserInputTests: GTKTestCase, @unchecked Sendable {
    /// MW-30 A swipe turns the page, hides the controls, and comes to rest at one page.
    func testSwipe() throws {
        try onFirstPicture { stage, input in
            input.beginDrag(to: -200, 5, at: 0.1)
            XCTAssertEqual(stage.deck.position.position, 200.0 / 820, accuracy: 0.001)
            XCTAssertFalse(stage.browser.areControlsVisible)
            input.updateDrag(-300, 5, at: 0.2)
            input.endDrag(-300, 5)
            stage.animator.finish()
            XCTAssertEqual(stage.browser.currentIndex, 1)
            XCTAssertTrue(stage.deck.position.isAtRest)
        }
    }

    /// MW-30 The release of a finger that has moved something is no click.
    func testDragIsNoClick() throws {
        try onFirstPicture { stage, input in
            input.beginDrag(to: -300, 0, at: 0.1)
            input.click(100, 300)
            input.endDrag(-300, 0, at: 0.2)
            stage.animator.finish()
            stage.clock.advance(by: .seconds(1))
            XCTAssertFalse(stage.browser.areControlsVisible)
        }
    }

    /// A finger that rests before it lets go has no speed.
    func testRest() throws {
        try onFirstPicture { stage, input in
            input.beginDrag(to: -20, 0, at: 0.01)
            input.updateDrag(-60, 0, at: 0.02)
            input.endDrag(-60, 0, at: 2)
            stage.animator.finish()
            XCTAssertEqual(stage.browser.currentIndex, 0)
        }
    }

    /// MW-30 A finger that stops and lets go before the middle turns nothing.
    func testShortDrag() throws {
        try onFirstPicture { stage, input in
            input.drag((-200, 0, 0.1), (-200, 0, 1))
            stage.animator.finish()
            XCTAssertEqual(stage.browser.currentIndex, 0)
        }
    }

    /// MW-31 A picture that was not zoomed does not move, so that swipes turn pages; a zoomed one moves, to its edge.
    func testPanOrTurn() throws {
        try onFirstPicture { stage, input in
            let before = try stage.zoom(by: 3)
            input.beginDrag(to: -100, 0, at: 0.1)
            XCTAssertEqual(stage.page?.zoom.frame.x, before.x - 100)
            XCTAssertEqual(stage.deck.position.position, 0)
            input.updateDrag(-100, 0, at: 1)
            input.endDrag(-100, 0)
            stage.animator.finishAll()
            // From the right edge, a swipe turns the page.
            input.drag((-5000, 0, 2), (-5000, 0, 3))
            XCTAssertEqual(stage.settledIndex(), 0)
            input.drag((-500, 0, 4))
            XCTAssertEqual(stage.settledIndex(), 1)
        }
    }

    /// S2-6 A vertical long picture is read by scrolling, before any zoom.
    func testLongPicture() throws {
        try onFirstPicture(width: 800, height: 16_000) { stage, input in
            input.scroll(0, 2, zooms: false)
            XCTAssertEqual(stage.page?.zoom.frame.y, -120)
            input.beginDrag(to: 0, -200, at: 0.1)
            XCTAssertEqual(stage.page?.zoom.frame.y, -320)
            input.updateDrag(0, -200, at: 1)
            input.endDrag(0, -200)
            XCTAssertEqual(stage.settledIndex(), 0)
        }
    }

    /// A pan that ends quickly goes on for a while.
    func testKineticPan() throws {
        try onFirstPicture { stage, input in
            let before = try stage.zoom(by: 4)
            input.drag((-20, -20, 0.01), (-60, -60, 0.05))
            stage.animator.finish()
            let after = try XCTUnwrap(stage.page?.zoom.frame)
            XCTAssertLessThan(after.x, before.x - 150)
            XCTAssertLessThan(after.y, before.y - 150)
        }
    }

    /// MW-35 A pinch zooms about the fingers, beyond the limits for its time, and holds the controls.
    func testPinch() throws {
        try onFirstPicture { stage, input in
            input.beginPinch()
            stage.clock.advance(by: .seconds(60))
            XCTAssertTrue(stage.browser.areControlsVisible)
            try assertStays(atX: 250, y: 200, of: stage.browser) { input.pinch(by: 3, atX: 250, y: 200) }
            XCTAssertEqual(stage.page?.zoom.scale, 1.5)
            input.pinch(by: 100, atX: 0, y: 0)
            XCTAssertGreaterThan(try XCTUnwrap(stage.page?.zoom.scale), 3)
            input.endPinch()
            stage.animator.finish()
            XCTAssertEqual(stage.page?.zoom.scale, 3)
            stage.clock.advance(by: .seconds(5))
            XCTAssertFalse(stage.browser.areControlsVisible)
        }
    }

    /// The wheel turns pages, zooms about the pointer with Control, and is added up where it turns by parts.
    func testWheel() throws {
        try onFirstPicture { stage, input in
            input.movePointer(200, 250)
            input.scroll(0, -1, zooms: true)
            XCTAssertEqual(stage.page?.zoom.scale, 0.5 * 1.25)
            input.scroll(0, 1, zooms: true)
            // So far that the picture is higher than the view, too.
            try assertStays(atX: 200, y: 250, of: stage.browser) { input.scroll(0, -4, zooms: true) }
            input.scroll(0, 4, zooms: true)
            for _ in 0..<4 { input.scroll(0, 0.25, zooms: false) }
            stage.animator.finish()
            XCTAssertEqual(stage.browser.currentIndex, 1)
            input.scroll(0, -1, zooms: false)
            stage.animator.finish()
            XCTAssertEqual(stage.browser.currentIndex, 0)
        }
    }

    /// All of the browser works by keys.
    func testKeys() throws {
        try onFirstPicture { stage, input in
            for (key, index) in [
                (GDK_KEY_Right, 1), (GDK_KEY_Page_Down, 2), (GDK_KEY_Left, 1), (GDK_KEY_End, 3), (GDK_KEY_Right, 3),
                (GDK_KEY_Home, 0), (GDK_KEY_Left, 0), (GDK_KEY_space, 1), (GDK_KEY_BackSpace, 0),
            ] {
                XCTAssertTrue(input.press(key))
                XCTAssertEqual(stage.settledIndex(), index)
            }
            iterate(until: { stage.page?.hasPicture == true }, "the photo is there again, from the disk")
            for (key, scale) in [(GDK_KEY_plus, 0.625), (GDK_KEY_1, 1), (GDK_KEY_minus, 0.8), (GDK_KEY_0, 0.5)] {
                XCTAssertTrue(input.press(key))
                stage.animator.finishAll()
                XCTAssertEqual(try XCTUnwrap(stage.page?.zoom.scale), scale, accuracy: 1e-9)
            }
            XCTAssertTrue(input.press(GDK_KEY_r))
            XCTAssertEqual(stage.page?.quarterTurns, 1)
            XCTAssertFalse(input.press(GDK_KEY_z))
        }
    }

    /// While a picture is zoomed, the arrows move it as far as it goes, and turn the page then; with Control they turn
    /// always.
    func testArrowsOfZoomedPicture() throws {
        try onFirstPicture { stage, input in
            let start = try stage.zoom(by: 1.1)
            XCTAssertEqual(start.x, -40, accuracy: 1e-6)
            XCTAssertTrue(input.press(GDK_KEY_Left))
            stage.animator.finish()
            XCTAssertEqual(stage.page?.zoom.frame.x, 0)
            XCTAssertTrue(input.press(GDK_KEY_Right))
            stage.animator.finish()
            XCTAssertTrue(input.press(GDK_KEY_Right))
            stage.animator.finish()
            XCTAssertEqual(stage.page?.zoom.frame.x ?? 0, -80, accuracy: 1e-6)
            XCTAssertEqual(stage.browser.currentIndex, 0)
            XCTAssertTrue(input.press(GDK_KEY_Right))
            XCTAssertEqual(stage.settledIndex(), 1)
            for (key, modifiers) in [
                (GDK_KEY_Right, GDK_CONTROL_MASK), (GDK_KEY_Page_Down, GdkModifierType(rawValue: 0)),
            ] {
                stage.browser.setCurrentPhotoIndex(0)
                input.zoom(by: 3)
                stage.animator.finishAll()
                XCTAssertTrue(input.press(key, modifiers))
                XCTAssertEqual(stage.settledIndex(), 1)
            }
        }
    }

    /// Keys that mean something to the app or the desktop are theirs; Caps Lock changes nothing.
    func testForeignKeys() throws {
        try onFirstPicture { stage, input in
            XCTAssertFalse(input.press(GDK_KEY_Escape), "there is nothing to close")
            for modifier in [GDK_ALT_MASK, GDK_SUPER_MASK] {
                XCTAssertFalse(input.press(GDK_KEY_Right, modifier))
            }
            XCTAssertEqual(stage.browser.currentIndex, 0)
            XCTAssertTrue(input.press(GDK_KEY_R, GDK_LOCK_MASK))
            XCTAssertEqual(stage.page?.quarterTurns, 1)
            XCTAssertFalse(input.press(GDK_KEY_R, GDK_SHIFT_MASK))
        }
    }

    /// If text runs from right to left, so do the pages.
    func testRightToLeft() throws {
        try onFirstPicture {
            gtk_widget_set_direction($0.browser.pages.stage, GTK_TEXT_DIR_RTL)
        } test: { stage, input in
            XCTAssertTrue(input.press(GDK_KEY_Left))
            stage.animator.finish()
            XCTAssertEqual(stage.browser.currentIndex, 1)
            input.beginDrag(to: 300, 0, at: 0.1)
            XCTAssertGreaterThan(stage.deck.position.position, 1.2)
            XCTAssertLessThan(stage.deck.x(of: try XCTUnwrap(stage.deck.visiblePages.last)), 0)
            input.updateDrag(500, 0, at: 0.2)
            input.endDrag(500, 0)
            stage.animator.finish()
            XCTAssertEqual(stage.browser.currentIndex, 2)
        }
    }

    /// S2-20 Closing is not ignored during a handoff: the picture flies back from there.
    func testClosedWhileHeld() throws {
        try onPresentedBrowser { stage in
            load(in: stage, width: 8000, height: 600)
            stage.animator.advance(to: 0.5)
            let (input, page) = (try XCTUnwrap(stage.browser.input), try XCTUnwrap(stage.page))
            XCTAssertTrue(page.inputIsHeld)
            XCTAssertTrue(input.press(GDK_KEY_Right))
            XCTAssertTrue(stage.browser.isPresented)
            XCTAssertTrue(input.press(GDK_KEY_Escape))
            XCTAssertFalse(stage.browser.isPresented)
            XCTAssertFalse(page.inputIsHeld)
            XCTAssertNil(page.helper)
            XCTAssertTrue(stage.browser.pages.flight.isRunning)
            stage.animator.finishAll()
            XCTAssertFalse(stage.browser.screen.isTaken)
            XCTAssertEqual(opacity(stage, 0), 1)
            XCTAssertEqual(stage.browser.currentIndex, 0)
        }
    }

    /// S2-20 All other input during a handoff is ignored.
    func testHeld() throws {
        try onBrowser(3) {
            $0.app.thumbnails[0] = Photo(image: try Colour.blue.image(width: 300, height: 225))
        } test: { stage in
            awaitLoad(in: stage)
            stage.finish(0, width: 8000, height: 600)
            iterate(until: { stage.page?.inputIsHeld == true }, "the handoff has begun")
            let input = try XCTUnwrap(stage.browser.input)
            let scale = stage.page?.zoom.scale
            XCTAssertTrue(input.press(GDK_KEY_Right))
            input.scroll(0, 1, zooms: false)
            input.zoom(by: 2)
            input.click(10, 10)
            input.click(10, 10)
            input.drag((-300, 0, 0.1))
            XCTAssertEqual(stage.page?.zoom.scale, scale)
            XCTAssertEqual(stage.browser.currentIndex, 0)
            stage.animator.finishAll()
            XCTAssertTrue(input.press(GDK_KEY_Right))
            XCTAssertEqual(stage.settledIndex(), 1)
        }
    }
}
