import Glibc
import Testing
import WebImageCore
import WebImagePixels
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Rotation")
struct RotationTests {
    @Test(
        "TRF-5 IMG-3 a rotation equals bicubic interpolation in double precision, transparent outside, at every depth",
        arguments: PictureKind.allCases, [true, false])
    func exact(kind: PictureKind, fitsSize: Bool) throws {
        let picture = try kind.picture(PixelSize(width: 41, height: 27))
        for angle in [0.3, .pi / 4, -1.2, 2.5, 7] {
            let result = try picture.rotated(by: angle, fitsSize: fitsSize)
            let exact = PixelReference(picture).rotated(by: angle, to: result.size).held
            #expect(exact.distance(from: result) <= max(kind.tolerance, 0.03), "\(angle)")
            #expect(!result.isOpaque)
            guard fitsSize else {
                #expect(result.size == picture.size)
                continue
            }
            let bounds = (41 * abs(cos(angle)) + 27 * abs(sin(angle)), 41 * abs(sin(angle)) + 27 * abs(cos(angle)))
            #expect(result.size == PixelSize(width: Int(bounds.0.rounded(.up)), height: Int(bounds.1.rounded(.up))))
        }
    }

    @Test("TRF-5 quarter turns move pixels and change none", arguments: PictureKind.allCases)
    func quarterTurns(kind: PictureKind) throws {
        let picture = try kind.picture(PixelSize(width: 70, height: 37))
        let source = PixelReference(picture)
        let left = try picture.rotated(by: .pi / 2)
        #expect(left.size == PixelSize(width: 37, height: 70))
        #expect(left.isOpaque == picture.isOpaque)
        let turned = PixelReference(left)
        for (x, y) in [(0, 0), (36, 0), (36, 69), (0, 69), (5, 60), (17, 16)] {
            #expect(turned[x, y] == source[69 - y, x])
        }
        let half = try picture.rotated(by: .pi)
        #expect(half.bytes == (try picture.flipped(horizontal: true, vertical: true).bytes))
        let right = try picture.rotated(by: -.pi / 2)
        #expect(try right.rotated(by: .pi / 2).bytes == picture.bytes)
        #expect(right.bytes == (try left.rotated(by: .pi).bytes))
        #expect(try picture.rotated(by: 4 * .pi).bytes == picture.bytes)
        #expect(try picture.rotated(by: 0) === picture)
    }

    @Test("the edges of an opaque picture with straight alpha keep its colour")
    func straightEdges() throws {
        let size = PixelSize(width: 20, height: 20)
        let white = try Bitmap(size: size, format: .rgba8Straight, pixels: Array(repeating: 255, count: 4 * size.area))
        let result = try white.rotated(by: 0.5)
        let pixels = (0..<result.size.area).map { result.pixel($0 % result.size.width, $0 / result.size.width) }
        #expect(pixels.contains { (1..<255).contains($0[3]) })
        #expect(pixels.allSatisfy { $0[3] == 0 || $0[..<3] == [255, 255, 255] })
    }

    @Test("an even colour stays exact inside, and a turned edge is smooth")
    func evenColour() throws {
        let plain = try TestPicture.plain(PixelSize(width: 60, height: 60), [100, 50, 20, 255])
        let result = try plain.rotated(by: 0.5, fitsSize: false)
        for y in 20..<40 { for x in 20..<40 { #expect(result.pixel(x, y) == [100, 50, 20, 255]) } }
        let alphas = Set((0..<60).map { result.pixel($0, 5)[3] })
        #expect(alphas.count > 2)
    }

    @Test("TRF-5 a square cut by its own size keeps it after a quarter turn, and a rectangle is cut")
    func sameSize() throws {
        let picture = try PictureKind.opaque.picture(PixelSize(width: 30, height: 10))
        let result = try picture.rotated(by: .pi / 2, fitsSize: false)
        #expect(result.size == picture.size)
        #expect(result.pixel(0, 5) == [0, 0, 0, 0])
        #expect(result.pixel(15, 0)[3] > 0)
    }

    @Test(
        "an angle that is no number gives no picture, and a thin picture can be turned",
        arguments: [Double.nan, .infinity, -.infinity])
    func badAngles(angle: Double) throws {
        let image = Image(bitmap: try TestPicture.plain(PixelSize(width: 3, height: 2), [1, 2, 3, 255]))
        #expect(image.rotated(by: angle) == nil)
        #expect(throws: WebImageError.self) { try image.bitmap.rotated(by: angle) }
        #expect(image.rotated(by: 1e300) != nil)
        let thin = Image(bitmap: try TestPicture.plain(PixelSize(width: 1, height: 60_000), [1, 2, 3, 255]))
        #expect(thin.rotated(by: .pi / 2)?.pixelSize == PixelSize(width: 60_000, height: 1))
        #expect(thin.rotated(by: 0.78) == nil, "the canvas has more pixels than the limit")
    }

    @Test("TRF-4 IMG-3 flips move pixels at every depth, on all processors", arguments: PictureKind.allCases)
    func flips(kind: PictureKind) throws {
        let picture = try kind.picture(PixelSize(width: 300, height: 301))
        let source = PixelReference(picture)
        let (across, down) = (
            PixelReference(try picture.flipped(horizontal: true, vertical: false)),
            PixelReference(try picture.flipped(horizontal: false, vertical: true))
        )
        for (x, y) in [(0, 0), (299, 0), (299, 300), (0, 300), (17, 250), (150, 150)] {
            #expect(across[x, y] == source[299 - x, y])
            #expect(down[x, y] == source[x, 300 - y])
        }
    }
}

extension PixelReference {
    /// About the centre, counter-clockwise, by Keys's cubic convolution with a = −½.
    func rotated(by angle: Double, to size: PixelSize) -> PixelReference {
        var result = PixelReference(
            width: size.width, height: size.height, channels: Array(repeating: 0, count: size.area * 4))
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (right, down) = (
                    Double(x) + 0.5 - Double(size.width) / 2, Double(y) + 0.5 - Double(size.height) / 2
                )
                let place = (
                    right * cos(angle) - down * sin(angle) + Double(width) / 2 - 0.5,
                    right * sin(angle) + down * cos(angle) + Double(height) / 2 - 0.5
                )
                result[x, y] = sampled(place.0, place.1)
            }
        }
        return result
    }

    private func sampled(_ x: Double, _ y: Double) -> [Double] {
        var sum = [0.0, 0, 0, 0]
        for row in Int(floor(y)) - 1...Int(floor(y)) + 2 where 0..<height ~= row {
            for column in Int(floor(x)) - 1...Int(floor(x)) + 2 where 0..<width ~= column {
                let weight = Self.cubic(abs(x - Double(column))) * Self.cubic(abs(y - Double(row)))
                for channel in 0..<4 { sum[channel] += self[column, row][channel] * weight }
            }
        }
        return sum
    }

    private static func cubic(_ x: Double) -> Double {
        if x <= 1 { return 1.5 * x * x * x - 2.5 * x * x + 1 }
        return x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 : 0
    }
}
