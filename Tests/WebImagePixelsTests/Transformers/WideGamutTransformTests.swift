import Testing
import WebImageCore
import WebImageTestSupport

@testable import WebImagePixels
@testable import WebImageTestDoubles

@Suite("Operations on pictures in Display P3")
struct WideGamutTransformTests {
    private static let color: [UInt8] = [200, 100, 50]
    /// sRGB's red in Display P3.
    private static let red: [UInt8] = [234, 51, 35, 255]

    @Test("operations keep the colour space, and an even colour")
    func kept() throws {
        let bitmap = try WidePicture.bitmap(Self.color, .rgba8Premultiplied, side: 20)
        let operations: [(Bitmap) throws -> Bitmap] = [
            { try $0.resized(to: PixelSize(width: 9, height: 7)) },
            { try $0.resized(to: PixelSize(width: 9, height: 7), inLinearLight: true) },
            { try $0.blurred(radius: 2) }, { try $0.rotated(by: 0.3, fitsSize: false) },
            { try $0.rotated(by: .pi / 2) },
            { try $0.cropped(columns: 2..<12, rows: 1..<9) }, { try $0.flipped(horizontal: true, vertical: false) },
            { try $0.sharpened() }, { try $0.filtered(by: [.saturation(1)]) },
        ]
        for operation in operations {
            let result = try operation(bitmap)
            #expect(result.colorSpace == .displayP3 && result.format == .rgba8Premultiplied)
            let middle = result.pixel(result.size.width / 2, result.size.height / 2)
            #expect(largestDifference(middle, Self.color + [255]) <= 1)
        }
        let rounded = try #require(Image(bitmap: bitmap).roundedCorners(radius: 4)).bitmap
        #expect(rounded.colorSpace == .displayP3 && rounded.pixel(10, 10) == Self.color + [255])
    }

    @Test("light is mixed by the same curve as in sRGB")
    func linearLight() throws {
        let pixels = [UInt8]((0..<64).flatMap { [$0 % 2 * 255, $0 % 3 * 100, 90, 255] as [UInt8] })
        let size = PixelSize(width: 64, height: 1)
        let results = try [ColorSpace.sRGB, .displayP3].map {
            try Bitmap(size: size, colorSpace: $0, pixels: pixels)
                .resized(to: PixelSize(width: 20, height: 1), inLinearLight: true)
        }
        #expect(results[0].bytes == results[1].bytes)
    }

    @Test(
        "colours that are drawn look as in sRGB",
        arguments: [PixelFormat.rgba8Premultiplied, .rgba8Straight, .rgba16Straight])
    func drawnColors(format: PixelFormat) throws {
        let image = Image(bitmap: try WidePicture.bitmap(Self.color, format, side: 20))
        let red = RGBAColor(red: 255, green: 0, blue: 0)
        let results = [
            (image.padded(by: EdgeInsets(all: 3), color: red), 2),
            (image.roundedCorners(radius: 0, borderWidth: 4, borderColor: red), 4),
            (image.tinted(with: red), 0), (image.tinted(with: red, mode: .normal), 0),
        ]
        for (result, column) in results {
            let bitmap = try #require(result).bitmap
            #expect(bitmap.colorSpace == .displayP3 && bitmap.format == format)
            let pixel = try bitmap.converted(to: .rgba8Straight, in: .displayP3).pixel(column, 10)
            #expect(largestDifference(pixel, Self.red) <= 1, "\(pixel)")
        }
        #expect(RGBAColor.white.numbers(in: .displayP3) == .white && RGBAColor.black.numbers(in: .displayP3) == .black)
        #expect(red.numbers(in: .bt2100PQ) == red && red.numbers(in: .sRGB) == red)
    }

    @Test("an overlay keeps its colours in the picture's colour space")
    func overlays() throws {
        let wide = try WidePicture.bitmap(Self.color, side: 9)
        let plain = try WidePicture.bitmap([255, 0, 0], side: 9, colorSpace: .sRGB)
        let onWide = try wide.overlaid(with: plain, x: 2, y: 2)
        #expect(onWide.colorSpace == .displayP3 && onWide.pixel(0, 0) == Self.color + [255])
        #expect(largestDifference(onWide.pixel(5, 5), Self.red) <= 1)
        let onPlain = try plain.overlaid(with: wide, x: 2, y: 2)
        #expect(onPlain.colorSpace == .sRGB)
        #expect(largestDifference(onPlain.pixel(5, 5), [215, 93, 31, 255]) <= 1)
        let keys = [wide, try WidePicture.bitmap(Self.color, side: 9, colorSpace: .sRGB)].map {
            ImageOverlayTransformer(Image(bitmap: $0), at: .center, opacity: 1, mode: .normal).transformerKey
        }
        #expect(keys[0] != keys[1])
    }
}
