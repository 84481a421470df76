import CGtk4
import CScreen
import FoundationEssentials
import WebImage
import XCTest

@testable import webimage_gallery

/// Search and order in the window.
final class GallerySearchTests: GTKTestCase, @unchecked Sendable {
    @MainActor
    private func position(_ gallery: GalleryWindow) -> Double {
        gtk_adjustment_get_value(gtk_scrolled_window_get_vadjustment(OpaquePointer(gallery.grid.widget)))
    }

    @MainActor
    private func scrollDown(_ gallery: GalleryWindow) {
        gallery.grid.scroll(to: 59)
        iterate(until: { gallery.grid.visibleCell(at: 59) != nil && position(gallery) > 0 }, "the last cell")
    }

    func testASearchShowsWhatItFindsFromTheTopAndGoesBackToAllAtItsEnd() throws {
        try onGallery { gallery in
            scrollDown(gallery)
            activate("search", gallery)
            XCTAssertTrue(gallery.header.isSearching)
            gtk_editable_set_text(OpaquePointer(gallery.header.entry), "57")
            iterate(until: { gallery.grid.items.map(\.number) == [57] }, "the picture that is found")
            iterate(until: { gallery.grid.visibleCell(at: 0)?.number == 57 }, "its cell")
            XCTAssertEqual(position(gallery), 0)
            emit("stop-search", of: gtk_search_entry_get_type(), from: gallery.header.entry)
            XCTAssertFalse(gallery.header.isSearching)
            XCTAssertEqual(gallery.grid.items.count, 60)
            iterate(until: { gallery.grid.visibleCell(at: 57) != nil }, "the cell of that picture among the others")
        }
    }

    func testEscapeEndsTheSearchAlsoFromThePicturesAndItsKeyLeadsBackToTheEntry() throws {
        try onGallery { gallery in
            let entry = gallery.header.entry
            activate("search", gallery)
            gtk_editable_set_text(OpaquePointer(entry), "5")
            iterate(until: { gallery.grid.items.count == 15 && gallery.grid.visibleCell(at: 0) != nil }, "the cells")
            emit("activate", of: gtk_search_entry_get_type(), from: entry)
            iterate(until: { !hasFocus(entry, gallery) }, "the focus among the pictures")
            activate("search", gallery)
            XCTAssertTrue(hasFocus(entry, gallery))
            XCTAssertEqual(gallery.grid.items.count, 15, "the search goes on")
            emit("activate", of: gtk_search_entry_get_type(), from: entry)
            iterate(until: { !hasFocus(entry, gallery) }, "the focus among the pictures")
            try pressOnScreen(GDK_KEY_Escape, in: gallery.window)
            iterate(until: { !gallery.header.isSearching && gallery.grid.items.count == 60 }, "all pictures")
        }
    }

    @MainActor
    private func hasFocus(_ entry: Widget, _ gallery: GalleryWindow) -> Bool {
        gtk_window_get_focus(gallery.window.of(GtkWindow.self)).map { gtk_widget_is_ancestor($0, entry) != 0 } ?? false
    }

    func testWhatIsNotFoundHasAMessage() throws {
        try onGallery { gallery in
            gallery.search("no such name")
            iterate(until: { gtk_widget_get_mapped(gallery.pages.message.widget) != 0 }, "the message")
            XCTAssertEqual(gallery.pages.message.text, "No name has these words")
            gallery.search("")
            iterate(until: { !gallery.visibleCells.isEmpty }, "the cells")
            gallery.show([], from: "/empty", message: "/empty: there are no pictures in this folder")
            iterate(until: { gtk_widget_get_mapped(gallery.pages.message.widget) != 0 }, "the other message")
            XCTAssertEqual(gallery.pages.message.text, "/empty: there are no pictures in this folder")
        }
    }

    func testTheMenuSortsFromTheTop() throws {
        try onGallery { gallery in
            scrollDown(gallery)
            activate("descending", gallery)
            XCTAssertEqual(gallery.grid.items.first?.number, 59)
            XCTAssertEqual(position(gallery), 0)
            activate("sort", gallery, g_variant_new_string("name"))
            XCTAssertEqual(gallery.order, PictureOrder(key: .name, isDescending: true))
            activate("descending", gallery)
            XCTAssertEqual(gallery.grid.items.map(\.number), Array(0..<60))
            iterate(until: { gallery.grid.visibleCell(at: 0) != nil }, "the first cell")
        }
    }

    func testAHundredThousandPicturesAreSearchedAndSorted() throws {
        try onGallery { gallery in
            let items = (0..<100_000).map {
                GalleryItem(url: URL(filePath: "/picture", directoryHint: .notDirectory), number: $0, title: "\($0)")
            }
            gallery.show(items, from: "a large folder")
            iterate(until: { gallery.grid.visibleCell(at: 0) != nil }, "the first cell")
            gallery.search("99999")
            XCTAssertEqual(gallery.grid.items.map(\.number), [99_999])
            gallery.search("")
            iterate(until: { gallery.grid.visibleCell(at: 99_999) != nil }, "the last cell")
            XCTAssertLessThan(gallery.grid.liveCells.count, 2000)
        }
    }

    @MainActor
    private func activate(_ action: String, _ gallery: GalleryWindow, _ parameter: OpaquePointer? = nil) {
        g_action_group_activate_action(OpaquePointer(gallery.window), action, parameter)
    }
}
