import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Thumbnails with addresses of their own, as the article's server makes them, which lists decode at the size of their cells.
final class BrowserThumbnailTests: GTKTestCase, @unchecked Sendable {
    private static func url(_ index: Int) -> URL {
        URL(webAddress: "http://thumbnails.invalid/\(index).jpg") ?? URL(filePath: "/")
    }

    /// Loads a blue thumbnail, whose file is as large as said, into a view.
    @MainActor
    private func loadThumbnail(
        _ url: URL, width: Int, height: Int, into view: PictureView, in stage: BrowserStage
    ) {
        var context = WebImageContext()
        context.manager = stage.manager
        (context.storeCacheType, context.originalStoreCacheType) = (.memory, .noCache)
        view.setImage(with: url, options: .fromLoaderOnly, context: context)
        iterate(until: { !stage.loader.loads(of: url).isEmpty }, "the thumbnail is loaded")
        for load in stage.loader.loads(of: url) where !load.isEnded {
            load.finish(SizedColourCoder.file(.blue, width: width, height: height))
        }
        iterate(until: { view.image != nil }, "the thumbnail is there")
    }

    /// Runs `body` with a browser that has flown from a thumbnail of 100 × 75 points to a page of 800 × 600.
    private func onThumbnail(
        width: Int, height: Int, isOfPhoto: Bool = false,
        test body: @MainActor (BrowserStage, PageHelper) throws -> Void
    ) throws {
        try onThumbnails {
            PictureView($0.thumbnails[0]).fixedSize = PointSize(width: 100, height: 75)
        } test: { stage in
            let view = PictureView(stage.thumbnails[0])
            let url = isOfPhoto ? BrowserStage.url(0) : Self.url(0)
            loadThumbnail(url, width: width, height: height, into: view, in: stage)
            present(stage)
            stage.animator.finish()
            try body(stage, try XCTUnwrap(stage.page?.helper))
        }
    }

    @MainActor
    private func assertEqual(_ frame: PointRect, _ expected: PointRect, _ message: String, line: UInt = #line) {
        for (edge, other) in [
            (frame.x, expected.x), (frame.y, expected.y), (frame.maxX, expected.maxX), (frame.maxY, expected.maxY),
        ] { XCTAssertEqual(edge, other, accuracy: 1, "\(message): \(frame)", line: line) }
    }

    /// S2-1 S2-4 Of a photo whose size is not known the thumbnail has the shape, and the place that it will have.
    func testTheArrivalMovesNothing() throws {
        try onThumbnail(width: 400, height: 225) { stage, helper in
            let place = PointRect(x: 0, y: 75, width: 800, height: 450)
            assertEqual(helper.frame, place, "while the photo is loaded")
            load(0, in: stage, width: 1600, height: 900)
            assertEqual(helper.frame, place, "at its arrival")
            assertEqual(try XCTUnwrap(stage.page?.zoom.frame), place, "the photo")
            XCTAssertTrue(stage.animator.running.isEmpty, "nothing is seen of the swap")
            XCTAssertNil(stage.page?.helper)
        }
    }

    /// S2-5 S2-6 S2-7 S2-19 A square of a long picture stays where it is until the animation of the handoff.
    func testASquareOfAnotherShapeStaysUntilTheHandoff() throws {
        let square = PointRect(x: 100, y: 0, width: 600, height: 600)
        for (width, height, swap) in [
            (400, 4000, HandoffLayout.Swap.crossFade), (4000, 400, .squeeze), (1600, 900, .crossFade),
        ] {
            try onThumbnail(width: 300, height: 300) { stage, helper in
                assertEqual(helper.frame, square, "while the photo of \(width) × \(height) is loaded")
                load(0, in: stage, width: width, height: height)
                assertEqual(helper.frame, square, "at the arrival of the photo of \(width) × \(height)")
                XCTAssertEqual(helper.layout.swap, swap)
                XCTAssertEqual(stage.animator.running.map(\.duration), [0.2])
            }
        }
    }

    /// S2-4 A thumbnail of the photo's own file knows how large the photo is.
    func testAThumbnailOfThePhotosFileHasItsPlace() throws {
        try onThumbnail(width: 320, height: 192, isOfPhoto: true) { _, helper in
            let zoom = PhotoZoom(of: PointSize(width: 320, height: 192), in: PointSize(width: 800, height: 600))
            assertEqual(helper.frame, zoom.frame, "a small photo")
        }
    }

    /// Runs `body` with a browser whose thumbnails have addresses, in its grid, where they are there.
    private func onGrid(test body: @MainActor (BrowserStage) throws -> Void) throws {
        try onBrowser(4) {
            for index in 0..<4 {
                let thumbnail = Photo(url: Self.url(index))
                thumbnail.context.manager = $0.manager
                thumbnail.options = .fromLoaderOnly
                $0.app.thumbnails[index] = thumbnail
            }
            $0.browser.startOnGrid = true
            $0.browser.handoffStrategy = .thumbnail
        } test: { stage in
            stage.browser.showGrid()
            for index in 0..<4 {
                iterate(until: { !stage.loader.loads(of: Self.url(index)).isEmpty }, "thumbnail \(index) is loaded")
                for load in stage.loader.loads(of: Self.url(index)) where !load.isEnded {
                    load.finish(SizedColourCoder.file(.blue, width: 400, height: 225))
                }
                iterate(
                    until: { stage.browser.panels.grid?.cell(at: index)?.view.image != nil },
                    "thumbnail \(index) is there")
            }
            try body(stage)
        }
    }

    /// S2-3 A click in the grid, and a turn to the next page, show the thumbnail that the grid has at the size of its cells.
    func testThumbnailsOfTheGridStandForTheirPhotos() throws {
        try onGrid { stage in
            stage.browser.open(1)
            stage.animator.finishAll()
            let helper = try XCTUnwrap(stage.page?.helper)
            assertEqual(helper.frame, PointRect(x: 0, y: 75, width: 800, height: 450), "the thumbnail")
            for index in [0, 2] {
                XCTAssertNotNil(stage.deck.pages[index]?.helper, "the page beside it, \(index)")
            }
        }
    }

    /// S2-3 What memory has of a thumbnail, or of the photo itself, at the size of cells that show something else by now.
    func testThumbnailsInMemoryThatNothingShows() throws {
        for isOfPhoto in [false, true] {
            try onThumbnails { stage in
                let small = Photo(url: isOfPhoto ? BrowserStage.url(1) : Self.url(1))
                small.context.manager = stage.manager
                if !isOfPhoto { stage.app.thumbnails[1] = small }
            } test: { stage in
                let view = PictureView(stage.thumbnails[1])
                let url = isOfPhoto ? BrowserStage.url(1) : Self.url(1)
                loadThumbnail(url, width: 400, height: 225, into: view, in: stage)
                view.image = nil
                present(stage)
                stage.animator.finish()
                stage.browser.setCurrentPhotoIndex(1)
                let helper = try XCTUnwrap(stage.page?.helper, "of the photo: \(isOfPhoto)")
                let place =
                    isOfPhoto
                    ? PointRect(x: 200, y: 187.5, width: 400, height: 225)
                    : PointRect(x: 0, y: 75, width: 800, height: 450)
                assertEqual(helper.frame, place, "the thumbnail")
            }
        }
    }

    /// S2-3 A thumbnail of another size is looked for in the caches, and never transferred.
    func testAThumbnailWhoseFileIsCached() throws {
        try onBrowser(3) {
            let thumbnail = Photo(url: Self.url(0))
            thumbnail.context.manager = $0.manager
            $0.app.thumbnails[0] = thumbnail
            let file = SizedColourCoder.file(.blue, width: 400, height: 225)
            $0.cache.put(file, for: CacheKey(Self.url(0).absoluteString))
        } test: { stage in
            iterate(
                until: {
                    stage.cache.answer()
                    return stage.page?.helper != nil
                }, "the thumbnail of the cache")
            let helper = try XCTUnwrap(stage.page?.helper)
            assertEqual(helper.frame, PointRect(x: 0, y: 75, width: 800, height: 450), "the thumbnail")
            XCTAssertTrue(stage.loader.loads(of: Self.url(0)).isEmpty)
        }
    }

    /// S2-3 A thumbnail that comes onto the screen after its page was made covers that when it is turned to.
    func testAThumbnailThatComesLater() throws {
        try onThumbnails { _ in
        } test: { stage in
            PictureView(stage.thumbnails[1]).image = nil
            present(stage)
            stage.animator.finish()
            stage.app.views[1] = PictureView(stage.thumbnails[1])
            XCTAssertNil(stage.deck.pages[1]?.helper)
            loadThumbnail(Self.url(1), width: 400, height: 225, into: PictureView(stage.thumbnails[1]), in: stage)
            stage.browser.setCurrentPhotoIndex(1)
            let helper = try XCTUnwrap(stage.page?.helper)
            assertEqual(helper.frame, PointRect(x: 0, y: 75, width: 800, height: 450), "the thumbnail")
        }
    }
}
