import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The pictures that fly between a thumbnail and its page, and those that do not.
final class BrowserFlightTests: GTKTestCase, @unchecked Sendable {
    /// Nothing is squeezed on its way: the original covers what a thumbnail of other proportions shows, and a vertical long
    /// one begins at its top.
    func testCutThumbnail() throws {
        for (width, height, expected) in [
            (1600, 800, PointRect(x: -50, y: 0, width: 200, height: 100)),
            (400, 4000, PointRect(x: 0, y: 0, width: 100, height: 1000)),
        ] {
            try onPresentedBrowser { stage in
                load(in: stage, width: width, height: height)
                stage.animator.finishAll()
                stage.browser.dismiss()
                stage.animator.advance(to: 1)
                let place = try XCTUnwrap(stage.browser.pages.flight.pose).place
                XCTAssertEqual(place.frame, expected)
                XCTAssertEqual(place.clip, PointRect(x: 0, y: 0, width: 100, height: 100))
                stage.animator.finish()
            }
        }
    }

    /// S2-3 A list of the app's own has the originals of what it shows loaded; a click opens the original then, with no
    /// thumbnail before it. What is scrolled away is cancelled.
    func testOriginalsForAList() throws {
        try onThumbnails { stage in
            let list = stage.thumbnails[0]
            stage.browser.prefetchOriginals(of: 2..<3, in: list)
            awaitLoad(of: 2, in: stage)
            XCTAssertEqual(Set(stage.app.asked), [2], "what is not seen is not loaded before the first scroll")
            let other = try XCTUnwrap(stage.pending(2).first)
            present(stage)
            stage.browser.screen.end()
            XCTAssertFalse(other.isEnded, "the list goes on when a browser was open")
            stage.browser.prefetchOriginals(of: 0..<1, in: list)
            awaitLoad(of: 1, in: stage)
            stage.finish(1)
            let cache = stage.manager.cache as? SuspendedCache
            iterate(
                until: { cache?.disk[stage.manager.cacheKey(for: BrowserStage.url(1))] != nil }, "its file is kept")
            XCTAssertFalse(isInMemory(stage, 1), "what is near does not take the place of what is visible")
            stage.browser.prefetchOriginals(of: 0..<0, in: list)
            iterate(until: { other.isEnded && stage.pending(0).isEmpty }, "what is scrolled away is cancelled")
            stage.browser.prefetchOriginals(of: 0..<1, in: list)
            awaitLoad(in: stage)
            stage.finish(0)
            iterate(
                until: { isInMemory(stage, 0) },
                "the original is in memory")
            present(stage)
            XCTAssertTrue(stage.page?.hasPicture == true)
            XCTAssertNil(stage.page?.helper)
            stage.browser.handoffStrategy = .thumbnail
            _ = stage.app.takeAsked()
            stage.browser.prefetchOriginals(of: 2..<3, in: list)
            // The app would be asked at once, before the load begins.
            XCTAssertFalse(stage.app.takeAsked().contains(2))
        }
    }

    /// The originals of a list that the browser covers leave memory, and come back when it is closed.
    func testOriginalsOfACoveredList() throws {
        try onThumbnails { stage in
            stage.browser.prefetchOriginals(of: 0..<3, in: stage.thumbnails[0])
            awaitOriginals(of: 0..<3, in: stage)
            present(stage)
            XCTAssertTrue(stage.page?.hasPicture == true)
            for index in 0..<3 { XCTAssertFalse(isInMemory(stage, index)) }
            stage.browser.prefetchOriginals(of: 0..<2, in: stage.thumbnails[0])
            drawFrames(2, of: stage.window)
            for index in 0..<3 { XCTAssertFalse(isInMemory(stage, index)) }
            stage.browser.screen.end()
            awaitOriginals(of: 0..<2, in: stage)
        }
    }

    /// Brings the originals that are asked for, and waits until memory has those of the range.
    @MainActor
    private func awaitOriginals(of range: Range<Int>, in stage: BrowserStage) {
        iterate(
            until: {
                for index in range { stage.finish(index) }
                return range.allSatisfy { isInMemory(stage, $0) }
            }, "the originals of \(range) are in memory")
    }

    @MainActor
    private func isInMemory(_ stage: BrowserStage, _ index: Int) -> Bool {
        let size = PixelSize(width: 800, height: 600)
        guard let request = stage.app.photos[index].request(covering: size), let url = request.url else { return false }
        return stage.manager.imageFromMemory(for: url, context: request.context) != nil
    }

    /// S2-21 An original that is at hand soon after the click, as from the disk, flies on in place of its thumbnail, and
    /// nothing is swapped on the page.
    func testOriginalFromTheDisk() throws {
        try onThumbnails { stage in
            present(stage)
            stage.animator.advance(to: 0.1)
            load(in: stage, width: 8000, height: 600)
            XCTAssertNil(stage.page?.helper)
            let place = try XCTUnwrap(stage.browser.pages.flight.pose).place
            XCTAssertEqual(place.frame.size.width / place.frame.size.height, 8000 / 600, accuracy: 0.01)
            XCTAssertEqual(place.clip.size.height, 100, accuracy: 20)
            stage.animator.finish()
            XCTAssertFalse(stage.browser.pages.flight.isRunning)
            XCTAssertTrue(stage.animator.running.isEmpty)
            XCTAssertEqual(stage.page?.inputIsHeld, false)
        }
    }

    /// A list without photos asks for none.
    func testOriginalsOfNothing() throws {
        try onThumbnails { stage in
            stage.app.photos = []
            stage.browser.reloadData()
            _ = stage.app.takeAsked()
            stage.browser.prefetchOriginals(of: 0..<0, in: stage.thumbnails[0])
            XCTAssertEqual(stage.app.takeAsked(), [])
        }
    }

    /// S2-3 After a reload, other photos are behind the same numbers.
    func testOriginalsAfterAReload() throws {
        try onThumbnails { stage in
            stage.browser.prefetchOriginals(of: 0..<1, in: stage.thumbnails[0])
            awaitLoad(in: stage)
            let former = try XCTUnwrap(stage.pending(0).first)
            stage.app.photos = [stage.app.photos[2]]
            stage.browser.reloadData()
            iterate(until: { former.isEnded }, "the former one is cancelled")
            stage.browser.prefetchOriginals(of: 0..<1, in: stage.thumbnails[0])
            awaitLoad(of: 2, in: stage)
        }
    }

    /// MW-8 The controls are back when a finger has let go of a picture that springs back.
    func testControlsAfterADragThatSettles() throws {
        try onThumbnails { stage in
            present(stage)
            stage.animator.finishAll()
            XCTAssertTrue(stage.browser.panels.controls.isVisible)
            let input = try XCTUnwrap(stage.browser.input)
            input.beginDrag(to: 0, 30, at: 0.1)
            input.updateDrag(0, 30, at: 2)
            input.endDrag(0, 30, at: 3)
            XCTAssertFalse(stage.browser.panels.controls.isVisible)
            stage.animator.finishAll()
            XCTAssertTrue(stage.browser.panels.controls.isVisible)
        }
    }

    /// S2-16 A photo that was left while its original waited for the end of a flight shows that on return.
    func testLeftDuringAFlight() throws {
        try onThumbnails { stage in
            present(stage)
            stage.animator.advance(to: 0.5)
            load(in: stage, width: 8000, height: 600)
            XCTAssertEqual(stage.page?.handoff.phase, .covered)
            stage.browser.setCurrentPhotoIndex(1)
            stage.animator.finishAll()
            stage.browser.setCurrentPhotoIndex(0)
            XCTAssertEqual(stage.page?.handoff.phase, Handoff.Phase.none)
            XCTAssertEqual(stage.page?.opacity, 1)
        }
    }

    /// MW-8 A drag down ends a turn first: the picture under the finger stays the same.
    func testDragDuringATurn() throws {
        try onThumbnails { stage in
            present(stage)
            stage.animator.finishAll()
            stage.browser.showNextPhoto(animated: true)
            stage.animator.advance(to: 0.3)
            let input = try XCTUnwrap(stage.browser.input)
            input.beginDrag(to: 0, 60, at: 1)
            XCTAssertFalse(stage.browser.pages.isTurning)
            XCTAssertTrue(stage.deck.position.isAtRest)
            input.cancelDrag()
            XCTAssertEqual(stage.settledIndex(), 0)
        }
    }

    /// The corners of a round thumbnail are round at the beginning of the flight.
    func testRoundThumbnail() throws {
        try onMainThread {
            try requireDisplay()
            let portrait = WebImageView()
            portrait.cornerRadius = 12
            portrait.image = try Colour.blue.image(width: 20, height: 20)
            let stage = BrowserStage(1)
            defer { stage.close() }
            gtk_box_append(gtk_window_get_child(stage.window.of(GtkWindow.self)).of(GtkBox.self), portrait.widget)
            stage.show()
            iterate(until: { gtk_widget_get_width(portrait.widget) > 0 }, "the thumbnail is on the screen")
            stage.browser.present(from: portrait)
            XCTAssertEqual(try XCTUnwrap(stage.browser.pages.flight.pose).place.cornerRadius, 12)
        }
    }

    /// S2-2 Where nothing can fly, because no thumbnail is to be seen, the thumbnail is not taken away.
    func testIndicatorDoesNotFly() throws {
        try onThumbnails {
            $0.browser.handoffStrategy = .indicator
        } test: { stage in
            present(stage)
            XCTAssertFalse(stage.browser.pages.flight.isRunning)
            XCTAssertEqual(opacity(stage, 0), 1)
            XCTAssertTrue(stage.animator.runs.isEmpty)
        }
    }

    /// MW-8 A finger that swipes down another photo than the first takes that one out of the list.
    func testSwipeOfAnotherPhoto() throws {
        try onSecondPhoto { stage in
            let input = try XCTUnwrap(stage.browser.input)
            input.beginDrag(to: 0, 60, at: 1)
            XCTAssertEqual([0, 1].map { opacity(stage, $0) }, [1, 0])
            input.cancelDrag()
            stage.animator.finishAll()
        }
    }
}
