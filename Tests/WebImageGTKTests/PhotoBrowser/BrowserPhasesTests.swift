import CGtk4
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Browsers that are closed, resized or minimised in the middle of a handoff.
final class BrowserPhasesTests: GTKTestCase, @unchecked Sendable {
    /// Runs `body` twice with a presented browser: while the thumbnail is squeezed, and while the original brightens.
    ///
    /// - Parameter closes: Whether the window is still there at the end.
    private func onEachPhase(
        closes: Bool = true, _ body: @MainActor (BrowserStage, PhotoPage) throws -> Void
    ) throws {
        try onMainThread {
            for isBrightening in [false, true] {
                let stage = try presentingStage()
                defer { if closes { stage.close() } }
                present(stage)
                stage.animator.finish()
                load(in: stage, width: 8000, height: 600)
                if isBrightening { stage.animator.finish() }
                stage.animator.advance(to: 0.5)
                let page = try XCTUnwrap(stage.page)
                let isSqueezing = if case .squeezing = page.handoff.phase { true } else { false }
                XCTAssertEqual(isSqueezing, !isBrightening)
                XCTAssertTrue(page.handoff.phase.isAnimating)
                try body(stage, page)
            }
        }
    }

    /// Nothing of the handoff is left, and the page is as it is to be.
    @MainActor
    private func assertEnded(_ page: PhotoPage, line: UInt = #line) {
        XCTAssertEqual(page.handoff.phase, Handoff.Phase.none, line: line)
        XCTAssertEqual(page.opacity, 1, line: line)
        XCTAssertNil(page.helper, line: line)
        XCTAssertFalse(page.inputIsHeld, line: line)
    }

    /// S2-16 A browser that is closed flies back with its original.
    func testClosed() throws {
        try onEachPhase { stage, page in
            stage.browser.dismiss()
            assertEnded(page)
            XCTAssertEqual(stage.animator.running.map(\.duration), [PictureFlight.duration])
            stage.animator.finishAll()
            XCTAssertFalse(stage.browser.screen.isTaken)
            XCTAssertEqual(opacity(stage, 0), 1)
        }
    }

    /// S2-16 A browser whose window is destroyed is gone with all that moves.
    func testDestroyed() throws {
        try onEachPhase(closes: false) { stage, page in
            stage.close()
            assertEnded(page)
            XCTAssertTrue(stage.animator.running.isEmpty)
            XCTAssertEqual(stage.clock.pendingCount, 0)
            XCTAssertFalse(stage.browser.screen.isTaken)
        }
    }

    /// S2-16 A browser that is resized shows the original in its place in the new size.
    func testResized() throws {
        try onEachPhase { stage, page in
            stage.deck.resize(to: PointSize(width: 400, height: 600), scale: 1)
            assertEnded(page)
            XCTAssertTrue(stage.animator.running.isEmpty)
            XCTAssertEqual(page.zoom.frame, PointRect(x: 0, y: 285, width: 400, height: 30))
        }
    }

    /// S2-16 No frames come to a window that is minimised: the handoff comes to its end without them.
    func testMinimised() throws {
        try onMainThread {
            try requireDisplay()
            let (gate, opening) = AsyncStream.makeStream(of: Void.self)
            let original = try Colour.red.image(width: 4000, height: 300)
            let photo = Photo(
                .closure {
                    for await _ in gate { break }
                    return original
                })
            let app = BrowserApp([photo])
            app.thumbnails[0] = Photo(image: try Colour.blue.image(width: 400, height: 300))
            let browser = PhotoBrowser(dataSource: app)
            // Its frames would take for ever.
            browser.pages.deck.animator = FrameAnimator(browser.pages.stage) { _ in 0 }
            let stage = try ScreenStage(PixelSize(width: 400, height: 300), browser.widget, nil, self)
            defer { stage.close() }
            iterate(until: { browser.pages.deck.current?.helper != nil }, "the thumbnail is shown")
            opening.finish()
            iterate(until: { browser.pages.deck.current?.handoff.phase.isAnimating == true }, "the handoff has begun")
            let page = try XCTUnwrap(browser.pages.deck.current)
            stage.drawFrames(3)
            XCTAssertTrue(page.inputIsHeld)
            try stage.setMinimized(true)
            iterate(until: { !page.handoff.phase.isAnimating }, "the handoff has ended")
            assertEnded(page)
            try stage.setMinimized(false)
        }
    }
}
