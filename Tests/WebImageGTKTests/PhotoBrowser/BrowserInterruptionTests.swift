import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// A finger that is on a page while something else turns, reloads or closes it.
final class BrowserInterruptionTests: GTKTestCase, @unchecked Sendable {
    /// Runs `body` with a presented browser of three photos, whose first one is there.
    private func onPresentedPhoto(_ body: @MainActor (BrowserStage, BrowserInput) throws -> Void) throws {
        try onPresentedBrowser { stage in
            load(in: stage)
            stage.animator.finishAll()
            try body(stage, try XCTUnwrap(stage.browser.input))
        }
    }

    /// How a neighbour that is there begins.
    @MainActor
    private func beginningOfNeighbour(_ stage: BrowserStage) throws -> PhotoZoom {
        load(1, in: stage)
        return try XCTUnwrap(stage.deck.pages[1]?.zoom)
    }

    /// A browser that is closed by a key or by the app while a finger drags its picture down goes, whatever the finger does.
    func testClosedDuringDismissDrag() throws {
        try onPresentedPhoto { stage, input in
            input.beginDrag(to: 0, 80, at: 0.1)
            XCTAssertTrue(stage.browser.pages.flight.isDragging)
            stage.browser.dismiss()
            input.updateDrag(0, 90, at: 0.2)
            XCTAssertFalse(stage.browser.pages.flight.isDragging)
            input.endDrag(0, 90, at: 0.3)
            stage.animator.finishAll()
            XCTAssertFalse(stage.browser.screen.isTaken)
            XCTAssertEqual(opacity(stage, 0), 1)
        }
    }

    /// The same while it turns the page: the page that leaves does not move any more.
    func testClosedDuringSwipe() throws {
        try onPresentedPhoto { stage, input in
            input.beginDrag(to: -200, 0, at: 0.1)
            stage.browser.dismiss()
            input.updateDrag(-700, 0, at: 0.2)
            XCTAssertTrue(stage.deck.position.isAtRest)
            input.endDrag(-700, 0, at: 0.3)
            stage.animator.finishAll()
            XCTAssertFalse(stage.browser.screen.isTaken)
            XCTAssertEqual(stage.browser.currentIndex, 0)
        }
    }

    /// A turn by a key or by the app ends a swipe, a pan, and a pinch: the next page begins in its own place.
    func testTurnedDuringDrag() throws {
        try onPresentedPhoto { stage, input in
            let fresh = try beginningOfNeighbour(stage)
            input.zoom(by: 3)
            stage.animator.finishAll()
            input.beginDrag(to: -30, 0, at: 0.1)
            stage.browser.setCurrentPhotoIndex(1)
            input.updateDrag(-60, 0, at: 0.2)
            XCTAssertEqual(stage.page?.zoom, fresh)
            input.endDrag(-60, 0, at: 0.3)
            stage.animator.finishAll()
            XCTAssertEqual(stage.browser.currentIndex, 1)
            XCTAssertEqual(stage.page?.zoom, fresh)
            input.beginDrag(to: 300, 0, at: 0.4)
            stage.browser.showNextPhoto(animated: false)
            input.updateDrag(400, 0, at: 0.5)
            XCTAssertEqual(stage.deck.position.position, 2)
        }
    }

    func testTurnedDuringPinch() throws {
        try onPresentedPhoto { stage, input in
            let fresh = try beginningOfNeighbour(stage)
            input.beginPinch()
            input.pinch(by: 2, atX: 100, y: 100)
            stage.browser.setCurrentPhotoIndex(1)
            input.pinch(by: 4, atX: 100, y: 100)
            input.endPinch()
            stage.animator.finishAll()
            XCTAssertEqual(stage.page?.zoom, fresh)
        }
    }

    /// A drag that moves nothing leaves the controls their time.
    func testDragOfNothing() throws {
        try onBrowser(2) { stage in
            let input = try XCTUnwrap(stage.browser.input)
            input.beginDrag(to: 0, 100, at: 0.1)
            input.endDrag(0, 100, at: 0.2)
            stage.clock.advance(by: .seconds(6))
            XCTAssertFalse(stage.browser.areControlsVisible)
        }
    }

    /// A grid that is open when the browser is closed does not cover the photo when it is opened again.
    func testGridOfAFormerTime() throws {
        try onPresentedBrowser {
            $0.app.thumbnails[0] = Photo(.empty)
        } test: { stage in
            stage.browser.showGrid()
            XCTAssertTrue(stage.browser.isGridVisible)
            stage.browser.screen.end()
            XCTAssertFalse(stage.browser.isGridVisible)
        }
    }

    /// A delegate that comes late is asked for the caption, too.
    func testLateDelegate() throws {
        try onBrowser(2) {
            $0.browser.delegate = nil
        } test: { stage in
            stage.app.captions[0] = "late"
            XCTAssertNil(stage.browser.panels.controls.content.caption)
            stage.browser.delegate = stage.app
            let caption = try XCTUnwrap(stage.browser.panels.controls.caption)
            XCTAssertEqual(stage.browser.panels.controls.content.caption, .widget(caption))
        }
    }

    /// A turn makes the picture as sharp as it is drawn then, and does nothing to a page without one.
    func testTurn() throws {
        let wide = try SizedColourCoder().decode(
            SizedColourCoder.file(.red, width: 6000, height: 1000), options: ImageDecodeOptions())
        try onBrowser(1) {
            $0.app.photos[0] = Photo(.closure { wide })
        } test: { stage in
            stage.browser.perform(.turn)
            XCTAssertEqual(stage.page?.quarterTurns, 0)
            iterate(
                until: { stage.page?.hasPicture == true && stage.page?.photo.isLoading == false }, "the photo is there")
            stage.deck.sharpen()
            iterate(until: { stage.page?.photo.isLoading == false }, "it is as sharp as it can be")
            stage.browser.perform(.turn)
            XCTAssertEqual(stage.page?.quarterTurns, 1)
            XCTAssertEqual(stage.page?.photo.isLoading, true)
        }
    }

    /// Letters mean the same in layouts of other alphabets.
    func testForeignLayout() {
        onMainThread {
            let none = GdkModifierType(rawValue: 0)
            let (ka, r) = (guint(GDK_KEY_Cyrillic_ka), guint(GDK_KEY_r))
            XCTAssertEqual(BrowserKey(ka, none, elsewhere: r).command(isRightToLeft: false), .turn)
            XCTAssertNil(BrowserKey(ka, none, elsewhere: nil).command(isRightToLeft: false))
            XCTAssertNil(BrowserKey(ka, GDK_SHIFT_MASK, elsewhere: r).command(isRightToLeft: false))
            let arrow = BrowserKey(guint(GDK_KEY_Right), none, elsewhere: r)
            XCTAssertEqual(arrow.command(isRightToLeft: false), .right)
        }
    }

    /// MW-44 A video goes with its photo when the photos are loaded anew.
    func testVideoAndReload() throws {
        try onBrowser(1) {
            $0.app.photos[0] = Photo(
                .video(
                    url: {
                        // Ends when the task is cancelled.
                        for await _ in AsyncStream<Int>.makeStream().stream {}
                        return nil
                    }, poster: nil))
        } test: { stage in
            stage.browser.pages.playVideo()
            XCTAssertNotNil(stage.browser.pages.video)
            stage.app.photos = []
            stage.browser.reloadData()
            XCTAssertNil(stage.browser.pages.video)
        }
    }
}
