import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Pictures that become sharper with what is seen of them.
final class BrowserSharpnessTests: GTKTestCase, @unchecked Sendable {
    /// Runs `body` with a browser of one photo, which is there, and its decoder.
    private func onPhoto(
        _ coder: PreciseCoder, test body: @MainActor (BrowserStage, PhotoPage) throws -> Void
    ) throws {
        try onBrowser(1) {
            $0.app.photos[0].context.coder = coder
        } test: { stage in
            load(in: stage)
            try body(stage, try XCTUnwrap(stage.page))
        }
    }

    /// Waits until the picture of a page covers a size, and asserts that it does not by much.
    @MainActor
    private func awaitPicture(of size: PixelSize, on page: PhotoPage, line: UInt = #line) {
        iterate(
            until: { page.still?.image.map { $0.pixelSize.width >= size.width } ?? false }, "a picture of \(size)",
            line: line)
        XCTAssertLessThan(page.still?.image?.pixelSize.width ?? 0, size.width * 5 / 4, line: line)
    }

    /// On a display with more pixels per point, the picture is made sharper in its place; on the former one it stays so.
    func testDenserDisplay() throws {
        try onPhoto(PreciseCoder(PixelSize(width: 2000, height: 1500))) { stage, page in
            let frame = page.zoom.frame
            awaitPicture(of: PixelSize(width: 800, height: 600), on: page)
            for scale in [2.0, 1] {
                stage.deck.resize(to: stage.deck.view, scale: scale)
                stage.deck.arrange()
                stage.deck.sharpen()
                XCTAssertEqual(page.photo.isLoading, scale == 2)
                awaitPicture(of: PixelSize(width: 1600, height: 1200), on: page)
                XCTAssertEqual(page.zoom.frame, frame)
            }
        }
    }

    /// The browser notices by itself, at the next draw, that its widget has more pixels per point than before.
    func testChangeOfTheDisplay() throws {
        try onPhoto(PreciseCoder(PixelSize(width: 2000, height: 1500))) { stage, page in
            let scale = stage.deck.scale
            // As on a coarser display, where the picture is sharp at twice the size.
            stage.deck.resize(to: stage.deck.view, scale: scale / 2)
            var zoom = page.zoom
            zoom.zoom(to: zoom.scale * 2, atX: 400, y: 300)
            page.setZoom(zoom)
            stage.deck.sharpen()
            XCTAssertFalse(page.photo.isLoading)
            iterate(until: { stage.deck.scale == scale }, "the draw")
            awaitPicture(of: PixelSize(width: Int(1600 * scale), height: Int(1200 * scale)), on: page)
            XCTAssertEqual(page.zoom, zoom)
        }
    }

    /// A drawing has no pixels of its own: it is made as sharp as it is seen, beyond the size that it says.
    func testDrawing() throws {
        try onPhoto(PreciseCoder(PixelSize(width: 400, height: 300), isDrawing: true)) { stage, page in
            XCTAssertEqual(page.zoom.scale, 2)
            awaitPicture(of: PixelSize(width: 800, height: 600), on: page)
            _ = try stage.zoom(by: 1.5)
            awaitPicture(of: PixelSize(width: 1200, height: 900), on: page)
            XCTAssertEqual(page.zoom.scale, 3)
            XCTAssertEqual(page.zoom.picture, PointSize(width: 400, height: 300))
        }
    }
}

/// Decodes any bytes to a picture of as many pixels as are asked for: of a drawing, more than it says of itself.
private struct PreciseCoder: ImageCoder {
    let size: PixelSize
    let isDrawing: Bool

    init(_ size: PixelSize, isDrawing: Bool = false) {
        self.size = size
        self.isDrawing = isDrawing
    }

    func canDecode(_ data: Data) -> Bool { true }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        ImageProperties(format: .undefined, pixelSize: size)
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let wanted = options.thumbnailPixelSize ?? size
        let factor = min(
            isDrawing ? .infinity : 1,
            max(Double(wanted.width) / Double(size.width), Double(wanted.height) / Double(size.height)))
        let drawn = try Colour.red.image(
            width: Int((Double(size.width) * factor).rounded(.up)),
            height: Int((Double(size.height) * factor).rounded(.up)))
        var metadata = ImageMetadata(format: .undefined, originalPixelSize: size)
        metadata.isVector = isDrawing
        metadata.isThumbnail = factor < 1
        return Image(bitmap: drawn.bitmap, metadata: metadata)
    }

    func canEncode(_ format: ImageFormat) -> Bool { false }

    func encode(_ image: Image, to format: ImageFormat, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        throw WebImageError(.encodeFailed, stage: .encode, kind: .permanent, reason: "these are not encoded")
    }
}
