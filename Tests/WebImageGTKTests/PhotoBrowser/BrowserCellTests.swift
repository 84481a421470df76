import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The cells of a browser's grid.
final class BrowserCellTests: GTKTestCase, @unchecked Sendable {
    /// Runs `body` with the open grid of a browser whose thumbnails have addresses, those from 100 on.
    private func onCells(test body: @MainActor (BrowserStage, PhotoGrid) throws -> Void) throws {
        try onBrowser(8) {
            for index in 0..<8 { $0.app.thumbnails[index] = BrowserStage.photo(100 + index, $0.manager) }
            $0.browser.handoffStrategy = .thumbnail
        } test: { stage in
            stage.browser.showGrid()
            let grid = try XCTUnwrap(stage.browser.panels.grid)
            iterate(until: { !stage.pending(102).isEmpty }, "the thumbnails are being loaded")
            try body(stage, grid)
        }
    }

    @MainActor
    private func loadThumbnail(_ stage: BrowserStage, _ grid: PhotoGrid, _ index: Int = 2) throws -> PhotoGridCell {
        let cell = try XCTUnwrap(grid.cell(at: index))
        stage.finish(100 + index, .blue, width: 320, height: 320)
        iterate(until: { cell.view.image != nil }, "the thumbnail is there")
        return cell
    }

    /// MW-45 A thumbnail that cannot be loaded has a sign in the middle of its cell, which the next photo there has not.
    func testErrorSign() throws {
        try onCells { stage, grid in
            let cell = try XCTUnwrap(grid.cell(at: 2))
            XCTAssertEqual(gtk_widget_get_visible(cell.sign), 0)
            stage.fail(102)
            iterate(until: { gtk_widget_get_visible(cell.sign) != 0 }, "the sign")
            let name = gtk_image_get_icon_name(OpaquePointer(cell.sign)).map { String(cString: $0) }
            XCTAssertEqual(name, "image-missing-symbolic")
            XCTAssertEqual(gtk_widget_get_halign(cell.sign), GTK_ALIGN_CENTER)
            XCTAssertEqual(gtk_widget_get_valign(cell.sign), GTK_ALIGN_CENTER)
            XCTAssertTrue(grid.liveCells.filter { $0 !== cell }.allSatisfy { gtk_widget_get_visible($0.sign) == 0 })
            cell.unbind()
            cell.bind(3, of: stage.browser)
            XCTAssertEqual(gtk_widget_get_visible(cell.sign), 0)
        }
    }

    /// MW-45 A cell shows the progress of its own load, until its thumbnail is there.
    func testProgress() throws {
        try onCells { stage, grid in
            let cell = try XCTUnwrap(grid.cell(at: 2))
            let indicator = try XCTUnwrap(cell.view.imageIndicator as? CircularProgressIndicator)
            XCTAssertNotEqual(gtk_widget_get_visible(indicator.indicatorView), 0)
            let before = try rendering(of: indicator.indicatorView)
            for load in stage.pending(102) { load.progress(60, of: 100) }
            iterate(until: { (try? rendering(of: indicator.indicatorView)) != before }, "the progress is drawn")
            _ = try loadThumbnail(stage, grid)
            XCTAssertEqual(gtk_widget_get_visible(indicator.indicatorView), 0)
        }
    }

    /// MW-45 A thumbnail that is pressed is drawn at an opacity of 0.6, over the dark ground.
    func testPressed() throws {
        try onCells { stage, grid in
            let cell = try loadThumbnail(stage, grid)
            let item = try XCTUnwrap(gtk_widget_get_parent(cell.widget))
            let area = try XCTUnwrap(cell.picture.area(in: grid.widget))
            let (x, y) = (Int(area.x + area.size.width / 2), Int(area.y + area.size.height / 2))
            @MainActor func colour() throws -> Colour { try rendering(of: grid.widget).colour(x: x, y: y) }
            iterate(until: { (try? colour()) == .blue }, "the thumbnail is drawn")
            gtk_widget_set_state_flags(item, GTK_STATE_FLAG_ACTIVE, 0)
            let expected = Colour(red: 12, green: 12, blue: 12 + 153)
            iterate(
                until: {
                    guard let found = try? colour().channels else { return false }
                    return zip(found, expected.channels).allSatisfy { abs(Int($0) - Int($1)) <= 2 }
                }, "the pressed thumbnail")
            gtk_widget_unset_state_flags(item, GTK_STATE_FLAG_ACTIVE)
            iterate(until: { (try? colour()) == .blue }, "the thumbnail is as before")
        }
    }

    /// The drawing of a widget, a pixel for each point.
    @MainActor
    private func rendering(of widget: UnsafeMutablePointer<GtkWidget>) throws -> Rendering {
        let paintable = try XCTUnwrap(gtk_widget_paintable_new(widget))
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        return Rendering(
            paintable, width: Int(gtk_widget_get_width(widget)), height: Int(gtk_widget_get_height(widget)))
    }

    /// A photo that comes back into a cell is there at once, and nothing is loaded for it; nor for a cell that is filled
    /// with the same photo twice.
    func testSecondBinding() throws {
        try onCells { stage, grid in
            let cell = try loadThumbnail(stage, grid)
            let image = try XCTUnwrap(cell.view.image)
            let count = stage.loader.loads.count
            cell.bind(2, of: stage.browser)
            XCTAssertTrue(cell.view.image?.bitmap === image.bitmap)
            cell.unbind()
            XCTAssertNil(cell.view.image)
            cell.bind(2, of: stage.browser)
            XCTAssertTrue(cell.view.image?.bitmap === image.bitmap)
            for _ in 0..<20 { g_main_context_iteration(nil, 0) }
            XCTAssertTrue(cell.view.image?.bitmap === image.bitmap)
            XCTAssertEqual(stage.loader.loads.count, count)
        }
    }
}
