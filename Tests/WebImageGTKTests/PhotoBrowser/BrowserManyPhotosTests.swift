import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// A browser of a hundred thousand photos.
final class BrowserManyPhotosTests: GTKTestCase, @unchecked Sendable {
    private static let count = 100_000

    /// Its pages ask for those near the current one only, wherever that is.
    func testPages() throws {
        try onBrowser(Self.count) { stage in
            load(in: stage)
            stage.browser.setCurrentPhotoIndex(Self.count / 2)
            load(Self.count / 2, in: stage)
            stage.browser.showNextPhoto(animated: true)
            XCTAssertEqual(stage.settledIndex(), Self.count / 2 + 1)
            stage.browser.setCurrentPhotoIndex(Self.count - 1)
            load(Self.count - 1, in: stage, .green)
            XCTAssertEqual(stage.colour(x: 400, y: 300), .green)
            XCTAssertEqual(stage.browser.title, "100000 of 100000")
            XCTAssertEqual(Set(stage.deck.pages.keys), [Self.count - 2, Self.count - 1])
            XCTAssertLessThan(stage.app.asked.count, 20)
            XCTAssertEqual(stage.app.countCalls, 1)
        }
    }

    /// A walk through pages leaves the originals of the current one and its neighbours, and none in the memory cache.
    func testWalk() throws {
        try onBrowser(30) { stage in
            for index in 0..<30 {
                load(index, in: stage)
                stage.browser.showNextPhoto(animated: false)
            }
            let held = stage.app.photos.indices.filter { stage.app.photos[$0].underlyingImage != nil }
            XCTAssertEqual(held, [28, 29])
            XCTAssertTrue(stage.cache.memory.isEmpty)
        }
    }

    /// Its grid opens at the current photo, and has the cells of a screen only.
    func testGrid() throws {
        try onBrowser(Self.count) {
            let thumbnail = Photo(image: try Colour.blue.image())
            for index in 0..<Self.count { $0.app.thumbnails[index] = thumbnail }
            $0.browser.handoffStrategy = .thumbnail
            $0.browser.setCurrentPhotoIndex(Self.count - 5)
        } test: { stage in
            stage.browser.showGrid()
            let grid = try XCTUnwrap(stage.browser.panels.grid)
            iterate(until: { grid.cell(at: Self.count - 5) != nil }, "the current cell is on the screen")
            // It has come to where it is to be.
            drawFrames(4, of: stage.window)
            XCTAssertEqual(stage.browser.title, "100000 photos")
            XCTAssertLessThan(grid.liveCells.count, 1000)
            let adjustment = try XCTUnwrap(gtk_scrolled_window_get_vadjustment(OpaquePointer(grid.widget)))
            gtk_adjustment_set_value(adjustment, 0)
            iterate(until: { grid.cell(at: 2) != nil }, "the first row is on the screen")
            stage.browser.open(2)
            XCTAssertEqual(stage.settledIndex(), 2)
            XCTAssertFalse(stage.browser.isGridVisible)
            XCTAssertLessThan(stage.app.asked.count, 20)
        }
    }
}
