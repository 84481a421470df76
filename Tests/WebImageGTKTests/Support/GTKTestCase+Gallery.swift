import CGtk4
import Foundation
import WebImage
import XCTest

@testable import webimage_gallery

extension GTKTestCase {
    /// The gallery's window on the screen, with sixty pictures that are never loaded.
    ///
    /// - Parameters:
    ///   - width: nil for the size in `state`.
    ///   - cache: nil for an empty one.
    @MainActor
    func makeGallery(
        width: Int32?, options: GalleryOptions = GalleryOptions(), manager: WebImageManager = TestStage().manager,
        cache: ImageCache? = nil, state: GalleryState = GalleryState()
    ) throws -> GalleryWindow {
        try requireDisplay()
        GalleryStyle.install()
        let application: UnsafeMutablePointer<GtkApplication> = gtk_application_new(nil, G_APPLICATION_NON_UNIQUE)
        let object = UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self)
        XCTAssertNotEqual(g_application_register(object, nil, nil), 0)
        let gallery = GalleryWindow(
            application, options, manager: manager,
            cache: cache ?? ImageCache(directory: NSTemporaryDirectory() + UUID().uuidString), state: state)
        if let width { gtk_window_set_default_size(gallery.window.of(GtkWindow.self), width, 640) }
        gtk_window_present(gallery.window.of(GtkWindow.self))
        gallery.show((0..<60).map { URL(filePath: "/\($0)") }, from: "a long description of where they come from")
        iterate(until: { gallery.visibleCells.count > 1 }, "the first cells")
        return gallery
    }

    /// Runs `body` with such a gallery.
    func onGallery(
        width: Int32? = 800, options: GalleryOptions = GalleryOptions(), manager: WebImageManager = TestStage().manager,
        state: GalleryState = GalleryState(), _ body: @MainActor (GalleryWindow) throws -> Void
    ) throws {
        try onMainThread {
            let gallery = try makeGallery(width: width, options: options, manager: manager, state: state)
            defer { gtk_window_destroy(gallery.window.of(GtkWindow.self)) }
            try body(gallery)
        }
    }
}
