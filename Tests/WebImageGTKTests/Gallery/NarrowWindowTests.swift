import CGtk4
import XCTest

@testable import webimage_gallery

/// The gallery's window on a screen as narrow as a phone's, and without a mouse.
final class NarrowWindowTests: GTKTestCase, @unchecked Sendable {
    private static let phoneWidth: Int32 = 360

    @MainActor
    private func extent(_ widget: Widget) -> Int32 {
        var minimum: Int32 = 0
        gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, nil, nil, nil)
        return minimum
    }

    func testTheWindowMayBeAsNarrowAsAPhones() throws {
        try onGallery(width: Self.phoneWidth) { gallery in
            XCTAssertLessThanOrEqual(extent(gallery.window), Self.phoneWidth)
            iterate(until: { gallery.status.isNarrow && gallery.grid.columns == 2 }, "the narrow form")
            drawFrames(3, of: gallery.window)
            XCTAssertEqual(gtk_widget_get_width(gallery.window), Self.phoneWidth)
            XCTAssertGreaterThan(gtk_widget_get_width(gallery.header.titleBox), 80, "there is room for a title")
            XCTAssertFalse(gallery.visibleCells.isEmpty)
            for cell in gallery.visibleCells {
                var bounds = graphene_rect_t()
                XCTAssertNotEqual(gtk_widget_compute_bounds(cell.card, gallery.grid.widget, &bounds), 0)
                XCTAssertGreaterThanOrEqual(bounds.origin.x, 0)
                XCTAssertLessThanOrEqual(bounds.origin.x + bounds.size.width, Float(Self.phoneWidth))
            }
        }
    }

    func testAWideWindowBecomesNarrowInOneStepAndWideAgain() throws {
        try onGallery(width: 1200) { gallery in
            iterate(until: { gallery.grid.columns == CellLayout(gridWidth: 1200).columns }, "the wide form")
            XCTAssertFalse(gallery.status.isNarrow)
            for width in [Self.phoneWidth, 1200] {
                gtk_window_set_default_size(gallery.window.of(GtkWindow.self), width, 640)
                iterate(
                    until: {
                        gtk_widget_get_width(gallery.window) == width
                            && gallery.grid.columns == CellLayout(gridWidth: Int(width)).columns
                            && gallery.status.isNarrow == (width < 600)
                    }, "\(width) units of width")
            }
        }
    }
}
