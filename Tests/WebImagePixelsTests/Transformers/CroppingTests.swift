import Testing
import WebImageCore
import WebImageTestSupport

@testable import WebImagePixels
@testable import WebImageTestDoubles

@Suite("Cropping and margins")
struct CroppingTests {
    @Test(
        "TRF-3 B36 a rectangle is in points of the picture, and what lies outside is left out",
        arguments: PictureKind.allCases)
    func crops(kind: PictureKind) throws {
        let bitmap = try kind.picture(PixelSize(width: 60, height: 40))
        let (image, source) = (Image(bitmap: bitmap, scale: 2), PixelReference(bitmap))
        for (rectangle, columns, rows) in [
            (PointRect(x: 5, y: 3, width: 10, height: 4), 10..<30, 6..<14),
            (PointRect(x: -5, y: -1, width: 10, height: 4), 0..<10, 0..<6),
            (PointRect(x: 25, y: 15, width: .infinity, height: 1e300), 50..<60, 30..<40),
            (PointRect(x: 5.2, y: 3.3, width: 0.1, height: 0.1), 10..<11, 7..<8),
            (PointRect(x: 0, y: 0, width: 30, height: 20), 0..<60, 0..<40),
        ] {
            let result = try #require(image.cropped(to: rectangle))
            #expect(result.scale == 2)
            #expect(result.bitmap.isOpaque == bitmap.isOpaque)
            let cropped = PixelReference(result.bitmap)
            #expect(cropped.size == PixelSize(width: columns.count, height: rows.count))
            guard cropped.size.width == columns.count else { continue }
            for y in rows {
                for x in columns { #expect(cropped[x - columns.lowerBound, y - rows.lowerBound] == source[x, y]) }
            }
        }
    }

    @Test("TRF-3 an empty rectangle, one outside and one of no numbers give no picture")
    func badRectangles() throws {
        let image = Image(bitmap: try TestPicture.smooth(PixelSize(width: 6, height: 4)))
        for (x, y, width, height) in [
            (0, 0, 0, 1), (0, 0, 1, 0), (0, 0, -1, 1), (6, 0, 1, 1), (0, 4, 1, 1), (-3, 0, 3, 1), (0, -9, 1, 3),
            (.nan, 0, 1, 1), (0, .nan, 1, 1), (0, 0, .nan, 1), (.infinity, 0, 1, 1), (-.infinity, 0, .infinity, 1),
            (1e300, 0, 1e300, 1),
        ] as [(Double, Double, Double, Double)] {
            #expect(
                image.cropped(to: PointRect(x: x, y: y, width: width, height: height)) == nil,
                "\(x) \(y) \(width) \(height)")
        }
        #expect(throws: WebImageError.self) { try image.bitmap.cropped(columns: 9..<12, rows: 0..<1) }
        #expect(image.cropped(to: PointRect(x: 0, y: 0, width: 6, height: 4))?.bitmap === image.bitmap)
    }

    @Test("a crop to other proportions is the largest one, around a focus as far as the picture reaches")
    func aspectRatios() throws {
        let bitmap = try TestPicture.noise(PixelSize(width: 60, height: 40), isOpaque: true)
        let image = Image(bitmap: bitmap)
        for (ratio, focus, columns, rows) in [
            (1.0, UnitPoint.center, 10..<50, 0..<40), (1, UnitPoint(x: 0, y: 0), 0..<40, 0..<40),
            (1, UnitPoint(x: 0.9, y: 0.5), 20..<60, 0..<40), (3, UnitPoint(x: 0.5, y: 0.3), 0..<60, 2..<22),
            (1.5, .center, 0..<60, 0..<40), (1e9, .center, 0..<60, 20..<21),
            (1e-9, UnitPoint(x: 7, y: -7), 59..<60, 0..<40),
        ] {
            let result = try #require(image.cropped(toAspectRatio: ratio, focus: focus))
            #expect(result.bitmap.bytes == bitmap.bytes(x: columns, y: rows), "\(ratio) \(focus)")
        }
        for ratio in [0, -1, Double.nan, .infinity] { #expect(image.cropped(toAspectRatio: ratio) == nil) }
        #expect(image.cropped(toAspectRatio: 1, focus: UnitPoint(x: .nan, y: 0)) == nil)
    }

    @Test(
        "a margin has its colour and keeps the picture, and trimming takes it away again",
        arguments: PictureKind.allCases)
    func margins(kind: PictureKind) throws {
        let image = Image(bitmap: try kind.picture(PixelSize(width: 30, height: 20)), scale: 2)
        let color = RGBAColor(red: 250, green: 10, blue: 0, alpha: 200)
        let padded = try #require(image.padded(by: EdgeInsets(top: 1, left: 2, bottom: 3, right: 4), color: color))
        #expect(padded.pixelSize == PixelSize(width: 42, height: 28))
        #expect(!padded.bitmap.isOpaque)
        let reference = PixelReference(padded.bitmap)
        let expected = color.premultipliedFloats.map(Double.init)
        for (x, y) in [(0, 0), (3, 10), (41, 27), (34, 3)] {
            #expect(zip(reference[x, y], expected).allSatisfy { abs($0 - $1) < 0.003 })
        }
        let inner = try padded.bitmap.cropped(columns: 4..<34, rows: 2..<22)
        #expect(inner.bytes == image.bitmap.bytes)
        let trimmed = try #require(padded.trimmed())
        #expect(trimmed.bitmap.bytes == image.bitmap.bytes)
        #expect(image.padded(by: EdgeInsets())?.bitmap === image.bitmap)
        for width in [-1, Double.nan, .infinity, 1e9] {
            #expect(image.padded(by: EdgeInsets(left: width)) == nil)
            #expect(image.padded(by: EdgeInsets(all: width)) == nil)
        }
    }

    @Test(
        "hidden colours of fully transparent pixels are no picture",
        arguments: [PixelFormat.rgba8Straight, .rgba16Straight])
    func hiddenColours(format: PixelFormat) throws {
        var pixels = (0..<54).flatMap { index -> [UInt8] in [UInt8(index * 4), UInt8(index), 7, 0] }
        pixels.replaceSubrange((2 * 9 + 4) * 4..<(2 * 9 + 5) * 4, with: [0, 0, 0, 255])
        let size = PixelSize(width: 9, height: 6)
        let bitmap = try Bitmap(size: size, format: .rgba8Straight, pixels: pixels).converted(to: format)
        #expect(Image(bitmap: bitmap).trimmed()?.pixelSize == PixelSize(width: 1, height: 1))
    }

    @Test("trimming allows for a tolerance, and a picture of one colour stays")
    func trimming() throws {
        var pixels: [UInt8] = []
        for y in 0..<10 {
            for x in 0..<12 {
                pixels += 3..<9 ~= x && 2..<5 ~= y ? [200, 0, 0, 255] : [UInt8(10 + x % 3), 10, 10, 255]
            }
        }
        let image = Image(bitmap: try Bitmap(size: PixelSize(width: 12, height: 10), pixels: pixels))
        #expect(image.trimmed(tolerance: 2 / 255)?.pixelSize == PixelSize(width: 6, height: 3))
        #expect(image.trimmed(tolerance: 1 / 255)?.pixelSize != PixelSize(width: 6, height: 3))
        #expect(image.trimmed(tolerance: 1) === image)
        #expect(image.trimmed(tolerance: .infinity) === image)
        #expect(image.trimmed(tolerance: -1) == nil)
        #expect(image.trimmed(tolerance: .nan) == nil)
    }

    @Test("a circle is the middle of the picture, transparent at its corners, with a border")
    func circle() throws {
        let image = Image(bitmap: try TestPicture.plain(PixelSize(width: 60, height: 40), [90, 80, 70, 255]))
        let circle = try #require(image.circular(borderWidth: 2, borderColor: .black))
        #expect(circle.pixelSize == PixelSize(width: 40, height: 40))
        #expect(circle.bitmap.pixel(0, 0) == [0, 0, 0, 0])
        #expect(circle.bitmap.pixel(20, 20) == [90, 80, 70, 255])
        #expect(circle.bitmap.pixel(20, 2) == [0, 0, 0, 255])
        #expect(image.circular(borderWidth: .nan) == nil)
    }

    @Test("TRF-3 keys have all parameters")
    func keys() {
        #expect(
            ImageCroppingTransformer(PointRect(x: 0, y: 0, width: 50, height: 50)).transformerKey
                == "SDImageCroppingTransformer({0.000000,0.000000,50.000000,50.000000})")
        let keys = [
            BuiltInTransformer.crop(aspectRatio: 1.5), .crop(aspectRatio: 1.5, focus: UnitPoint(x: 0.5, y: 0.4)),
            .pad(EdgeInsets(all: 1)), .pad(EdgeInsets(all: 1), color: .white), .pad(EdgeInsets(top: 1)), .trim(),
            .trim(tolerance: 0.1), .circle(), .circle(borderWidth: 1), .circle(borderWidth: 1, borderColor: .black),
        ].map(\.transformerKey)
        #expect(Set(keys).count == keys.count)
    }
}
