import CGtk4
import FoundationEssentials
import WebImage
import XCTest

@testable import webimage_gallery

/// The keyboard in the gallery's grid, by the X server's own events.
final class KeyboardTests: GTKTestCase, @unchecked Sendable {
    func testTheArrowKeysMoveBetweenCellsWhoseFocusIsVisible() throws {
        try onMainThread {
            try requireDisplay()
            GalleryStyle.install()
            let test = TestStage()
            let grid = PictureGrid(width: 640, context: test.context) { _ in }
            let window = TestWindow.make()
            _ = window.classes("gallery")
            defer { gtk_window_destroy(window.of(GtkWindow.self)) }
            gtk_window_set_default_size(window.of(GtkWindow.self), 640, 500)
            gtk_window_set_child(window.of(GtkWindow.self), grid.widget)
            gtk_window_present(window.of(GtkWindow.self))
            grid.show((0..<60).map { GalleryItem(url: URL(filePath: "/\($0)"), number: $0) })
            iterate(until: { !visible(grid).isEmpty }, "the first cells")
            // The columns follow the width a frame later.
            drawFrames(4, of: window)
            let columns = grid.columns
            XCTAssertGreaterThan(columns, 1)
            try pressOnScreen(GDK_KEY_Tab, in: window)
            iterate(until: { focused(window, grid) == 0 }, "the first cell")
            for (key, number) in [
                (GDK_KEY_Right, 1), (GDK_KEY_Down, 1 + columns), (GDK_KEY_Left, columns), (GDK_KEY_Up, 0),
                (GDK_KEY_End, 59), (GDK_KEY_Home, 0),
            ] {
                try pressOnScreen(key, in: window)
                iterate(until: { focused(window, grid) == number }, "key \(key) to cell \(number)")
            }
            let cell = try XCTUnwrap(gtk_window_get_focus(window.of(GtkWindow.self)))
            XCTAssertNotEqual(
                gtk_widget_get_state_flags(cell).rawValue & GTK_STATE_FLAG_FOCUS_VISIBLE.rawValue, 0)
        }
    }

    func testTheKeysAreForThePicturesFromTheStartAndTheTabulatorLeavesThem() throws {
        try onGallery { gallery in
            iterate(until: { gallery.grid.focusedIndex == 0 }, "the focus on the first picture")
            for (key, isThere) in [
                (GDK_KEY_Right, { $0 == 1 }), (GDK_KEY_End, { $0 == 59 }), (GDK_KEY_Home, { $0 == 0 }),
                (GDK_KEY_Page_Down, { $0 > 1 }), (GDK_KEY_Page_Up, { $0 == 0 }),
            ] as [(Int32, (Int) -> Bool)] {
                try pressOnScreen(key, in: gallery.window)
                iterate(until: { gallery.grid.focusedIndex.map(isThere) ?? false }, "the cell of key \(key)")
            }
            try pressOnScreen(GDK_KEY_Tab, in: gallery.window)
            iterate(until: { isIn(gallery.header.widget, gallery) }, "the focus in the header")
            let buttons = gallery.header.buttons.count
            for _ in 0..<10 where !isIn(gallery.grid.widget, gallery) {
                let former = gtk_window_get_focus(gallery.window.of(GtkWindow.self))
                try pressOnScreen(GDK_KEY_Tab, in: gallery.window)
                iterate(until: { gtk_window_get_focus(gallery.window.of(GtkWindow.self)) != former }, "the next part")
            }
            XCTAssertEqual(gallery.grid.focusedIndex, 0, "after the \(buttons) buttons and those of the window")
            try pressOnScreen(GDK_KEY_Return, in: gallery.window)
            iterate(until: { gallery.pages.browsing(of: .pictures).isOpen }, "the page")
        }
    }

    func testDownAndReturnLeadFromTheSearchToTheFirstHit() throws {
        try onGallery { gallery in
            for key in [GDK_KEY_Down, GDK_KEY_Return] {
                iterate(until: { gallery.grid.focusedIndex != nil }, "the focus among the pictures")
                try pressOnScreen(GDK_KEY_End, in: gallery.window)
                iterate(until: { gallery.grid.focusedIndex == 59 }, "the last cell")
                gallery.header.beginSearch()
                gtk_editable_set_text(OpaquePointer(gallery.header.entry), "5")
                try pressOnScreen(key, in: gallery.window)
                iterate(until: { gallery.grid.focusedIndex == 0 }, "the first hit")
                XCTAssertEqual(gallery.grid.items.first?.name, "5")
                XCTAssertEqual(gallery.grid.items.count, 15)
                XCTAssertFalse(gallery.pages.browsing(of: .pictures).isOpen)
                gallery.header.endSearch()
            }
        }
    }

    @MainActor
    private func isIn(_ part: Widget, _ gallery: GalleryWindow) -> Bool {
        gtk_window_get_focus(gallery.window.of(GtkWindow.self)).map { gtk_widget_is_ancestor($0, part) != 0 } ?? false
    }

    @MainActor
    private func visible(_ grid: PictureGrid) -> [PictureCell] { grid.liveCells.filter(\.isMapped) }

    /// The number of the picture whose cell has the focus.
    @MainActor
    private func focused(_ window: Widget, _ grid: PictureGrid) -> Int? {
        guard let focus = gtk_window_get_focus(window.of(GtkWindow.self)) else { return nil }
        return grid.liveCells.first { gtk_widget_get_parent($0.card) == focus }?.number
    }
}
