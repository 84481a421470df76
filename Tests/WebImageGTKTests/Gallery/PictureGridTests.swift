import CGtk4
import FoundationEssentials
import WebImage
import XCTest

@testable import webimage_gallery

/// The gallery's grid in a real window.
final class PictureGridTests: GTKTestCase, @unchecked Sendable {
    func testTheColumnsFollowTheWindowsWidth() throws {
        try onMainThread {
            try requireDisplay()
            let test = TestStage()
            let grid = PictureGrid(width: 640, context: test.context) { _ in }
            let window = show(grid, width: 640)
            defer { gtk_window_destroy(window.of(GtkWindow.self)) }
            iterate(until: { !grid.liveCells.isEmpty }, "the first cells")
            XCTAssertEqual(grid.columns, CellLayout(gridWidth: 640).columns)
            for width in [1200, 700] {
                gtk_window_set_default_size(window.of(GtkWindow.self), Int32(width), 500)
                iterate(until: { grid.columns == CellLayout(gridWidth: width).columns }, "\(width) units of width")
            }
        }
    }

    @MainActor
    private func show(_ grid: PictureGrid, width: Int32) -> Widget {
        let window = TestWindow.make()
        gtk_window_set_default_size(window.of(GtkWindow.self), width, 500)
        gtk_window_set_child(window.of(GtkWindow.self), grid.widget)
        gtk_window_present(window.of(GtkWindow.self))
        grid.show(
            (0..<60).map { GalleryItem(url: URL(filePath: "/\($0)"), number: $0) })
        return window
    }
}
