import CGtk4
import CScreen
import Foundation
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK
@testable import webimage_gallery

/// One picture that is opened, as a file manager does.
final class OpenedPictureTests: GTKTestCase, @unchecked Sendable {
    private let picture = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/webimage-gallery/Pictures/islands-07.jpg").standardizedFileURL

    /// A folder with these files.
    private func folder(_ names: String...) throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        for name in names { try Data(contentsOf: picture).write(to: URL(filePath: "\(folder.path)/\(name)")) }
        return folder
    }

    private func onContents(
        _ body: @MainActor (GalleryWindow, GalleryContents) throws -> Void
    ) throws {
        try onMainThread {
            let manager = WebImageManager(
                cache: ImageCache(directory: NSTemporaryDirectory() + UUID().uuidString),
                loader: ImageLoadersManager.shared)
            let gallery = try makeGallery(width: 800, manager: manager)
            defer { gtk_window_destroy(gallery.window.of(GtkWindow.self)) }
            try body(gallery, GalleryContents(gallery, loader: ImageLoadersManager.shared) { _ in })
        }
    }

    func testItIsShownLargeAmongThoseOfItsFolderAndLeavesTheFoldersGrid() throws {
        let folder = try folder("2.jpg", "10.jpg", "1.jpg")
        try onContents { gallery, contents in
            contents.show([try XCTUnwrap(PictureSource("\(folder.path)/2.jpg"))], opensPicture: true)
            let browsing = gallery.pages.browsing(of: .pictures)
            iterate(until: { browsing.browser?.numberOfPhotos == 3 }, "its neighbours")
            let browser = try XCTUnwrap(browsing.browser)
            XCTAssertTrue(browser.isPresented)
            XCTAssertEqual(gallery.grid.items.map(\.name), ["1.jpg", "2.jpg", "10.jpg"])
            XCTAssertEqual(browser.currentIndex, 1)
            iterate(
                until: {
                    browser.currentPhoto?.underlyingImage != nil && browser.isAtRest
                        && browser.pages.deck.current?.inputIsHeld == false
                }, "the picture")
            try pressOnScreen(GDK_KEY_Right, in: gallery.window)
            iterate(until: { browser.currentIndex == 2 && browser.isAtRest }, "the next one")
            XCTAssertEqual(browser.currentPhoto?.caption, "10.jpg")
            try pressOnScreen(GDK_KEY_Escape, in: gallery.window)
            iterate(until: { !browsing.isOpen }, "the end of the page")
            iterate(until: { gallery.grid.focusedIndex == 2 }, "the focus on the picture that was seen last")
            XCTAssertNil(contents.remembered, "a look at one picture is not what the next start shows")
        }
    }

    func testWhatIsLoadedAlreadyIsShownBeforeTheFolderIsReadAndStays() throws {
        let folder = try folder("1.jpg", "2.jpg")
        try onContents { gallery, contents in
            let source = try XCTUnwrap(PictureSource("\(folder.path)/2.jpg"))
            let opened = try XCTUnwrap(OpenedPicture([source], gallery.manager, size: (800, 640)))
            XCTAssertTrue(opened.photo.isLoading)
            contents.open(opened.picture, opened.photo)
            let browser = try XCTUnwrap(gallery.pages.browsing(of: .pictures).browser)
            XCTAssertEqual(browser.numberOfPhotos, 1)
            XCTAssertIdentical(browser.currentPhoto, opened.photo)
            iterate(until: { browser.numberOfPhotos == 2 }, "the folder")
            XCTAssertFalse(opened.photo.isLoading, "the folder waits for the picture")
            XCTAssertEqual(browser.currentIndex, 1)
            XCTAssertIdentical(browser.currentPhoto, opened.photo)
        }
    }

    func testAPictureWhoseNameDoesNotSayThatItIsOneComesLast() throws {
        let folder = try folder("a.jpg", "0")
        try onContents { gallery, contents in
            contents.show([try XCTUnwrap(PictureSource("\(folder.path)/0"))], opensPicture: true)
            let browsing = gallery.pages.browsing(of: .pictures)
            iterate(until: { browsing.browser?.numberOfPhotos == 2 }, "its neighbour")
            XCTAssertEqual(gallery.grid.items.map(\.name), ["a.jpg", "0"])
            XCTAssertEqual(browsing.browser?.currentIndex, 1)
        }
    }

    func testOnlyASinglePictureIsOpened() throws {
        let folder = try folder("1.jpg", "2.jpg")
        XCTAssertEqual(mkfifo(folder.path + "/pipe.jpg", 0o600), 0)
        try Data("http://host/a.jpg".utf8).write(to: URL(filePath: folder.path + "/list"))
        let path = folder.path
        try onMainThread {
            initializeGTK()
            XCTAssertTrue(try isOpened(["1.jpg"], in: path))
            XCTAssertFalse(try isOpened(["1.jpg", "2.jpg"], in: path))
            for name in [".", "pipe.jpg", "list", "missing.jpg", "http://host/a.jpg", "mtp://phone/a.jpg"] {
                XCTAssertFalse(try isOpened([name], in: path), name)
            }
        }
        var options = GalleryOptions()
        XCTAssertTrue(options.opensPicture)
        options.cells = 100
        XCTAssertFalse(options.opensPicture, "what is measured is the grid")
    }

    @MainActor
    private func isOpened(_ names: [String], in folder: String) throws -> Bool {
        let sources = try names.map { try XCTUnwrap(PictureSource($0, in: folder)) }
        return OpenedPicture(sources, TestStage().manager, size: (800, 600)) != nil
    }

    func testTheDesktopsFilesAreSources() throws {
        try onMainThread {
            try requireDisplay()
            let flags = GApplicationFlags(
                rawValue: G_APPLICATION_NON_UNIQUE.rawValue | G_APPLICATION_HANDLES_OPEN.rawValue)
            let application: UnsafeMutablePointer<GtkApplication> = gtk_application_new(nil, flags)
            let object = UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self)
            XCTAssertNotEqual(g_application_register(object, nil, nil), 0)
            var opened: [[PictureSource]] = []
            FileOpening.accept(on: application) { opened.append($0) }
            let uris: [String] = ["file:///tmp/a%20b.jpg", "sftp://host/c"]
            var files: [OpaquePointer?] = uris.map { g_file_new_for_uri($0) }
            g_application_open(object, &files, gint(files.count), "")
            for file in files { g_object_unref(UnsafeMutableRawPointer(file)) }
            XCTAssertEqual(opened, [[.place("file:///tmp/a%20b.jpg"), .place("sftp://host/c")]])
        }
    }
}
