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
            let window: Widget = gtk_window_new()
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

    @MainActor
    private func visible(_ grid: PictureGrid) -> [PictureCell] { grid.liveCells.filter(\.isMapped) }

    /// The number of the picture whose cell has the focus.
    @MainActor
    private func focused(_ window: Widget, _ grid: PictureGrid) -> Int? {
        guard let focus = gtk_window_get_focus(window.of(GtkWindow.self)) else { return nil }
        return grid.liveCells.first { gtk_widget_get_parent($0.card) == focus }?.number
    }
}
