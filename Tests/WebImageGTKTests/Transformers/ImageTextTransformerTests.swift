import WebImage
import WebImageGTK
import XCTest

final class ImageTextTransformerTests: XCTestCase {
    private func black() throws -> Image {
        let pixels = Array(repeating: [0, 0, 0, 255] as [UInt8], count: 120 * 60).flatMap(\.self)
        return Image(bitmap: try Bitmap(size: PixelSize(width: 120, height: 60), pixels: pixels))
    }

    private func brightPixels(_ image: Image, columns: Range<Int>, rows: Range<Int>) throws -> Int {
        try XCTUnwrap(image.colors(columns: columns, rows: rows)).count { $0.red > 100 }
    }

    func testTextIsWrittenAtItsPlaceInItsColour() throws {
        let red = RGBAColor(red: 255, green: 0, blue: 0)
        let image = try black()
        let corner = ImageTextTransformer("WI", font: "Cantarell Bold 20", color: red, at: .bottomRight)
        let result = try XCTUnwrap(corner.transform(image, for: CacheKey("a")))
        XCTAssertEqual(result.pixelSize, image.pixelSize)
        XCTAssertGreaterThan(try brightPixels(result, columns: 60..<120, rows: 30..<60), 30)
        XCTAssertEqual(try brightPixels(result, columns: 0..<60, rows: 0..<60), 0)
        let colors = try XCTUnwrap(result.colors(columns: 0..<120, rows: 0..<60))
        XCTAssertTrue(colors.allSatisfy { $0.green == 0 && $0.blue == 0 && $0.alpha == 255 })
    }

    func testTheSizeOfAFontIsInPointsOfThePicture() throws {
        let small = ImageTextTransformer("I", font: "Cantarell Bold 12", at: .center)
        let large = ImageTextTransformer("I", font: "Cantarell Bold 24", at: .center)
        let counts = try [small, large].map { transformer in
            let result = try XCTUnwrap(transformer.transform(black(), for: CacheKey("a")))
            return try brightPixels(result, columns: 0..<120, rows: 0..<60)
        }
        XCTAssertGreaterThan(counts[1], counts[0] * 2)
        let retina = Image(bitmap: try black().bitmap, scale: 2)
        let scaled = try XCTUnwrap(small.transform(retina, for: CacheKey("a")))
        XCTAssertGreaterThan(try brightPixels(scaled, columns: 0..<120, rows: 0..<60), counts[0] * 2)
    }

    func testTextWithoutAVisiblePartLeavesThePictureAndKeysHaveEverything() throws {
        let image = try black()
        XCTAssertTrue(ImageTextTransformer("").transform(image, for: CacheKey("a")) === image)
        let keys = [
            ImageTextTransformer("a"), ImageTextTransformer("b"), ImageTextTransformer("a", font: "Serif 14"),
            ImageTextTransformer("a", color: .black), ImageTextTransformer("a", at: .center),
        ].map(\.transformerKey)
        XCTAssertEqual(Set(keys).count, keys.count)
    }
}
