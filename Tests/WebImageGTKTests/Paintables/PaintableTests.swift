import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

/// Paintables drawn with no display at all.
final class PaintableTests: GTKTestCase, @unchecked Sendable {
    func testAStillPictureIsDrawnPixelForPixel() throws {
        try onMainThread {
            initializeGTK()
            let colours: [Colour] = [.red, .green, .blue, Colour(red: 10, green: 20, blue: 30)]
            let bitmap = try Bitmap(size: PixelSize(width: 2, height: 2), pixels: colours.flatMap(\.channels))
            let handle = PaintableHandle(StillContent(Image(bitmap: bitmap)))
            let rendering = Rendering(handle, width: 2, height: 2)
            let drawn = [(0, 0), (1, 0), (0, 1), (1, 1)].map { rendering.colour(x: $0.0, y: $0.1) }
            XCTAssertEqual(drawn, colours)
        }
    }

    func testStraightAlphaIsMultipliedWhenDrawn() throws {
        try onMainThread {
            initializeGTK()
            let bitmap = try Bitmap(
                size: PixelSize(width: 1, height: 1), format: .rgba8Straight, pixels: [255, 0, 0, 128])
            let handle = PaintableHandle(StillContent(Image(bitmap: bitmap)))
            let drawn = Rendering(handle, width: 1, height: 1).colour(x: 0, y: 0)
            assertEqual(drawn, Colour(red: 128, green: 0, blue: 0, alpha: 128))
        }
    }

    func testAPictureOfScaleTwoIsHalfAsLarge() throws {
        try onMainThread {
            initializeGTK()
            let bitmap = try Colour.red.image(width: 20, height: 10).bitmap
            let handle = PaintableHandle(StillContent(Image(bitmap: bitmap, scale: 2)))
            XCTAssertEqual(handle.intrinsicSize, PointSize(width: 10, height: 5))
        }
    }

    func testAPartOfABitmapIsDrawnWithoutCopyingIt() throws {
        try onMainThread {
            initializeGTK()
            let colours: [Colour] = [.red, .red, .red, .red, .blue, .green, .red, .red, .red]
            let bitmap = try Bitmap(size: PixelSize(width: 3, height: 3), pixels: colours.flatMap(\.channels))
            let size = PixelSize(width: 2, height: 1)
            let texture = try XCTUnwrap(Texture(partOf: bitmap, x: 1, y: 1, size: size))
            let rendering = Rendering(PaintableHandle(retaining: texture.pointer), width: 2, height: 1)
            XCTAssertEqual(rendering.colour(x: 0, y: 0), .blue)
            XCTAssertEqual(rendering.colour(x: 1, y: 0), .green)
            XCTAssertNil(Texture(partOf: bitmap, x: 2, y: 0, size: size))
            XCTAssertNil(Texture(partOf: bitmap, x: -1, y: 0, size: size))
            XCTAssertNil(Texture(partOf: bitmap, x: 0, y: 0, size: PixelSize(width: 0, height: 1)))
        }
    }

    func testGTKKeepsTheBitmapAndLetsItGo() throws {
        try onMainThread {
            initializeGTK()
            var bitmap: Bitmap? = try Colour.red.image().bitmap
            weak let observed = bitmap
            var texture: Texture? = bitmap.map { Texture($0) }
            // Like a renderer, this reference outlives our own object.
            let shared = try XCTUnwrap(texture).pointer
            g_object_ref(UnsafeMutableRawPointer(shared))
            bitmap = nil
            texture = nil
            XCTAssertNil(texture)
            XCTAssertNotNil(observed)
            XCTAssertEqual(Rendering(shared, width: 1, height: 1).colour(x: 0, y: 0), .red)
            g_object_unref(UnsafeMutableRawPointer(shared))
            XCTAssertNil(observed)
        }
    }

    func testThePaintableOwnsItsContent() throws {
        try onMainThread {
            initializeGTK()
            weak var content: StillContent?
            var handle: PaintableHandle?
            try { () throws in
                let made = StillContent(try Colour.red.image())
                content = made
                handle = PaintableHandle(made)
            }()
            XCTAssertNotNil(content)
            withExtendedLifetime(handle) {}
            handle = nil
            XCTAssertNil(content)
        }
    }
}
