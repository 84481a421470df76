import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestSupport
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Pictures that are too large to be decoded as a whole.
final class BrowserTilesTests: GTKTestCase, @unchecked Sendable {
    /// A browser with the file of `picture`, which counts as too large.
    @MainActor
    private func stage(_ picture: Bitmap) throws -> (stage: BrowserStage, file: URL) {
        try requireDisplay()
        let file = FileManager.default.temporaryDirectory.appending(path: "huge-\(UUID().uuidString).jpg")
        var options = ImageEncodeOptions()
        options.compressionQuality = 0.95
        try Image(bitmap: picture).data(as: .jpeg, options: options).write(to: file)
        let stage = BrowserStage(1)
        stage.app.photos[0] = Photo(url: file)
        stage.deck.wholeLimit = 0
        stage.embed()
        iterate(until: { stage.page?.hasPicture == true }, "the base is there")
        return (stage, file)
    }

    /// At every zoom and turn, the tiles are the picture: as sharp as the whole of it, in its place, without seams.
    func testTiles() throws {
        try onMainThread {
            let picture = try Self.pattern(width: 4300, height: 1200)
            let (stage, file) = try stage(picture)
            defer {
                stage.close()
                try? FileManager.default.removeItem(at: file)
            }
            let whole = try Image(data: Data(contentsOf: file))
            let page = try XCTUnwrap(stage.page)
            for (turns, scale, x, y) in [
                (0, 1.0, 900.0, 20.0), (0, 2, 0, 600), (1, 1, 400, 300), (2, 1.03, 130, 70), (3, 1, 0, 0),
                (0, 1.37, 30, 9),
            ] {
                while page.quarterTurns != turns { page.turn() }
                var zoom = page.zoom
                zoom.zoom(to: scale, atX: x * 800 / 900, y: y)
                page.setZoom(zoom)
                stage.deck.sharpen()
                iterate(until: { page.tiles != nil }, "the tiles are open")
                try compare(stage, whole, "\(turns) turns, \(scale)")
            }
        }
    }

    /// Where the picture itself is sharp enough, it is drawn, though it has tiles.
    func testZoomOut() throws {
        try onMainThread {
            let (stage, file) = try stage(Colour.red.image(width: 2600, height: 1950).bitmap)
            defer {
                stage.close()
                try? FileManager.default.removeItem(at: file)
            }
            let page = try XCTUnwrap(stage.page)
            let start = page.zoom
            for scale in [1.0, start.scale] {
                var zoom = page.zoom
                zoom.zoom(to: scale, atX: 400, y: 300)
                page.setZoom(zoom)
                stage.deck.sharpen()
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
        try onMainThread {
            try requireDisplay()
            let file = FileManager.default.temporaryDirectory.appending(path: "huge-\(UUID().uuidString).jpg")
            defer { try? FileManager.default.removeItem(at: file) }
            let picture = try Self.pattern(width: 2300, height: 1300)
            try Image(bitmap: picture).data(as: .jpeg).write(to: file)
            let photo = Photo(url: file)
            photo.context.manager = WebImageManager(
                cache: SuspendedCache(), loader: FileLoader(maximumByteCount: 1000))
            let stage = BrowserStage(1)
            defer { stage.close() }
            stage.app.photos[0] = photo
            stage.embed()
            iterate(until: { stage.page?.hasPicture == true }, "the base is there")
            XCTAssertNil(photo.error)
            XCTAssertEqual(photo.originalPixelSize, picture.size)
            let page = try XCTUnwrap(stage.page)
            var zoom = page.zoom
            zoom.zoom(to: 1, atX: 400, y: 300)
            page.setZoom(zoom)
            stage.deck.sharpen()
            XCTAssertNotNil(page.tiles)
            try compare(stage, try Image(data: Data(contentsOf: file)), "of a file that is too large")
        }
    }

    @MainActor
    private func compare(_ stage: BrowserStage, _ whole: Image, _ place: String) throws {
        let page = try XCTUnwrap(stage.page)
        let expected = Rendering(
            PaintableHandle(TurnedPage(whole, page.zoom.frame, page.quarterTurns)), width: 800, height: 600)
        var best = 0.0
        iterate(
            until: {
                guard let paintable = gtk_picture_get_paintable(OpaquePointer(stage.browser.stage)) else {
                    return false
                }
                best = Rendering(paintable, width: 800, height: 600).psnr(expected)
                return best > 50
            }, "the sharp tiles: \(place)")
    }

    @MainActor
    private func zoom(_ stage: BrowserStage, to scale: Double) {
        guard let page = stage.page else { return }
        var zoom = page.zoom
        zoom.zoom(to: scale, atX: 400, y: 300)
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

    /// A file that is cut off while tiles are read from it leaves the picture, and no crash; the next zoom opens it anew.
    func testCutOff() throws {
        try onMainThread {
            let (stage, file) = try stage(Self.pattern(width: 4300, height: 1200))
            defer {
                stage.close()
                try? FileManager.default.removeItem(at: file)
            }
            let page = try XCTUnwrap(stage.page)
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
                    return page.tiles == nil
                }, "the tiles have failed")
            XCTAssertTrue(page.hasPicture)
            iterate(until: { !page.isOpeningTiles }, "the file was looked at again")
            XCTAssertNil(page.tiles)
        }
    }
}

/// A picture that was turned, over black, drawn by the plainest means.
@MainActor
private final class TurnedPage: PaintableContent {
    private let texture: Texture
    private let frame: PointRect
    private let turns: Int
    let isImmutable = true
    let intrinsicSize = PointSize(width: 0, height: 0)

    init(_ image: Image, _ frame: PointRect, _ turns: Int) {
        texture = Texture(image.bitmap)
        self.frame = frame
        self.turns = turns
    }

    func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        let snapshot = Snapshot(pointer: snapshot)
        let black = RGBAColor(red: 0, green: 0, blue: 0, alpha: 255)
        snapshot.fill(PointRect(x: 0, y: 0, width: width, height: height), from: black, to: black, axis: .vertical)
        snapshot.moved(toX: frame.x, y: frame.y) {
            snapshot.turned(byQuarters: turns, in: frame.size) { size in
                snapshot.draw(texture, in: PointRect(x: 0, y: 0, size: size))
            }
        }
    }

    func frozen() -> any PaintableContent { self }
}
