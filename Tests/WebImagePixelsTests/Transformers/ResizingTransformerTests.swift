import Testing
import WebImageCore
import WebImagePixels
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Resizing transformer")
struct ResizingTransformerTests {
    private static func resized(
        _ bitmap: Bitmap, _ width: Double, _ height: Double, _ mode: ImageScaleMode = .fill, scale: Double = 1
    ) -> Bitmap? {
        Image(bitmap: bitmap, scale: scale).resized(to: PointSize(width: width, height: height), scaleMode: mode)?
            .bitmap
    }

    private static let kinds: [(PixelFormat, Bool)] = [
        (.rgba8Premultiplied, false), (.rgba8Premultiplied, true), (.rgba8Straight, false), (.rgba8Straight, true),
    ]

    @Test(
        "TRF-2 the result has exactly the size, in points times the picture's scale, whatever the mode",
        arguments: ImageScaleMode.allCases)
    func exactSize(mode: ImageScaleMode) throws {
        let bitmap = try TestPicture.smooth(PixelSize(width: 120, height: 80))
        for (points, scale, pixels) in [
            ((30.0, 20.0), 1.0, (30, 20)), ((30, 20), 2, (60, 40)), ((33.4, 10.3), 1.5, (50, 15)),
            ((500, 20), 1, (500, 20)), ((1, 300), 1, (1, 300)), ((0.01, 0.01), 1, (1, 1)), ((120, 80), 1, (120, 80)),
        ] {
            let image = try #require(
                Image(bitmap: bitmap, scale: scale).resized(
                    to: PointSize(width: points.0, height: points.1), scaleMode: mode))
            #expect(image.pixelSize == PixelSize(width: pixels.0, height: pixels.1))
            #expect(image.scale == scale)
        }
    }

    @Test(
        "TRF-2 a smaller picture equals the decoder's thumbnail, which reduces by boxes first where much is to do",
        arguments: kinds)
    func likeThumbnail(format: PixelFormat, isOpaque: Bool) throws {
        let size = PixelSize(width: 331, height: 247)
        let straight = try TestPicture.noise(size, format: .rgba8Straight, isOpaque: isOpaque)
        var options = ImageDecodeOptions()
        options.pixelFormat = format
        options.preservesAspectRatio = false
        let whole = try Bitmap.assembled(straight.bytes, size: size, isOpaque: isOpaque, options: options)
        for target in [(200, 150), (331, 60), (80, 247), (60, 45), (331, 20), (13, 10)] {
            options.thumbnailPixelSize = PixelSize(width: target.0, height: target.1)
            let thumbnail = try Bitmap.assembled(
                straight.bytes, size: size, isOpaque: isOpaque, options: options)
            let resized = try #require(Self.resized(whole, Double(target.0), Double(target.1)))
            let isSmall = target.0 * 6 > size.width && target.1 * 6 > size.height
            if isSmall && (isOpaque || format.isPremultiplied) {
                #expect(largestDifference(resized.bytes, thumbnail.bytes) == 0)
            } else if format.isPremultiplied {
                #expect(peakSignalToNoise(resized.bytes, thumbnail.bytes) > 30)
            }
            #expect(resized.isOpaque == isOpaque)
            #expect(resized.format == format)
        }
    }

    @Test("TRF-2 fit leaves the same transparent margin on both sides", arguments: kinds)
    func aspectFit(format: PixelFormat, isOpaque: Bool) throws {
        let bitmap = try TestPicture.noise(PixelSize(width: 60, height: 40), format: format, isOpaque: isOpaque)
        // Wider, higher, larger, smaller, and one with an odd margin.
        for (width, height, placed, x, y) in [
            (100, 40, (60, 40), 20, 0), (60, 100, (60, 40), 0, 30), (300, 100, (150, 100), 75, 0),
            (30, 30, (30, 20), 0, 5), (61, 40, (60, 40), 0, 0),
        ] {
            let result = try #require(Self.resized(bitmap, Double(width), Double(height), .aspectFit))
            let inner = try #require(Self.resized(bitmap, Double(placed.0), Double(placed.1)))
            let (columns, rows) = (x..<x + placed.0, y..<y + placed.1)
            #expect(largestDifference(result.bytes(x: columns, y: rows), inner.bytes) == 0)
            #expect(!result.isOpaque)
            for row in 0..<height {
                for column in 0..<width where !(columns.contains(column) && rows.contains(row)) {
                    try #require(result.pixel(column, row) == [0, 0, 0, 0])
                }
            }
        }
    }

    @Test("TRF-2 fill cuts off both sides alike, just as if the whole had been scaled and then cut", arguments: kinds)
    func aspectFill(format: PixelFormat, isOpaque: Bool) throws {
        let bitmap = try TestPicture.noise(PixelSize(width: 310, height: 206), format: format, isOpaque: isOpaque)
        for (width, height, placed) in [
            (206, 206, (310, 206)), (310, 100, (310, 206)), (50, 50, (75, 50)), (10, 10, (15, 10)),
            (300, 20, (300, 199)), (400, 300, (451, 300)), (8, 100, (150, 100)), (7, 10, (15, 10)),
        ] {
            let result = try #require(Self.resized(bitmap, Double(width), Double(height), .aspectFill))
            let whole = try #require(Self.resized(bitmap, Double(placed.0), Double(placed.1)))
            // The odd pixel is at the left and at the top.
            let (x, y) = ((placed.0 - width + 1) / 2, (placed.1 - height + 1) / 2)
            #expect(largestDifference(result.bytes, whole.bytes(x: x..<x + width, y: y..<y + height)) == 0)
            #expect(result.isOpaque == isOpaque)
        }
    }

    @Test(
        "TRF-2 an enlarged picture equals that of an exact Lanczos filter in floating point",
        arguments: [(200, 150), (97, 300), (66, 49), (65, 12)])
    func enlarged(width: Int, height: Int) throws {
        let size = PixelSize(width: 65, height: 48)
        let bitmap = try TestPicture.smooth(size)
        let result = try #require(Self.resized(bitmap, Double(width), Double(height)))
        let exact = ExactLanczos.resampled(bitmap.bytes, from: size, to: PixelSize(width: width, height: height))
        #expect(peakSignalToNoise(result.bytes, exact) >= 50)
        #expect(result.isOpaque)
    }

    @Test("an even colour stays exact, enlarged or not, out of one pixel or many")
    func constant() throws {
        for size in [(1, 1), (2, 1), (3, 2), (50, 40)].map({ PixelSize(width: $0.0, height: $0.1) }) {
            let bitmap = try TestPicture.plain(size, [10, 77, 200, 255])
            for target in [(7, 5), (64, 48), (300, 1)] {
                for mode in [ImageScaleMode.fill, .aspectFill] {
                    let result = try #require(Self.resized(bitmap, Double(target.0), Double(target.1), mode))
                    let expected = (0..<target.0 * target.1).flatMap { _ in [10, 77, 200, 255] as [UInt8] }
                    #expect(largestDifference(result.bytes, expected) == 0)
                }
            }
        }
    }

    @Test("hidden colours of transparent pixels do not appear at the edges of an enlarged picture")
    func hiddenColours() throws {
        let pixels: [UInt8] = (0..<400).flatMap { $0 % 20 < 10 ? [200, 120, 40, 255] : [0, 255, 0, 0] }
        let bitmap = try Bitmap(size: PixelSize(width: 20, height: 20), format: .rgba8Straight, pixels: pixels)
        let result = try #require(Self.resized(bitmap, 90, 90))
        var translucent = 0
        for x in 0..<90 where result.pixel(x, 45)[3] >= 32 {
            #expect(largestDifference(result.pixel(x, 45).dropLast(), [200, 120, 40]) <= 5)
            translucent += result.pixel(x, 45)[3] < 255 ? 1 : 0
        }
        #expect(translucent > 0)
    }

    @Test("a picture of extreme shape is cut to a square without memory for all of it")
    func extremeShapes() throws {
        let bitmap = try TestPicture.smooth(PixelSize(width: 30_000, height: 1))
        // The full size would have 30,000 × 1,000 × 1,000 pixels.
        let result = try #require(Self.resized(bitmap, 1000, 1000, .aspectFill))
        #expect(result.size == PixelSize(width: 1000, height: 1000))
        #expect(result.isOpaque)
        let fitted = try #require(Self.resized(bitmap, 100, 100, .aspectFit))
        #expect(fitted.pixel(50, 49)[3] == 255)
        #expect(fitted.pixel(50, 48)[3] == 0 && fitted.pixel(50, 50)[3] == 0)
    }

    @Test(
        "TRF-2 an invalid size gives no picture, and a size beyond the limit takes no memory",
        arguments: [0, -0.0, -1, Double.nan, .infinity, -.infinity, 1e300, .greatestFiniteMagnitude, 1e9])
    func hostileSizes(length: Double) throws {
        let bitmap = try TestPicture.plain(PixelSize(width: 3, height: 2), [1, 2, 3, 255])
        for mode in ImageScaleMode.allCases {
            #expect(Self.resized(bitmap, length, 10, mode) == nil)
            #expect(Self.resized(bitmap, 10, length, mode) == nil)
            #expect(Self.resized(bitmap, length, length, mode) == nil)
        }
    }

    @Test("the limit is on pixels, so a picture's scale counts")
    func pixelLimit() throws {
        let bitmap = try TestPicture.plain(PixelSize(width: 3, height: 2), [1, 2, 3, 255])
        #expect(Self.resized(bitmap, 20_000, 20_000) == nil)
        #expect(Self.resized(bitmap, 10, 10, scale: 5000) == nil)
        #expect(
            Self.resized(bitmap, 10, 10, scale: .infinity)?.size == PixelSize(width: 10, height: 10), "it counts as 1")
        #expect(Self.resized(bitmap, 10, 10, scale: .greatestFiniteMagnitude) == nil)
        #expect(Self.resized(bitmap, .leastNonzeroMagnitude, 10)?.size == PixelSize(width: 1, height: 10))
    }

    @Test("a picture of that size already is not copied")
    func unchanged() throws {
        let image = Image(bitmap: try TestPicture.smooth(PixelSize(width: 20, height: 10)), scale: 2)
        for mode in ImageScaleMode.allCases {
            let result = try #require(image.resized(to: PointSize(width: 10, height: 5), scaleMode: mode))
            #expect(result.bitmap === image.bitmap)
            #expect(result !== image)
        }
    }
}
