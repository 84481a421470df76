import Glibc
import Testing
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImagePixels
@testable import WebImageTestDoubles

@Suite("Blur")
struct BlurTests {
    @Test(
        "TRF-7 A72 a blur equals the Gaussian of that standard deviation in double precision, with extended edges",
        arguments: [0.3, 0.8, 1.5, 2.4, 4, 5, 7.5, 10, 13, 20, 31], PictureKind.allCases)
    func exact(radius: Double, kind: PictureKind) throws {
        let picture = try kind.picture(PixelSize(width: 47, height: 25))
        let result = try picture.blurred(radius: radius)
        #expect(result.format == picture.format)
        #expect(result.isOpaque == picture.isOpaque)
        let exact = PixelReference(picture).blurred(radius)
        #expect(exact.distance(from: result) <= (kind.tolerance == 1 ? 1 : 0.25))
        #expect(exact.signalToNoise(of: result) >= 50)
    }

    @Test("strips of a large picture fit together", arguments: [3.0, 20])
    func strips(radius: Double) throws {
        let picture = try TestPicture.smooth(PixelSize(width: 100, height: 3000))
        let result = PixelReference(try picture.blurred(radius: radius))
        let source = PixelReference(picture)
        // Around the ends of strips, and elsewhere.
        for y in [0, 63, 64, 65, 100, 750, 1499, 1500, 1501, 2047, 2048, 2999] {
            let part = source.rows(around: y, reach: Int(radius * 6) + 1).blurred(radius)
            for x in [0, 50, 99] {
                let exact = part[x, min(y, Int(radius * 6) + 1)]
                #expect(zip(exact, result[x, y]).allSatisfy { abs($0 - $1) * 255 <= 1 }, "\(x), \(y)")
            }
        }
    }

    @Test(
        "beside its result a narrow blur takes a few rows, however wide or high the picture",
        arguments: [(1, 60_000), (60_000, 64), (4000, 3000)], [0.5, 3, 4.9])
    func workingMemory(sides: (Int, Int), radius: Double) throws {
        let size = PixelSize(width: sides.0, height: sides.1)
        let bitmap = try Bitmap(size: PixelSize(width: size.width, height: 1), color: .white)
        let blur = GaussianBlur(bitmap, deviation: radius)
        #expect(blur.stripHeight == nil)
        // Three rows of floats, and room for what lies beyond the edges.
        #expect(blur.workingByteCount(rows: 0..<1) <= 3 * (size.width + 40) * 16)
    }

    @Test("a narrow blur of a high and of a wide picture is exact", arguments: [(1, 60_000), (60_000, 64)])
    func extremes(sides: (Int, Int)) throws {
        let picture = try TestPicture.smooth(PixelSize(width: sides.0, height: sides.1))
        let result = PixelReference(try picture.blurred(radius: 3))
        let source = PixelReference(picture)
        #expect(result.size == picture.size)
        for y in [0, 20, sides.1 / 2, sides.1 - 1] where sides.0 == 1 {
            let exact = source.rows(around: y, reach: 19).blurred(3)[0, min(y, 19)]
            #expect(zip(exact, result[0, y]).allSatisfy { abs($0 - $1) * 255 <= 1 }, "\(y)")
        }
    }

    @Test("an even colour stays exact under every blur, and a transparent edge gets no other colour")
    func evenColour() throws {
        let plain = try TestPicture.plain(PixelSize(width: 50, height: 3), [10, 77, 130, 200])
        for radius in [0.5, 3, 9, 40, 1e9, .infinity] {
            #expect(try plain.blurred(radius: radius).bytes == plain.bytes)
        }
        let half = try Bitmap(
            size: PixelSize(width: 40, height: 1), format: .rgba8Straight,
            pixels: (0..<40).flatMap { $0 < 20 ? [200, 100, 50, 255] : [0, 255, 0, 0] as [UInt8] })
        let blurred = try half.blurred(radius: 4)
        for x in 0..<40 where blurred.pixel(x, 0)[3] > 8 {
            #expect(largestDifference(blurred.pixel(x, 0)[..<3], [200, 100, 50]) <= 2)
        }
    }

    @Test("TRF-7 a radius of 0 or less gives the picture itself, NaN gives none, and points count by the scale")
    func radii() throws {
        let image = Image(bitmap: try TestPicture.smooth(PixelSize(width: 30, height: 20)), scale: 2)
        #expect(image.blurred(radius: 0) === image)
        #expect(image.blurred(radius: -3) === image)
        #expect(image.blurred(radius: .nan) == nil)
        #expect(image.blurred(radius: 2)?.bitmap.bytes == (try image.bitmap.blurred(radius: 4).bytes))
        for size in [PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 60_000)] {
            let thin = try TestPicture.plain(size, [1, 2, 3, 4])
            #expect(try thin.blurred(radius: 20).bytes == thin.bytes)
        }
    }
}

extension PixelReference {
    /// The rows up to a distance from one, as far as there are any.
    fileprivate func rows(around y: Int, reach: Int) -> PixelReference {
        let rows = max(0, y - reach)..<min(height, y + reach + 1)
        return PixelReference(
            width: width, height: rows.count,
            channels: Array(channels[rows.lowerBound * width * 4..<rows.upperBound * width * 4]))
    }

    func blurred(_ deviation: Double) -> PixelReference {
        let reach = Int((deviation * 6).rounded(.up)) + 1
        let heights = (-reach...reach).map { exp(-0.5 * pow(Double($0) / deviation, 2)) }
        let sum = heights.reduce(0, +)
        let taps = { (index: Int) in zip(-reach...reach, heights).map { (index + $0, $1 / sum) } }
        return summed(width: width, height: height, across: taps, down: taps)
    }
}
