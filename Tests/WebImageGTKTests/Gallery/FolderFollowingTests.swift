import CGtk4
import Foundation
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK
@testable import webimage_gallery

/// The window follows the files of its folders.
final class FolderFollowingTests: GTKTestCase, @unchecked Sendable {
    private let pictures = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/webimage-gallery/Pictures").standardizedFileURL

    private func picture(_ number: Int = 7) throws -> Data {
        try Data(contentsOf: pictures.appending(path: "islands-0\(number).jpg"))
    }

    /// Runs `body` with a gallery that shows a folder of three pictures.
    private func onFolder(_ body: @MainActor (GalleryWindow, GalleryContents, URL) throws -> Void) throws {
        let folder = try TemporaryDirectory()
        let place = URL(filePath: folder.path, directoryHint: .isDirectory)
        for name in ["b.jpg", "d.jpg", "f.jpg"] { try picture().write(to: place.appending(path: name)) }
        let cache = ImageCache(directory: folder.path + "/.cache")
        let manager = WebImageManager(cache: cache, loader: ImageLoadersManager.shared)
        try onMainThread {
            let gallery = try makeGallery(width: 800, manager: manager, cache: cache)
            defer { gtk_window_destroy(gallery.window.of(GtkWindow.self)) }
            let contents = GalleryContents(gallery, loader: ImageLoadersManager.shared) { _ in }
            contents.show([try XCTUnwrap(PictureSource(folder.path))])
            iterate(until: { names(gallery) == ["b.jpg", "d.jpg", "f.jpg"] }, "the folder")
            iterate(
                until: { (0..<3).allSatisfy { gallery.grid.visibleCell(at: $0)?.hasPicture == true } }, "all pictures")
            try body(gallery, contents, place)
        }
    }

    @MainActor
    private func names(_ gallery: GalleryWindow) -> [String] { gallery.grid.items.map(\.name) }

    func testWhatComesAndGoesIsSeenAndWhatStaysKeepsItsCell() throws {
        try onFolder { gallery, _, folder in
            let cell = try XCTUnwrap(gallery.grid.visibleCell(at: 1))
            for name in ["a.jpg", "c.jpg", "notes.txt"] { try picture().write(to: folder.appending(path: name)) }
            try FileManager.default.removeItem(at: folder.appending(path: "f.jpg"))
            iterate(
                until: {
                    XCTAssertTrue(cell.hasPicture, "GTK may bind it again, and then the picture is there at once")
                    return names(gallery) == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"]
                }, "the changes")
            iterate(until: { gallery.grid.visibleCell(at: 2)?.hasPicture == true }, "the new picture")
            XCTAssertIdentical(gallery.grid.visibleCell(at: 3), cell)
            XCTAssertTrue(gallery.header.subtitleText.hasPrefix("4 pictures"), gallery.header.subtitleText)
        }
    }

    func testACellEndsWithItsFileAndTheWindowCanBeResizedThen() throws {
        try onFolder { gallery, _, folder in
            weak var cell = gallery.grid.visibleCell(at: 2)
            XCTAssertNotNil(cell)
            for name in ["d.jpg", "f.jpg"] { try FileManager.default.removeItem(at: folder.appending(path: name)) }
            iterate(until: { cell == nil }, "the end of the last cell")
            let columns = gallery.grid.columns
            gtk_window_set_default_size(gallery.window.of(GtkWindow.self), 500, 600)
            iterate(until: { gallery.grid.columns < columns }, "fewer columns")
            XCTAssertEqual(gallery.grid.liveCells.count, 1)
        }
    }

    func testAFileThatIsReplacedIsLoadedAgain() throws {
        try onFolder { gallery, _, folder in
            let cell = try XCTUnwrap(gallery.grid.visibleCell(at: 1))
            let former = try XCTUnwrap(cell.view.image)
            try picture(2).write(to: folder.appending(path: "d.jpg"))
            iterate(until: { cell.hasPicture && cell.view.image?.bitmap !== former.bitmap }, "the other picture")
            XCTAssertNotEqual(cell.view.image?.averageColor, former.averageColor)
        }
    }

    func testAFileThatIsStillBeingCopiedIsThereAtTheEnd() throws {
        try onFolder { gallery, _, folder in
            let file = folder.appending(path: "c.jpg")
            let data = try picture()
            try data.prefix(200).write(to: file)
            iterate(until: { names(gallery).contains("c.jpg") }, "its cell")
            iterate(until: { gallery.grid.visibleCell(at: 1)?.settledAt != nil }, "what has come of it")
            XCTAssertEqual(gallery.grid.visibleCell(at: 1)?.hasPicture, false)
            let handle = try FileHandle(forWritingTo: file)
            try handle.seekToEnd()
            try handle.write(contentsOf: data.dropFirst(200))
            try handle.close()
            iterate(until: { gallery.grid.visibleCell(at: 1)?.hasPicture == true }, "the picture")
        }
    }

    func testAFileThatHasFailedIsTriedAgainWhenItChangesAndTheMessageIsForPeople() throws {
        try onFolder { gallery, _, folder in
            let file = folder.appending(path: "c.jpg")
            try Data("this is a text, and no picture at all".utf8).write(to: file)
            iterate(
                until: { gallery.grid.visibleCell(at: 1)?.settledAt != nil && names(gallery).count == 4 }, "its cell")
            let (_, browser) = try openPage(1, in: gallery)
            let failure = PageStatus.Content.failed("c.jpg: This is no picture, or it is damaged")
            iterate(until: { browser.pages.status.content == failure }, "the complaint of the page")
            try picture().write(to: file)
            iterate(until: { browser.currentPhoto?.underlyingImage != nil }, "the picture on the page")
            XCTAssertEqual(browser.currentIndex, 1)
            iterate(until: { gallery.grid.visibleCell(at: 1)?.hasPicture == true }, "the picture in the grid")
        }
    }

    func testThePageStaysAtItsPictureAndGoesToTheNextOneWhenThatIsDeleted() throws {
        try onFolder { gallery, _, folder in
            let (browsing, browser) = try openPage(1, in: gallery)
            iterate(until: { browser.currentPhoto?.underlyingImage != nil && browser.isAtRest }, "the page")
            let (photo, page) = (browser.currentPhoto, browser.pages.deck.current)
            try picture().write(to: folder.appending(path: "a.jpg"))
            iterate(until: { browser.numberOfPhotos == 4 }, "the new neighbour")
            XCTAssertEqual(browser.currentIndex, 2)
            XCTAssertIdentical(browser.currentPhoto, photo)
            XCTAssertIdentical(browser.pages.deck.current, page, "a zoomed picture stays as it is")
            XCTAssertEqual(browser.currentPhoto?.caption, "d.jpg")
            try FileManager.default.removeItem(at: folder.appending(path: "d.jpg"))
            iterate(until: { browser.numberOfPhotos == 3 }, "the end of the picture")
            XCTAssertEqual(browser.currentIndex, 2)
            XCTAssertEqual(browser.currentPhoto?.caption, "f.jpg")
            for name in ["a.jpg", "b.jpg", "f.jpg"] {
                try FileManager.default.removeItem(at: folder.appending(path: name))
            }
            iterate(until: { !browsing.isOpen && names(gallery).isEmpty }, "the end of the page")
            iterate(until: { gtk_widget_get_mapped(gallery.pages.message.widget) != 0 }, "the message")
            XCTAssertTrue(gallery.pages.message.text.hasSuffix("there are no pictures in this folder"))
            try picture().write(to: folder.appending(path: "z.jpg"))
            iterate(until: { gallery.grid.visibleCell(at: 0)?.hasPicture == true }, "the first picture again")
        }
    }

    func testAFolderThatVanishesIsToldInPlainWords() throws {
        try onFolder { gallery, contents, folder in
            try FileManager.default.removeItem(at: folder)
            let message = "\(contents.title): it is not there: if it was moved or renamed, open it where it is now"
            iterate(until: { names(gallery).isEmpty && gallery.pages.message.text == message }, "the message")
            XCTAssertNotEqual(gtk_widget_get_mapped(gallery.pages.message.widget), 0)
        }
    }

    func testThePageShowsTheFileThatHasTakenThePlaceOfItsOwn() throws {
        try onFolder { gallery, _, folder in
            let (_, browser) = try openPage(1, in: gallery)
            iterate(until: { browser.currentPhoto?.underlyingImage != nil }, "the page")
            let former = browser.currentPhoto?.underlyingImage?.averageColor
            try picture(2).write(to: folder.appending(path: "d.jpg"))
            iterate(
                until: {
                    guard let image = browser.currentPhoto?.underlyingImage else {
                        XCTFail("the page is never without a picture")
                        return true
                    }
                    return image.averageColor != former
                }, "the other picture")
            XCTAssertEqual(browser.currentIndex, 1)
        }
    }

    func testEverythingThatHasFailedIsTriedAgainByItsKey() throws {
        try onMainThread {
            let loader = SuspendedLoader()
            let manager = WebImageManager(cache: TestStage().cache, loader: loader, coder: ColourCoder())
            let gallery = try makeGallery(width: 800, manager: manager)
            defer { gtk_window_destroy(gallery.window.of(GtkWindow.self)) }
            let contents = GalleryContents(gallery, loader: loader) { _ in }
            let url = try XCTUnwrap(URL(string: "http://host/a.jpg"))
            gallery.show([url], from: "the web")
            iterate(until: { !loader.loads(of: url).isEmpty }, "the load")
            loader.loads(of: url)[0].finish(Data("no colour".utf8))
            iterate(until: { gallery.grid.visibleCell(at: 0)?.settledAt != nil }, "the failure")
            g_action_group_activate_action(OpaquePointer(gallery.window), "reload", nil)
            iterate(until: { loader.loads(of: url).count > 1 }, "the second load")
            iterate(
                until: {
                    // A layout meanwhile may have begun it anew.
                    for load in loader.loads(of: url) where !load.isEnded { load.finish(Colour.red.file) }
                    return gallery.grid.visibleCell(at: 0)?.hasPicture == true
                }, "the picture")
            withExtendedLifetime(contents) {}
        }
    }

    @MainActor
    private func openPage(_ index: Int, in gallery: GalleryWindow) throws -> (PictureBrowsing, PhotoBrowser) {
        let browsing = gallery.pages.browsing(of: .pictures)
        browsing.open(at: index)
        return (browsing, try XCTUnwrap(browsing.browser))
    }

    func testMessagesSayNothingOfTheLibrary() {
        let failure = WebImageError(
            .badImageData, stage: .decode, kind: .permanent, reason: "tried as JPEG, by its name or a hint")
        let blocked = WebImageError(
            .blockedURL, stage: .request, kind: .policy, reason: "load it with retryFailed", underlying: failure)
        XCTAssertEqual(blocked.sentence, "This is no picture, or it is damaged")
        let missing = WebImageError(
            .invalidDownloadStatusCode, stage: .load, kind: .permanent, reason: "", statusCode: 404)
        XCTAssertEqual(missing.sentence, "The server has no such picture")
    }
}
