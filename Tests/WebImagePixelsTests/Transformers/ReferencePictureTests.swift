import Testing
import WebImageCoders
import WebImageCore
import WebImagePixels
import WebImageTestSupport

@testable import WebImageTestDoubles

/// The properties that SDWebImage's own tests look at, on the picture that they use.
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

    @Test("IMG-3 A71 a crop of the picture stays upright, with its transparent corner")
    func crops() throws {
        let image = try #require(picture().cropped(to: PointRect(x: 50, y: 10, width: 200, height: 200)))
        #expect(image.pixelSize == PixelSize(width: 200, height: 200))
        #expect(image.bitmap.pixel(0, 0) == clear)
        #expect(image.bitmap.pixel(100, 10) == black)
    }

    @Test("IMG-3 A71 a turned picture keeps its size or grows to the rotated box")
    func rotates() throws {
        let same = try #require(picture().rotated(by: .pi / 4, fitsSize: false))
        #expect(same.pixelSize == PixelSize(width: 300, height: 300))
        let grown = try #require(picture().rotated(by: .pi / 4))
        #expect(grown.pixelSize.width <= 426 && grown.pixelSize.width >= 424)
        // The black bar at the top is turned to the left.
        #expect(grown.bitmap.pixel(60, 175) == black)
    }

    @Test("IMG-3 A73 a tint fills the artwork and leaves the transparent centre")
    func tints() throws {
        let image = try #require(picture().tinted(with: .black))
        #expect(image.bitmap.pixel(150, 150) == clear)
        #expect(image.color(x: 80, y: 150) == .black)
        #expect(image.color(x: 150, y: 20) == .black)
        let given = try #require(picture().tinted(with: .black, mode: .sourceIn))
        #expect(given.bitmap.bytes == image.bitmap.bytes)
    }

    @Test("IMG-3 A72 a blurred picture has SDWebImage's colours and stays upright")
    func blurs() throws {
        let image = try #require(picture().blurred(radius: 25))
        let color = try #require(image.color(x: 80, y: 150))
        let expected = [0.59, 0.14, 0.12, 0.75]
        for (channel, value) in zip([color.red, color.green, color.blue, color.alpha], expected) {
            #expect(abs(Double(channel) / 255 - value) <= 0.01)
        }
        #expect(image.color(x: 150, y: 20) != image.color(x: 150, y: 280))
    }

    @Test("IMG-3 TRF-8 the negative of the picture, in linear light as Core Image makes it")
    func inverts() throws {
        let image = try #require(picture().filtered(by: .invert(inLinearLight: true)))
        let color = try #require(image.color(x: 80, y: 150))
        for (channel, value) in zip([color.red, color.green, color.blue, color.alpha], [0.851, 0.992, 0.992, 1]) {
            #expect(abs(Double(channel) / 255 - value) <= 0.01)
        }
        #expect(image.color(x: 150, y: 20) == .white)
    }

    @Test("TRF-9 S4-22 S4-24 a chain of eight transformers has the joined key and the last one's size")
    func chain() throws {
        let chain = ImagePipelineTransformer(
            [
                .resize(width: 100, height: 100, scaleMode: .aspectFill), .rotate(by: .pi / 4, fitsSize: false),
                .roundedCorners(radius: 50, borderWidth: 1, borderColor: .black),
                .flip(horizontal: true, vertical: true),
                .crop(PointRect(x: 0, y: 0, width: 50, height: 50)), .tint(.clear), .blur(radius: 5),
                .filter(.invert(inLinearLight: true)),
            ] as [BuiltInTransformer])
        #expect(
            chain.transformerKey
                == [
                    "SDImageResizingTransformer({100.000000,100.000000},2)", "SDImageRotationTransformer(0.785398,0)",
                    "SDImageRoundCornerTransformer(50.000000,18446744073709551615,1.000000,#ff000000)",
                    "SDImageFlippingTransformer(1,1)",
                    "SDImageCroppingTransformer({0.000000,0.000000,50.000000,50.000000})",
                    "SDImageTintTransformer(#00000000,18)", "SDImageBlurTransformer(5.000000)",
                    "ImageFilterTransformer(invert,1.000000,light)",
                ].joined(separator: "-"))
        let image = try #require(picture().transformed(by: chain, for: CacheKey("Test")))
        #expect(image.pixelSize == PixelSize(width: 50, height: 50))
        #expect(image.metadata.format == .png)
        #expect(image.metadata.isTransformed)
    }
}
