import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Pictures that are too large to be decoded as a whole.
final class BrowserTilesTests: GTKTestCase, @unchecked Sendable {
    /// Runs `body` with a browser with the file of `picture`, which is shown by its base.
    ///
    /// - Parameter configure: By default, the file counts as too large.
    private func onTiles(
        of picture: Bitmap,
        _ configure: @MainActor (BrowserStage) throws -> Void = { $0.deck.wholeLimit = 0 },
        test body: @MainActor (BrowserStage, PhotoPage, _ file: URL) throws -> Void
    ) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "huge-\(UUID().uuidString).jpg")
        var options = ImageEncodeOptions()
        options.compressionQuality = 0.95
        try Image(bitmap: picture).data(as: .jpeg, options: options).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try onBrowser(1) {
            $0.app.photos[0] = Photo(url: file)
            try configure($0)
        } test: { stage in
            iterate(until: { stage.page?.hasPicture == true }, "the base is there")
            try body(stage, try XCTUnwrap(stage.page), file)
        }
    }

    /// At every zoom and turn, the tiles are the picture: as sharp as the whole of it, in its place, without seams.
    func testTiles() throws {
        try onTiles(of: Self.pattern(width: 4300, height: 1200)) { stage, page, file in
            let whole = try Image(data: Data(contentsOf: file))
            for (turns, scale, x, y) in [
                (0, 1.0, 900.0, 20.0), (0, 2, 0, 600), (1, 1, 400, 300), (2, 1.03, 130, 70), (3, 1, 0, 0),
                (0, 1.37, 30, 9),
            ] {
                while page.quarterTurns != turns { page.turn() }
                zoom(stage, to: scale, x: x * 800 / 900, y: y)
                iterate(until: { page.tiles != nil }, "the tiles are open")
                try compare(stage, whole, "\(turns) turns, \(scale)")
            }
        }
    }

    /// If no tile comes, as from a file that was cut off before, the tiles are given up.
    func testTilesThatNeverCome() throws {
        try onTiles(of: Self.pattern(width: 4300, height: 1200)) { _, _, file in
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: handle.seekToEnd() / 2)
            try handle.close()
            let photo = Photo(url: file)
            let base = try Colour.red.image(width: 43, height: 12)
            let opened = Recorder<TiledImage>()
            Task { opened.append(try await photo.openTiles(over: base)) }
            iterate(until: { !opened.values.isEmpty }, "the file is open")
            let failures = Recorder<Bool>()
            let tiled = try XCTUnwrap(opened.values.first)
            XCTAssertEqual(tiled.base.pixelSize, base.pixelSize)
            let tiles = PageTiles(tiled, changed: {}, failed: { failures.append(true) })
            tiled.setVisible(PointRect(x: 0, y: 700, width: 800, height: 500), scale: 1)
            iterate(until: { failures.values == [true] }, "the tiles are given up")
            withExtendedLifetime(tiles) {}
        }
    }

    /// If the picture itself is sharp enough, it is drawn, though it has tiles.
    func testZoomOut() throws {
        try onTiles(of: Colour.red.image(width: 2600, height: 1950).bitmap) { stage, page, _ in
            let start = page.zoom
            for scale in [1.0, start.scale] {
                zoom(stage, to: scale)
                iterate(until: { page.tiles != nil }, "the tiles are open")
                for _ in 0..<3 {
                    assertEqual(stage.colour(x: 400, y: 300), .red, accuracy: 3)
                    g_main_context_iteration(nil, 0)
                }
            }
            XCTAssertEqual(page.zoom.scale, start.scale)
        }
    }

    /// A file that is too large to be decoded as a whole is shown by its base, and becomes sharp by its tiles.
    func testTooLargeForADecode() throws {
        let picture = try Self.pattern(width: 2300, height: 1300)
        try onTiles(of: picture) {
            $0.app.photos[0].context.manager = WebImageManager(
                cache: SuspendedCache(), loader: FileLoader(maximumByteCount: 1000))
        } test: { stage, page, file in
            XCTAssertNil(page.photo.error)
            XCTAssertEqual(page.photo.originalPixelSize, picture.size)
            zoom(stage, to: 1)
            XCTAssertNotNil(page.tiles)
            try compare(stage, try Image(data: Data(contentsOf: file)), "of a file that is too large")
        }
    }

    /// Tiles would not be transformed: such a file is shown by its transformed base only.
    func testTooLargeWithATransformer() throws {
        try onTiles(of: Colour.red.image(width: 2300, height: 1300).bitmap) {
            let manager = WebImageManager(cache: SuspendedCache(), loader: FileLoader(maximumByteCount: 1000))
            manager.transformer = GreenTransformer()
            $0.app.photos[0].context.manager = manager
        } test: { stage, page, _ in
            zoom(stage, to: 1)
            XCTAssertFalse(page.tileOpening.isPossible)
            assertEqual(stage.colour(x: 400, y: 300), .green, accuracy: 3)
        }
    }

    @MainActor
    private func compare(_ stage: BrowserStage, _ whole: Image, _ place: String) throws {
        let page = try XCTUnwrap(stage.page)
        let (frame, turns) = (page.zoom.frame, page.quarterTurns)
        let turned = ExpectedPage(whole) { snapshot, texture in
            snapshot.moved(toX: frame.x, y: frame.y) {
                snapshot.turned(byQuarters: turns, in: frame.size) { size in
                    snapshot.draw(texture, in: PointRect(x: 0, y: 0, size: size))
                }
            }
        }
        let expected = Rendering(PaintableHandle(turned), width: 800, height: 600)
        iterate(until: { stage.drawing.map { $0.psnr(expected) > 50 } ?? false }, "the sharp tiles: \(place)")
        // A seam is a line of other pixels, which the whole does not show.
        let difference = try XCTUnwrap(stage.drawing).largestLineDifference(from: expected)
        XCTAssertLessThan(difference, 4, "a seam: \(place)")
    }

    @MainActor
    private func zoom(_ stage: BrowserStage, to scale: Double, x: Double = 400, y: Double = 300) {
        guard let page = stage.page else { return XCTFail("there is no page") }
        var zoom = page.zoom
        zoom.zoom(to: scale, atX: x, y: y)
        page.setZoom(zoom)
        stage.deck.sharpen()
    }

    /// Detail of a few pixels everywhere, which a reduced picture does not have.
    private static func pattern(width: Int, height: Int) throws -> Bitmap {
        let pixels = (0..<width * height).flatMap { place -> [UInt8] in
            let (x, y) = (place % width, place / width)
            let wave = 100 * sin(Double(x) * 0.9) * sin(Double(y) * 0.8)
            return [UInt8(127 + wave), UInt8(x * 255 / width), UInt8(y * 255 / height), 255]
        }
        return try Bitmap(size: PixelSize(width: width, height: height), pixels: pixels)
    }

    /// A file that is cut off while tiles are read from it leaves what is there, and no crash.
    func testCutOff() throws {
        try onTiles(of: Self.pattern(width: 4300, height: 1200)) { stage, page, file in
            zoom(stage, to: 1)
            iterate(until: { page.tiles != nil }, "the tiles are open")
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: 2000)
            try handle.close()
            var y = 0.0
            iterate(
                until: {
                    // Another place each time, whose tiles are not in memory.
                    y += 300
                    zoom(stage, to: y.truncatingRemainder(dividingBy: 600) == 0 ? 0.9 : 2.5)
                    _ = stage.colour(x: 400, y: 300)
                    return page.tiles?.tiled.failure != nil || !page.tileOpening.isPossible
                }, "a tile has failed")
            XCTAssertTrue(page.hasPicture)
            XCTAssertFalse(page.tileOpening.isOpening)
            XCTAssertGreaterThan(stage.colour(x: 400, y: 300).channels.prefix(3).max() ?? 0, 0)
        }
    }
}

/// Makes any picture green.
private struct GreenTransformer: ImageTransformer {
    let transformerKey = "green"

    func transform(_ image: Image, for key: CacheKey) -> Image? {
        try? Colour.green.image(width: image.pixelSize.width, height: image.pixelSize.height)
    }
}
