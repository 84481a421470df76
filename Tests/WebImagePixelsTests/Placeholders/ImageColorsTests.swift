import Testing
import WebImageCore
import WebImagePixels

@testable import WebImageTestDoubles

enum TestColors {
    static func plain(_ width: Int, _ height: Int, _ pixel: [UInt8]) throws -> Bitmap {
        try stripes(width, height, [(pixel, height)])
    }

    /// Rows of even colours, straight.
    static func stripes(_ width: Int, _ height: Int, _ stripes: [([UInt8], Int)]) throws -> Bitmap {
        let pixels = stripes.flatMap { stripe in (0..<stripe.1 * width).flatMap { _ in stripe.0 } }
        return try Bitmap(size: PixelSize(width: width, height: height), format: .rgba8Straight, pixels: pixels)
    }
}

@Suite("Average and dominant colours")
struct ImageColorsTests {
    private let red: [UInt8] = [220, 20, 30, 255]
    private let green: [UInt8] = [10, 160, 60, 255]
    private let blue: [UInt8] = [20, 40, 200, 255]

    private func image(_ stripes: [([UInt8], Int)]) throws -> Image {
        Image(bitmap: try TestColors.stripes(20, 20, stripes))
    }

    @Test("the average is that of the light, so that black and white are not a dark gray")
    func average() throws {
        let checks = try image([([0, 0, 0, 255], 10), ([255, 255, 255, 255], 10)])
        #expect(checks.averageColor == RGBAColor(red: 188, green: 188, blue: 188))
        #expect(try image([(red, 20)]).averageColor == RGBAColor(red: 220, green: 20, blue: 30))
    }

    @Test("transparent pixels count in the average by their alpha, and in its alpha")
    func translucentAverage() throws {
        let half = try image([(red, 10), ([0, 255, 0, 0], 10)])
        #expect(half.averageColor == RGBAColor(red: 220, green: 20, blue: 30, alpha: 128))
        #expect(try image([([9, 9, 9, 0], 20)]).averageColor == .clear)
    }

    @Test("the dominant colours of even areas are exactly theirs, the largest area first")
    func dominant() throws {
        let colors = try image([(red, 4), (green, 6), (blue, 10)]).dominantColors()
        #expect(
            colors.map(\.color) == [
                RGBAColor(red: 20, green: 40, blue: 200), RGBAColor(red: 10, green: 160, blue: 60),
                RGBAColor(red: 220, green: 20, blue: 30),
            ])
        #expect(zip(colors.map(\.share), [0.5, 0.3, 0.2]).allSatisfy { abs($0 - $1) < 1e-9 })
    }

    @Test("a small bright area is a colour of its own, and shades of one colour are one")
    func accents() throws {
        let shades = (0..<6).map { shade -> ([UInt8], Int) in ([120 + UInt8(shade), 122 + UInt8(shade), 130, 255], 3) }
        let colors = try image(shades + [(red, 2)]).dominantColors(count: 4)
        #expect(colors.count == 2)
        #expect(colors.last?.color == RGBAColor(red: 220, green: 20, blue: 30))
    }

    @Test("the count is a limit, and numbers out of range mean the nearest")
    func counts() throws {
        let picture = try image([(red, 4), (green, 6), (blue, 10)])
        #expect(picture.dominantColors(count: 1).map(\.share) == [1])
        #expect(picture.dominantColors(count: 2).count == 2)
        #expect(picture.dominantColors(count: 0).isEmpty && picture.dominantColors(count: .min).isEmpty)
        #expect(picture.dominantColors(count: .max).count == 3)
        let rich = Image(bitmap: try HashPicture.bitmap(90, 70))
        let palette = rich.dominantColors(count: 6)
        #expect((3...6).contains(palette.count))
        #expect(abs(palette.reduce(0) { $0 + $1.share } - 1) < 1e-9)
        #expect(palette.map(\.share) == palette.map(\.share).sorted(by: >))
        #expect(rich.dominantColors(count: 6) == palette, "without chance")
    }

    @Test("what is transparent has no colour")
    func transparent() throws {
        #expect(try image([([200, 0, 0, 0], 20)]).dominantColors().isEmpty)
        let colors = try image([(green, 5), ([255, 0, 0, 0], 15)]).dominantColors()
        #expect(colors == [DominantColor(color: RGBAColor(red: 10, green: 160, blue: 60), share: 1)])
    }

    @Test("depth and kind of alpha make no difference")
    func depths() throws {
        let bitmap = try HashPicture.bitmap(48, 40)
        let image = Image(bitmap: bitmap)
        for format: PixelFormat in [.rgba8Premultiplied, .rgba16Straight, .rgba16Premultiplied] {
            let other = Image(bitmap: try bitmap.converted(to: format))
            #expect(other.averageColor == image.averageColor && other.dominantColors() == image.dominantColors())
        }
    }
}
