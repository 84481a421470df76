import CGtk4
import Foundation
import WebImage
import WebImageTesting
import XCTest

@testable import webimage_gallery

/// The pages of the gallery's window.
final class GalleryPagesTests: GTKTestCase, @unchecked Sendable {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "webimage-\(UUID().uuidString)")

    override func tearDown() { try? FileManager.default.removeItem(at: directory) }

    @MainActor
    private func items(_ name: String, playback: PlaybackWay? = nil) -> [GalleryItem] {
        (0..<6).map { GalleryItem(url: URL(filePath: "/\(name)\($0)"), number: $0, playback: playback) }
    }

    @MainActor
    private func mapped(_ gallery: GalleryWindow) -> [GalleryPage: Int] {
        [
            .pictures: gallery.grid.liveCells.count(where: \.isMapped),
            .hashes: gallery.pages[.hashes].liveCells.count(where: \.isMapped),
            .animations: gallery.pages[.animations].liveCells.count(where: \.isMapped),
        ].filter { $0.value > 0 }
    }

    func testTheButtonTurnsThePagesInACircle() throws {
        try onGallery { gallery in
            var filled: [GalleryPage] = []
            for page in [GalleryPage.hashes, .animations] {
                gallery.pages.fill(page) {
                    filled.append(page)
                    return self.items("\(page)")
                }
            }
            XCTAssertEqual(gallery.pages.current, .pictures)
            for page in [GalleryPage.hashes, .animations, .pictures, .hashes, .animations] {
                gtk_widget_activate(gallery.header.pageButton)
                iterate(
                    until: {
                        let mapped = self.mapped(gallery)
                        return gallery.pages.current == page && mapped.count == 1 && mapped[page] ?? 0 >= 6
                    }, "the page \(page)")
                let tooltip = gtk_widget_get_tooltip_text(gallery.header.pageButton).map { String(cString: $0) }
                XCTAssertEqual(tooltip, "Turn the page: \(page.next.description)")
            }
            XCTAssertEqual(filled, [.hashes, .animations], "each page is made once, when it is shown first")
        }
    }

    func testTheCommandLineChoosesTheFirstPage() throws {
        try onMainThread {
            for page in [GalleryPage.hashes, .animations] {
                var options = GalleryOptions()
                options.firstPage = page
                try onGallery(options: options) { gallery in
                    gallery.pages.fill(.hashes) { self.items("hash") }
                    gallery.pages.fill(.animations) { self.items("animation") }
                    iterate(until: { mapped(gallery) == [page: 6] }, "the page \(page)")
                    XCTAssertEqual(gallery.pages.current, page)
                }
            }
        }
    }

    func testAPageWithoutPicturesSaysSo() throws {
        try onMainThread {
            let gallery = try makeGallery(width: 800)
            defer { gtk_window_destroy(gallery.window.of(GtkWindow.self)) }
            gallery.pages.show(.animations)
            XCTAssertEqual(gtk_widget_get_mapped(gallery.pages.message.widget), 0, "nothing is known yet")
            gallery.pages.fill(.animations) { [] }
            iterate(until: { gtk_widget_get_mapped(gallery.pages.message.widget) != 0 }, "the message")
            XCTAssertEqual(gallery.pages.message.text, "There are no animations")
            gallery.pages.fill(.animations) { self.items("animation") }
            iterate(until: { mapped(gallery) == [.animations: 6] }, "the page")
        }
    }

    func testWhatComesLateDoesNotTakeThePlaceOfWhatCameAfterIt() throws {
        try onGallery { gallery in
            let (gate, passed) = (Gate(), Gate())
            gallery.pages.show(.hashes)
            gallery.pages.fill(.hashes) {
                // The waiting ends by the gate alone.
                await Task.detached { gate.waitBlocking() }.value
                passed.open()
                return self.items("late")
            }
            gallery.pages.fill(.hashes) { self.items("new") }
            iterate(until: { gallery.pages[.hashes].items.first?.name == "new0" }, "the page")
            gate.open()
            iterate(until: { passed.isOpen }, "the late pictures")
            drawFrames(3, of: gallery.window)
            XCTAssertEqual(gallery.pages[.hashes].items.first?.name, "new0")
        }
    }

    /// S4-11
    func testTheCellsOfThePageOfAnimationsCountTheirFramesAndStopByTheirButton() throws {
        try onMainThread {
            let origin = try GalleryOrigin(SamplePictures(samples: []), network: NetworkProfile(.fast))
            let manager = WebImageManager(
                cache: ImageCache(directory: directory.path), loader: GalleryLoader(origin: origin.origin))
            let gallery = try makeGallery(width: 800, manager: manager)
            defer { gtk_window_destroy(gallery.window.of(GtkWindow.self)) }
            let urls = origin.serveAnimations([
                // A busy machine skips frames that are over before it has drawn them.
                DrawnAnimation(name: "Lights", format: .gif, frameCount: 3, duration: .milliseconds(250)) {
                    Ink($1, $0.x * $0.x, 1 - $1)
                }
            ])
            XCTAssertEqual(urls.count, 1)
            gallery.pages.fill(.animations) { AnimatedItems.items(of: urls) }
            for page in [GalleryPage.hashes, .animations] {
                gtk_widget_activate(gallery.header.pageButton)
                iterate(until: { gallery.pages.current == page }, "the page \(page)")
            }
            iterate(until: { self.panels(gallery).count == 5 }, "the cells")
            let panels = self.panels(gallery)
            for frame in [1, 2, 3, 1, 2] {
                iterate(until: { panels[0].text == "\(frame) / 3" }, "frame \(frame)")
            }
            try assertTheButtonStops(panels[0], whileAnotherPlays: panels[1])
        }
    }

    @MainActor
    private func assertTheButtonStops(_ panel: PlaybackPanel, whileAnotherPlays other: PlaybackPanel) throws {
        XCTAssertEqual(icon(panel), "media-playback-pause-symbolic")
        gtk_widget_activate(panel.button)
        iterate(until: { icon(panel) == "media-playback-start-symbolic" }, "the pause")
        let stopped = panel.text
        for frame in [1, 2, 3] { iterate(until: { other.text == "\(frame) / 3" }, "frame \(frame) of the other") }
        XCTAssertEqual(panel.text, stopped)
        gtk_widget_activate(panel.button)
        iterate(until: { icon(panel) == "media-playback-pause-symbolic" }, "the playback")
        for frame in [1, 2, 3] { iterate(until: { panel.text == "\(frame) / 3" }, "frame \(frame)") }
    }

    @MainActor
    private func panels(_ gallery: GalleryWindow) -> [PlaybackPanel] {
        gallery.pages[.animations].liveCells.filter(\.isBound).sorted { $0.number < $1.number }.compactMap(\.playback)
    }

    @MainActor
    private func icon(_ panel: PlaybackPanel) -> String? {
        gtk_button_get_icon_name(panel.button.of(GtkButton.self)).map { String(cString: $0) }
    }
}
