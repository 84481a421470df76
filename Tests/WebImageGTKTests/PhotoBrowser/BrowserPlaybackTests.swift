import CGtk4
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Pictures that move, on the pages of a browser.
final class BrowserPlaybackTests: GTKTestCase, @unchecked Sendable {
    /// Runs `body` with a browser of two pictures that are red, green and blue for a tenth of a second each, at the first
    /// one's beginning.
    private func onLights(test body: @MainActor (BrowserStage) throws -> Void) throws {
        try onBrowser(3) {
            // The clock has no other calls then.
            $0.browser.delayToHideElements = nil
            for index in 0..<2 { $0.app.photos[index] = Photo(image: try .lights(side: 60)) }
            $0.app.thumbnails[0] = Photo(image: try Colour.blue.image())
        } test: { stage in
            iterate(until: { stage.deck.pages[1]?.hasPicture == true }, "both pictures are there")
            XCTAssertEqual(stage.colour(x: 400, y: 300), .red)
            try body(stage)
        }
    }

    /// Lets a tenth of a second pass, and waits for the frame that is due then.
    @MainActor
    private func advance(_ stage: BrowserStage, to colour: Colour, line: UInt = #line) {
        stage.clock.advance(by: .milliseconds(100))
        iterate(until: { stage.colour(x: 400, y: 300) == colour }, "the next frame", line: line)
    }

    /// Lets much time pass, in which nothing may happen.
    @MainActor
    private func assertStandsStill(_ stage: BrowserStage, line: UInt = #line) {
        let colour = stage.colour(x: 400, y: 300)
        for _ in 0..<10 { stage.clock.advance(by: .milliseconds(70)) }
        XCTAssertEqual(stage.clock.pendingCount, 0, "no call is arranged", line: line)
        XCTAssertEqual(stage.colour(x: 400, y: 300), colour, line: line)
    }

    /// The picture of the current page plays, and its neighbours stand still until they are turned to.
    func testCurrentPage() throws {
        try onLights { stage in
            advance(stage, to: .green)
            advance(stage, to: .blue)
            let (first, second) = (stage.deck.pages[0], stage.deck.pages[1])
            let bitmap = second?.still?.bitmap
            advance(stage, to: .red)
            XCTAssertTrue(second?.still?.bitmap === bitmap, "the neighbour stands still")
            stage.browser.showNextPhoto(animated: false)
            XCTAssertEqual(stage.colour(x: 400, y: 300), .red)
            let left = first?.still?.bitmap
            advance(stage, to: .green)
            XCTAssertTrue(first?.still?.bitmap === left, "the page that was left stands still")
            stage.browser.showNextPhoto(animated: false)
            assertStandsStill(stage)
        }
    }

    /// Below the grid nothing plays; the picture goes on from there.
    func testGrid() throws {
        try onLights { stage in
            advance(stage, to: .green)
            stage.browser.showGrid()
            assertStandsStill(stage)
            stage.browser.hideGrid()
            advance(stage, to: .blue)
        }
    }

    /// Nothing plays in a window that is not seen.
    func testHiddenWindow() throws {
        try onLights { stage in
            advance(stage, to: .green)
            gtk_widget_set_visible(stage.window, 0)
            assertStandsStill(stage)
            stage.show()
            iterate(until: { gtk_widget_get_mapped(stage.browser.widget) != 0 }, "the window is seen again")
            advance(stage, to: .blue)
        }
    }
}
