import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK
import XCTest

@testable import webimage_gallery

/// The settings, and what the window begins with.
final class SettingsWindowTests: GTKTestCase, @unchecked Sendable {
    func testTheSettingsChangeTransitionAndLimitAndClearTheCaches() throws {
        try onGallery { gallery in
            let settings = SettingsWindow(gallery)
            defer { gtk_window_destroy(settings.window.of(GtkWindow.self)) }
            settings.present()
            iterate(until: { settings.usageText == "0.0 MB in 0 files" }, "what is in the cache")
            XCTAssertEqual(gtk_drop_down_get_selected(OpaquePointer(settings.transitions)), 1)
            XCTAssertEqual(gtk_drop_down_get_selected(OpaquePointer(settings.limits)), 2)
            gtk_drop_down_set_selected(OpaquePointer(settings.limits), 0)
            XCTAssertEqual(gallery.cache.config.maxDiskSize, 250 << 20)
            gtk_drop_down_set_selected(OpaquePointer(settings.limits), 4)
            XCTAssertNil(gallery.cache.config.maxDiskSize)
            gtk_drop_down_set_selected(OpaquePointer(settings.transitions), 0)
            XCTAssertEqual(gallery.transition, .none)
            XCTAssertTrue(gallery.grid.liveCells.allSatisfy { $0.view.imageTransition == nil })
            try fillCache(gallery, settings)
            gtk_widget_activate(settings.clearButton)
            iterate(until: { settings.usageText == "0.0 MB in 0 files" }, "the empty cache")
        }
    }

    @MainActor
    private func fillCache(_ gallery: GalleryWindow, _ settings: SettingsWindow) throws {
        var isStored = false
        Task {
            try await gallery.cache.store(DiskCacheEntry(data: Data(count: 300_000)), for: CacheKey("a"))
            isStored = true
        }
        iterate(until: { isStored }, "the file in the cache")
        settings.present()
        iterate(until: { settings.usageText == "0.3 MB in 1 file" }, "its size")
    }

    func testEveryTransitionButNoneHasItsName() {
        onMainThread {
            XCTAssertNil(CellTransition.none.widgetTransition)
            for transition in CellTransition.allCases.dropFirst() { XCTAssertNotNil(transition.widgetTransition) }
            XCTAssertEqual(Set(CellTransition.allCases.map(\.title)).count, CellTransition.allCases.count)
        }
    }

    func testTheWindowBeginsAsItWasLeft() throws {
        var state = GalleryState()
        (state.width, state.height) = (700, 500)
        state.order = PictureOrder(key: .name, isDescending: true)
        state.transition = .curl
        try onGallery(width: nil, state: state) { gallery in
            iterate(until: { gtk_widget_get_width(gallery.window) == 700 }, "its width")
            XCTAssertEqual(gtk_widget_get_height(gallery.window), 500)
            XCTAssertEqual(gallery.grid.items.first?.name, "59")
            XCTAssertEqual(gallery.transition, .curl)
            XCTAssertFalse(gallery.grid.liveCells.isEmpty)
            XCTAssertTrue(gallery.grid.liveCells.allSatisfy { $0.transition == .curl })
            XCTAssertFalse(gallery.isMaximized)
            gtk_window_set_default_size(gallery.window.of(GtkWindow.self), 720, 520)
            XCTAssertTrue(gallery.size == (720, 520))
        }
    }

    func testAMaximizedWindowBeginsMaximizedAndKeepsTheSizeThatItHadBefore() throws {
        try onMainThread {
            var state = GalleryState()
            (state.width, state.height, state.isMaximized) = (700, 500, true)
            let gallery = try makeGallery(width: nil, state: state)
            defer { gtk_window_destroy(gallery.window.of(GtkWindow.self)) }
            iterate(until: { gallery.isMaximized }, "the maximizing")
            XCTAssertNotEqual(gtk_window_is_maximized(gallery.window.of(GtkWindow.self)), 0)
            XCTAssertTrue(gallery.size == (700, 500))
        }
    }
}
