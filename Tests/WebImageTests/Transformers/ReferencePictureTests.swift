import WebImageTestSupport
import Testing

@testable import WebImage

/// What SDWebImage's own tests look at, on the picture that they use.
@Suite("Transformers on SDWebImage's test picture", .needsCorpus)
struct ReferencePictureTests {
    private func picture() throws -> Image {
        try ImageCodersManager.shared.decode(
            Corpus.data(at: "png/sdwebimage/TestImage.png"), options: ImageDecodeOptions())
    }

    private let clear: [UInt8] = [0, 0, 0, 0]
    private let black: [UInt8] = [0, 0, 0, 255]

    @Test("IMG-3 A71 a picture is resized to the requested size and stays upright")
    func resizes() throws {
        let image = try picture()
        let small = try #require(image.resized(to: PointSize(width: 200, height: 100), scaleMode: .fill))
        #expect(small.pixelSize == PixelSize(width: 200, height: 100))
        let large = try #require(image.resized(to: PointSize(width: 2000, height: 1000), scaleMode: .aspectFit))
        #expect(large.pixelSize == PixelSize(width: 2000, height: 1000))
        #expect(large.bitmap.pixel(1000, 50) == black)
    }

    @Test("IMG-3 A71 a rounded picture is clear at the corner, has its border and stays upright")
    func rounds() throws {
        let image = try #require(picture().roundedCorners(radius: 50, borderWidth: 1, borderColor: .black))
        #expect(image.pixelSize == PixelSize(width: 300, height: 300))
        #expect(image.bitmap.pixel(0, 0) == clear)
        #expect(image.bitmap.pixel(1, 150) == black)
        #expect(image.bitmap.pixel(150, 20) == black)
    }

    @Test("IMG-3 A71 a picture flipped both ways stands on its head")
    func flips() throws {
        let image = try #require(picture().flipped(horizontal: true, vertical: true))
        #expect(image.pixelSize == PixelSize(width: 300, height: 300))
        let block = image.bitmap.bytes(x: 75..<85, y: 75..<85)
        #expect(block == Array(repeating: image.bitmap.pixel(75, 75), count: 100).flatMap(\.self))
        #expect(image.bitmap.pixel(150, 285) == black)
    }

    @Test("TRF-9 a chain of the transformers gives the last one's size")
    func chain() throws {
        let chain = ImagePipelineTransformer([
            ImageResizingTransformer(size: PointSize(width: 100, height: 100), scaleMode: .aspectFill),
            ImageRoundCornerTransformer(radius: 50, borderWidth: 1, borderColor: .black),
            ImageFlippingTransformer(horizontal: true, vertical: true),
        ])
        let image = try #require(picture().transformed(by: chain, for: CacheKey("Test")))
        #expect(image.pixelSize == PixelSize(width: 100, height: 100))
        #expect(image.metadata.format == .png)
        #expect(image.metadata.isTransformed)
    }
}
