import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

/// Pictures that come in parts.
final class ProgressiveDisplayTests: GTKTestCase, @unchecked Sendable {
    /// S0-5: each part is shown as it is.
    func testPartsAppearFromTopToBottom() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            for rows in [2, 5, 8] {
                scene.display.show(partial: try part(rows: rows), as: .topToBottom)
                XCTAssertFalse(scene.display.isAnimating)
                let paintable = try XCTUnwrap(gtk_picture_get_paintable(OpaquePointer(scene.widget)))
                let drawn = Rendering(paintable, width: 8, height: 8)
                XCTAssertEqual((0..<8).filter { drawn.colour(x: 4, y: $0) == .blue }, Array(0..<rows))
            }
        }
    }

    func testPartsMayBecomeSharpGradually() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            scene.display.show(try Colour.red.image(width: 2, height: 2))
            scene.display.show(partial: try Colour.blue.image(width: 4, height: 4), as: .blurToSharp(duration: 1))
            scene.advance(self, by: 0)
            assertEqual(scene.stage.colour, .red)
            scene.advance(self, by: 500_000)
            let seen = scene.stage.colour
            XCTAssertGreaterThan(seen.blue, 100)
            XCTAssertGreaterThan(seen.red, 20)
            // The next part comes before the fade is over, and goes on from there.
            scene.display.show(partial: try Colour.green.image(), as: .blurToSharp(duration: 1))
            scene.advance(self, by: 0)
            assertEqual(scene.stage.colour, seen)
            scene.finish(self)
            assertEqual(scene.stage.colour, .green)
            XCTAssertTrue(scene.showsStillPicture)
        }
    }

    private func part(rows: Int) throws -> Image {
        let pixels = (0..<8).flatMap { row in
            (0..<8).flatMap { _ in (row < rows ? Colour.blue : .clear).channels }
        }
        var metadata = ImageMetadata()
        metadata.isIncremental = rows < 8
        return Image(bitmap: try Bitmap(size: PixelSize(width: 8, height: 8), pixels: pixels), metadata: metadata)
    }
}
