import CGtk4
import Foundation
import WebImage
import XCTest

@testable import webimage_gallery

/// The gallery's window on a screen as narrow as a phone's, and without a mouse.
final class NarrowWindowTests: GTKTestCase, @unchecked Sendable {
    private static let phoneWidth: Int32 = 360

    /// The gallery's window with sixty pictures that are never loaded.
    @MainActor
    private func makeGallery(width: Int32) throws -> GalleryWindow {
        try requireDisplay()
        GalleryStyle.install()
        let application: UnsafeMutablePointer<GtkApplication> = gtk_application_new(nil, G_APPLICATION_NON_UNIQUE)
        let object = UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self)
        XCTAssertNotEqual(g_application_register(object, nil, nil), 0)
        let gallery = GalleryWindow(
            application, GalleryOptions(), manager: TestStage().manager,
            cache: ImageCache(directory: NSTemporaryDirectory() + UUID().uuidString))
        gtk_window_set_default_size(gallery.window.of(GtkWindow.self), width, 640)
        gtk_window_present(gallery.window.of(GtkWindow.self))
        gallery.show((0..<60).map { URL(filePath: "/\($0)") }, from: "a long description of where they come from")
        iterate(until: { gallery.visibleCells.count > 1 }, "the first cells")
        return gallery
    }

    @MainActor
    private func extent(_ widget: Widget) -> Int32 {
        var minimum: Int32 = 0
        gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, nil, nil, nil)
        return minimum
    }

    func testTheWindowMayBeAsNarrowAsAPhones() throws {
        try onMainThread {
            let gallery = try makeGallery(width: Self.phoneWidth)
            defer { gtk_window_destroy(gallery.window.of(GtkWindow.self)) }
            XCTAssertLessThanOrEqual(extent(gallery.window), Self.phoneWidth)
            iterate(until: { gallery.status.isNarrow && gallery.grid.columns == 2 }, "the narrow form")
            drawFrames(3, of: gallery.window)
            XCTAssertEqual(gtk_widget_get_width(gallery.window), Self.phoneWidth)
            for cell in gallery.visibleCells {
                var bounds = graphene_rect_t()
                XCTAssertNotEqual(gtk_widget_compute_bounds(cell.card, gallery.grid.widget, &bounds), 0)
                XCTAssertGreaterThanOrEqual(bounds.origin.x, 0)
                XCTAssertLessThanOrEqual(bounds.origin.x + bounds.size.width, Float(Self.phoneWidth))
            }
        }
    }

    func testAWideWindowBecomesNarrowInOneStepAndWideAgain() throws {
        try onMainThread {
            let gallery = try makeGallery(width: 1200)
            defer { gtk_window_destroy(gallery.window.of(GtkWindow.self)) }
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
