import CGtk4
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The selection in the grid of a browser.
final class BrowserGridSelectionTests: GTKTestCase, @unchecked Sendable {
    /// MW-5 MW-24 Whether photos can be selected, and with which icon, changes no thumbnail: none is loaded anew.
    func testNoReload() throws {
        try onBrowser(3) { stage in
            // Other addresses than those of the photos.
            for index in 0..<3 { stage.app.thumbnails[index] = BrowserStage.photo(10 + index, stage.manager) }
        } test: { stage in
            stage.browser.showGrid()
            iterate(until: { (10..<13).allSatisfy { stage.pending($0).count == 1 } }, "the thumbnails are being loaded")
            stage.browser.displaySelectionButtons = true
            stage.browser.customImageSelectedSmallIconName = "starred-symbolic"
            iterateWhatIsReady()
            for index in 10..<13 {
                XCTAssertEqual(stage.loader.loads(of: BrowserStage.url(index)).count, 1)
                XCTAssertEqual(stage.pending(index).count, 1)
            }
            let cells = (stage.browser.panels.grid?.liveCells ?? []).filter { $0.index >= 0 }
            XCTAssertEqual(cells.count, 3)
            for cell in cells {
                let tick = try XCTUnwrap(cell.widget.children.last)
                XCTAssertNotEqual(gtk_widget_get_visible(tick), 0)
            }
        }
    }
}
