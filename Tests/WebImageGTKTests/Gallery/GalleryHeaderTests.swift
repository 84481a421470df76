import CGtk4
import CGtkAccessibility
import Foundation
import WebImage
import WebImageGTK
import WebImageTesting
import XCTest

@testable import webimage_gallery

/// The header, and what stands in it while a page is read.
final class GalleryHeaderTests: GTKTestCase, @unchecked Sendable {
    func testButtonsWithIconsHaveTheirTooltipsAsNames() throws {
        try onGallery { gallery in
            XCTAssertEqual(gallery.header.buttons.count, 3)
            for button in gallery.header.buttons {
                let tooltip = try XCTUnwrap(gtk_widget_get_tooltip_text(button).map { String(cString: $0) })
                XCTAssertEqual(wrongName(of: button, tooltip), nil)
            }
            let inner = try XCTUnwrap(gallery.header.buttons.last.flatMap { gtk_widget_get_first_child($0) })
            XCTAssertEqual(wrongName(of: inner, "Order and more"), nil, "this one gets the focus")
            gallery.pages.show(.hashes)
            XCTAssertEqual(wrongName(of: gallery.header.pageButton, "Turn the page: animations"), nil)
        }
    }

    /// nil for the right name.
    @MainActor
    private func wrongName(of widget: Widget, _ name: String) -> String? {
        guard let wrong = webimage_check_label(widget, name) else { return nil }
        defer { g_free(wrong) }
        return String(cString: wrong)
    }

    func testAPictureOfTheWebThatComesSlowlyShowsWhatHasCome() throws {
        try onMainThread {
            let loader = SuspendedLoader()
            let manager = WebImageManager(cache: TestStage().cache, loader: loader)
            let gallery = try makeGallery(width: 800, manager: manager)
            defer { gtk_window_destroy(gallery.window.of(GtkWindow.self)) }
            let file = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../Sources/webimage-gallery/Pictures/sunset-05.jpg").standardizedFileURL
            let data = try Data(contentsOf: file)
            let url = try XCTUnwrap(URL(string: "http://host/a.jpg"))
            gallery.show([url], from: "the web")
            iterate(until: { !loader.loads(of: url).isEmpty }, "the load")
            loader.loads(of: url)[0].send(data.prefix(data.count * 3 / 4))
            let image = { gallery.grid.visibleCell(at: 0)?.view.image }
            iterate(until: { image()?.metadata.isIncremental == true }, "what has come")
            loader.loads(of: url)[0].finish(data)
            iterate(until: { gallery.grid.visibleCell(at: 0)?.hasPicture == true }, "the picture")
            XCTAssertEqual(image()?.metadata.isIncremental, false)
        }
    }

    func testAPageThatDripsShowsWhatHasComeAndSaysThatItIsBeingRead() throws {
        try onMainThread {
            let gallery = try makeGallery(width: 800)
            defer { gtk_window_destroy(gallery.window.of(GtkWindow.self)) }
            let loader = SuspendedLoader()
            let contents = GalleryContents(gallery, loader: loader) { _ in }
            contents.show([try XCTUnwrap(PictureSource("http://host/page"))])
            iterate(until: { !loader.loads.isEmpty }, "the load of the page")
            loader.loads[0].send(Data("<html><img src=a.jpg><img src=b.".utf8))
            iterate(until: { gallery.grid.items.map(\.name) == ["a.jpg"] }, "what has come")
            XCTAssertEqual(gallery.header.subtitleText, "reading http://host/page…")
            iterate(until: { gallery.grid.visibleCell(at: 0) != nil }, "its cell")
            let cell = gallery.grid.visibleCell(at: 0)
            loader.loads[0].send(Data("jpg>".utf8))
            iterate(until: { gallery.grid.items.map(\.name) == ["a.jpg", "b.jpg"] }, "what comes then")
            XCTAssertIdentical(gallery.grid.visibleCell(at: 0), cell)
            loader.loads[0].finish(Data("<html><img src=a.jpg><img src=b.jpg><img src=c.jpg>".utf8))
            iterate(until: { gallery.grid.items.map(\.name) == ["a.jpg", "b.jpg", "c.jpg"] }, "all of it")
            XCTAssertEqual(gallery.header.subtitleText, "3 pictures · http://host/page")
        }
    }
}
