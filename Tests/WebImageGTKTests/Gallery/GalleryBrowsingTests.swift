import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK
import XCTest

@testable import WebImageGTK
@testable import webimage_gallery

/// From the grid to the browser and back.
final class GalleryBrowsingTests: GTKTestCase, @unchecked Sendable {
    /// Loads pictures of one colour each, which come at once.
    private func manager(_ loader: QuickLoader = QuickLoader()) -> WebImageManager {
        WebImageManager(cache: TestStage().cache, loader: loader, coder: ColourCoder())
    }

    /// Runs `body` with the gallery of sixty such pictures.
    private func onLoadedGallery(
        _ loader: QuickLoader = QuickLoader(), _ body: @MainActor (GalleryWindow) throws -> Void
    ) throws {
        try onGallery(manager: manager(loader)) { gallery in
            awaitFirstPicture(gallery)
            try body(gallery)
        }
    }

    @MainActor
    private func awaitFirstPicture(_ gallery: GalleryWindow) {
        iterate(until: { gallery.grid.visibleCell(at: 0)?.hasPicture == true }, "the first picture")
    }

    @MainActor
    private func activate(_ index: Int, _ grid: PictureGrid) {
        let cell = grid.visibleCell(at: index)
        XCTAssertNotNil(cell)
        guard let item = cell.flatMap({ gtk_widget_get_parent($0.card) }) else { return }
        gtk_widget_activate(item)
    }

    func testACellOpensItsPictureInABrowserThatFliesBackIntoIt() throws {
        try onLoadedGallery { gallery in
            let browsing = gallery.pages.browsing(of: .pictures)
            iterate(until: { gallery.grid.visibleCell(at: 2)?.hasPicture == true }, "the picture of the cell")
            activate(2, gallery.grid)
            let browser = try XCTUnwrap(browsing.browser)
            XCTAssertTrue(browser.isPresented)
            XCTAssertEqual(browser.currentIndex, 2)
            XCTAssertEqual(browser.numberOfPhotos, 60)
            let cell = try XCTUnwrap(gallery.grid.visibleCell(at: 2))
            XCTAssertEqual(gtk_widget_get_opacity(cell.view.widget), 0, "the picture is on its way")
            iterate(until: { browser.currentPhoto?.underlyingImage != nil }, "the photo")
            XCTAssertEqual(browser.currentPhoto?.caption, "2")
            browser.dismiss()
            iterate(until: { !browsing.isOpen }, "the end of the browser")
            XCTAssertEqual(gtk_widget_get_opacity(cell.view.widget), 1)
            activate(0, gallery.grid)
            XCTAssertTrue(browser.isPresented, "it opens again")
            XCTAssertEqual(browser.currentIndex, 0)
        }
    }

    /// Only where GTK takes such colours: in older versions each would be converted on the main thread.
    func testPicturesKeepTheirColoursWhereTheWindowCanShowThem() throws {
        let manager = WebImageManager(cache: TestStage().cache, loader: QuickLoader(), coder: WideCoder())
        try onGallery(manager: manager) { gallery in
            awaitFirstPicture(gallery)
            let colors: ColorSpace = gtk_get_minor_version() >= 16 ? .displayP3 : .sRGB
            XCTAssertEqual(gallery.grid.visibleCell(at: 0)?.view.image?.bitmap.colorSpace, colors)
            activate(0, gallery.grid)
            let browser = try XCTUnwrap(gallery.pages.browsing(of: .pictures).browser)
            iterate(until: { browser.currentPhoto?.underlyingImage != nil }, "the photo")
            XCTAssertEqual(browser.currentPhoto?.underlyingImage?.bitmap.colorSpace, colors)
        }
    }

    /// S2-3 The originals of what the grid shows are loaded when it rests, and those of nothing else; a click opens one, with
    /// no thumbnail before it.
    func testAClickOpensTheOriginalThatWasLoadedBefore() throws {
        let manager = manager()
        try onGallery(manager: manager) { gallery in
            iterate(until: { gallery.grid.visibleCell(at: 0)?.hasPicture == true }, "the first picture")
            let browsing = gallery.pages.browsing(of: .pictures)
            let first = try XCTUnwrap(awaitOriginals(of: gallery, manager))
            XCTAssertEqual(first.lowerBound, 0)
            XCTAssertNil(gallery.pages.browsing(of: .hashes).browser, "nothing is loaded for pages that are not seen")
            let browser = try XCTUnwrap(browsing.browser)
            activate(2, gallery.grid)
            XCTAssertIdentical(browsing.browser, browser)
            XCTAssertEqual(browser.pages.deck.current?.hasPicture, true)
            XCTAssertNil(browser.pages.deck.current?.helper)
            browser.dismiss()
            iterate(until: { !browsing.isOpen }, "the end of the browser")

            gallery.grid.scroll(to: 59)
            iterate(until: { gallery.grid.visible.contains(59) }, "the last cells")
            let last = try XCTUnwrap(awaitOriginals(of: gallery, manager))
            XCTAssertEqual(last.upperBound, 60)
            XCTAssertFalse(first.overlaps(last))
            activate(last.lowerBound, gallery.grid)
            XCTAssertIdentical(browsing.browser, browser)
            XCTAssertNil(browser.pages.deck.current?.helper)
        }
    }

    /// Waits for the originals of what the grid shows.
    ///
    /// - Returns: The indices of these, if no others of the second half have come.
    @MainActor
    private func awaitOriginals(of gallery: GalleryWindow, _ manager: WebImageManager) -> Range<Int>? {
        let visible = gallery.grid.visible
        func isThere(_ index: Int) -> Bool {
            guard let browser = gallery.pages.browsing(of: .pictures).browser,
                let pixels = browser.listOriginals?.pixels,
                let request = browser.originalPhoto(at: index)?.request(covering: pixels), let url = request.url
            else { return false }
            return manager.imageFromMemory(for: url, context: request.context) != nil
        }
        iterate(until: { visible.allSatisfy(isThere) }, "the originals of \(visible)")
        return (30..<60).allSatisfy { visible.contains($0) || !isThere($0) } ? visible : nil
    }

    /// The accesses of loads to the disk.
    private final class DiskUse: LoadInterceptor {
        let schemes = Recorder<String>()

        func intercept(_ request: ImageRequest) -> LoadInterception {
            let context = request.context
            let uses = context.originalQueryCacheType != .noCache || context.originalStoreCacheType != .noCache
            schemes.append("\(request.url?.scheme ?? ""): \(uses)")
            return .proceed(request)
        }
    }

    func testTheDiskKeepsPicturesOfTheWebAndNoneOfPhones() throws {
        let (manager, use) = (manager(), DiskUse())
        manager.interceptors = [use]
        try onGallery(manager: manager) { gallery in
            let urls = try ["mtp://phone/0", "http://host/1"].map { try XCTUnwrap(URL(string: $0)) }
            gallery.show(urls, from: "two places")
            iterate(until: { gallery.grid.visibleCell(at: 1)?.hasPicture == true }, "the pictures")
            XCTAssertEqual(Set(use.schemes.values.filter { !$0.hasPrefix("file") }), ["mtp: false", "http: true"])
            activate(0, gallery.grid)
            let browser = try XCTUnwrap(gallery.pages.browsing(of: .pictures).browser)
            for (index, tiers) in [(0, ImageCacheType.noCache), (1, .disk)] {
                let photo = try browser.dataSource?.photoBrowser(browser, photoAt: index)
                XCTAssertEqual(photo?.context.originalQueryCacheType, tiers)
            }
        }
    }

    func testTheGridFollowsTheBrowserToPicturesThatWereNotSeen() throws {
        try onLoadedGallery { gallery in
            activate(0, gallery.grid)
            let browser = try XCTUnwrap(gallery.pages.browsing(of: .pictures).browser)
            XCTAssertNil(gallery.grid.visibleCell(at: 59))
            iterate(until: { browser.currentPhoto?.underlyingImage != nil }, "the photo")
            browser.setCurrentPhotoIndex(59)
            iterate(until: { gallery.grid.visibleCell(at: 59)?.hasPicture == true }, "the last cell")
            let view = browser.dataSource?.photoBrowser(browser, thumbnailViewAt: 59)
            XCTAssertEqual(view?.widget, gallery.grid.visibleCell(at: 59)?.view.widget)
        }
    }

    func testALoadOfEverythingAgainStaysWhereItIsAndTheBrowserFliesBack() throws {
        try onLoadedGallery { gallery in
            gallery.grid.scroll(to: 59)
            iterate(until: { gallery.grid.visibleCell(at: 57)?.hasPicture == true }, "the last cells")
            activate(57, gallery.grid)
            let browsing = gallery.pages.browsing(of: .pictures)
            iterate(until: { browsing.browser?.currentPhoto?.underlyingImage != nil }, "the photo")
            let cell = try XCTUnwrap(gallery.grid.visibleCell(at: 57))
            let time = try XCTUnwrap(cell.settledAt)
            let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(gallery.grid.widget))
            let position = gtk_adjustment_get_value(adjustment)
            gallery.reload()
            iterate(until: { cell.hasPicture && cell.settledAt != time }, "the picture once more")
            drawFrames(4, of: gallery.window)
            XCTAssertEqual(gtk_adjustment_get_value(adjustment), position)
            XCTAssertIdentical(gallery.grid.visibleCell(at: 57), cell)
            browsing.browser?.dismiss()
            iterate(until: { !browsing.isOpen }, "the end of the browser")
            XCTAssertEqual(gtk_widget_get_opacity(cell.view.widget), 1)
        }
    }

    func testTheBrowserHasThePicturesThatWereFoundAndClosesWhenTheyChange() throws {
        try onLoadedGallery { gallery in
            gallery.search("5")
            let names = gallery.grid.items.map(\.name)
            XCTAssertEqual(
                names, ["5", "15", "25", "35", "45", "50", "51", "52", "53", "54", "55", "56", "57", "58", "59"])
            iterate(until: { gallery.grid.visibleCell(at: 3)?.hasPicture == true }, "the cells")
            activate(3, gallery.grid)
            let browser = try XCTUnwrap(gallery.pages.browsing(of: .pictures).browser)
            XCTAssertEqual(browser.numberOfPhotos, 15)
            iterate(until: { browser.currentPhoto?.underlyingImage != nil }, "the photo")
            XCTAssertEqual(browser.currentPhoto?.caption, "35")
            gallery.search("")
            XCTAssertFalse(browser.isPresented)
            XCTAssertEqual(browser.numberOfPhotos, 15, "the browser has no other photos while it closes")
            iterate(until: { gtk_widget_get_parent(browser.widget) == nil }, "the end of the browser")
            activate(3, gallery.grid)
            let next = gallery.pages.browsing(of: .pictures).browser
            XCTAssertEqual(next?.numberOfPhotos, 60, "the next one has all photos")
        }
    }

    func testTheWindowMayBeClosedWithTheBrowserInFlight() throws {
        try onMainThread {
            let (objects, widgets) = (LiveReferences(), LiveObjects())
            try closeInFlight(objects, widgets)
            iterate(until: { widgets.count == 0 }, "the end of all widgets")
            iterate(until: { objects.count == 0 }, "the end of \(objects.left)")
        }
    }

    /// Keeps nothing of the window.
    @MainActor
    private func closeInFlight(_ objects: LiveReferences, _ widgets: LiveObjects) throws {
        let gallery = try makeGallery(width: 800, manager: manager())
        awaitFirstPicture(gallery)
        activate(1, gallery.grid)
        let browsing = gallery.pages.browsing(of: .pictures)
        let browser = try XCTUnwrap(browsing.browser)
        for object in [gallery, gallery.grid, browsing, browser] as [AnyObject] { objects.watch(object) }
        for widget in [gallery.window, gallery.grid.widget, browser.widget] { widgets.watch(widget) }
        gtk_window_destroy(gallery.window.of(GtkWindow.self))
    }
}

/// Decodes colours of Display P3, and keeps them where it is asked to.
private struct WideCoder: ImageCoder {
    private let colours = ColourCoder()

    func canDecode(_ data: Data) -> Bool { colours.canDecode(data) }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try colours.properties(of: data, isComplete: isComplete)
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let image = try colours.decode(data, options: options)
        guard options.decodesToWideGamut else { return image }
        return Image(bitmap: try image.bitmap.converted(to: .rgba8Premultiplied, in: .displayP3))
    }

    func canEncode(_ format: ImageFormat) -> Bool { false }

    func encode(_ image: Image, to format: ImageFormat, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        try colours.encode(image, to: format, options: options)
    }
}
