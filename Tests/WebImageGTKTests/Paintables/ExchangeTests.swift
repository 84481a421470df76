import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Conversions of pictures from and to GTK.
final class ExchangeTests: GTKTestCase, @unchecked Sendable {
    func testAPictureIsATextureAndBack() throws {
        try onMainThread {
            initializeGTK()
            let image = Image(
                bitmap: try Bitmap(
                    size: PixelSize(width: 3, height: 2),
                    pixels: [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255]
                        + [0, 0, 0, 0, 64, 32, 16, 128, 1, 2, 3, 255]))
            let texture = image.makeTexture()
            XCTAssertEqual(gdk_texture_get_width(texture), 3)
            let back = try Image(texture: texture, scale: 2)
            g_object_unref(UnsafeMutableRawPointer(texture))
            XCTAssertEqual(back.pixelSize, PixelSize(width: 3, height: 2))
            XCTAssertEqual(back.scale, 2)
            XCTAssertFalse(back.bitmap.isOpaque)
            let (before, after) = (
                image.bitmap.withUnsafeBytes { Array($0) }, back.bitmap.withUnsafeBytes { Array($0) }
            )
            XCTAssertEqual(after, before)
        }
    }

    /// The texture retains the pixels, and nothing else does.
    func testATextureKeepsItsPixelsAndLetsThemGo() throws {
        try onMainThread {
            initializeGTK()
            weak var bitmap: Bitmap?
            var texture: OpaquePointer?
            do {
                let image = try Colour.red.image()
                bitmap = image.bitmap
                texture = image.makeTexture()
            }
            XCTAssertNotNil(bitmap)
            XCTAssertEqual(try Image(texture: try XCTUnwrap(texture)).colour, .red)
            g_object_unref(UnsafeMutableRawPointer(texture))
            XCTAssertNil(bitmap)
        }
    }

    func testWhatAPaintableShowsIsAPicture() throws {
        try onMainThread {
            initializeGTK()
            let texture = try Colour.blue.image(width: 4, height: 4).makeTexture()
            defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
            let image = try XCTUnwrap(
                Image(paintable: texture, size: PointSize(width: 10.5, height: 20), scale: 2))
            XCTAssertEqual(image.pixelSize, PixelSize(width: 21, height: 40))
            XCTAssertEqual(image.colour, .blue)
            for size in [0, -1, .nan, .infinity, 9000] {
                XCTAssertNil(Image(paintable: texture, size: PointSize(width: size, height: 4)), "\(size)")
            }
            XCTAssertNil(Image(paintable: texture, size: PointSize(width: 4, height: 4), scale: .nan))
        }
    }

    /// For placeholders and failures: in the text's colour, at the screen's scale.
    func testAnIconOfTheThemeIsAPicture() throws {
        try onMainThread {
            try requireDisplay()
            let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
            g_object_ref_sink(picture)
            defer { g_object_unref(picture) }
            let icon = try XCTUnwrap(Image(iconNamed: "image-missing", size: 32, for: picture))
            XCTAssertEqual(Double(icon.pixelSize.width), 32 * icon.scale)
            let shapes = icon.bitmap.withUnsafeBytes { Set($0) }
            XCTAssertGreaterThan(shapes.count, 1, "something is drawn")
            XCTAssertNil(Image(iconNamed: "there-is-no-such-icon", size: 32, for: picture))
            for size in [0, -4, .nan, 1e9] { XCTAssertNil(Image(iconNamed: "image-missing", size: size, for: picture)) }
        }
    }

    func testALoadIsAwaited() throws {
        try onStage { stage, test in
            let results = Recorder<Result<LoadResult, WebImageError>>()
            @MainActor
            func load(_ name: String) -> Task<Void, Never> {
                let (view, url, context) = (stage.view, test.url(name), test.context)
                return Task { @MainActor in
                    do throws(WebImageError) {
                        results.append(.success(try await view.loadImage(with: url, context: context)))
                    } catch { results.append(.failure(error)) }
                }
            }
            XCTAssertFalse(stage.view.isLoading)
            _ = load("a")
            iterate(until: { !test.pending.isEmpty }, "the load")
            XCTAssertTrue(stage.view.isLoading)
            test.finish(test.url("a"), .red)
            iterate(until: { results.values.count == 1 }, "its end")
            XCTAssertEqual(try results.values[0].get().image.colour, .red)
            XCTAssertEqual(stage.colour, .red)
            XCTAssertFalse(stage.view.isLoading)
            let cancelled = load("b")
            iterate(until: { !test.pending.isEmpty }, "the second load")
            cancelled.cancel()
            iterate(until: { results.values.count == 2 }, "the end of what was cancelled")
            XCTAssertTrue(results.values[1].isCancelled)
            XCTAssertFalse(test.manager.isRunning)
        }
    }

    /// A load of an address as text, replaced by another load, ends as well.
    func testAnAwaitedLoadEndsWhenAnotherComes() throws {
        try onStage { stage, test in
            let codes = Recorder<WebImageError.Code>()
            let (view, context) = (stage.view, test.context)
            for address in ["", test.url("a").absoluteString] {
                Task { @MainActor in
                    do throws(WebImageError) { try await view.loadImage(with: address, context: context) } catch {
                        codes.append(error.code)
                    }
                }
            }
            iterate(until: { !test.pending.isEmpty }, "the load")
            stage.view.setImage(with: test.url("b"), context: test.context)
            iterate(until: { codes.values.count == 2 }, "the end of both")
            XCTAssertEqual(codes.values, [.invalidURL, .cancelled])
        }
    }
}
