import Glibc
import Testing
import WebImageCore
import WebImageTestSupport

@testable import WebImagePixels
@testable import WebImageTestDoubles

@Suite("Colour filters")
struct ColorFilterTests {
    /// Filters, and what they do to a straight pixel by their definitions.
    static let definitions: [(filter: ColorFilter, change: @Sendable ([Double]) -> [Double])] = [
        (.invert(), { $0[..<3].map { 1 - $0 } + [$0[3]] }),
        (.invert(0.3), { $0[..<3].map { $0 * 0.7 + (1 - $0) * 0.3 } + [$0[3]] }),
        (.mono(), { pixel in Array(repeating: luminance(pixel), count: 3) + [pixel[3]] }),
        (
            .saturation(1.8),
            { pixel in pixel[..<3].map { luminance(pixel) + ($0 - luminance(pixel)) * 1.8 } + [pixel[3]] }
        ),
        (
            .sepia(),
            {
                [
                    0.393 * $0[0] + 0.769 * $0[1] + 0.189 * $0[2], 0.349 * $0[0] + 0.686 * $0[1] + 0.168 * $0[2],
                    0.272 * $0[0] + 0.534 * $0[1] + 0.131 * $0[2], $0[3],
                ]
            }
        ),
        (.brightness(0.2), { $0[..<3].map { $0 + 0.2 } + [$0[3]] }),
        (.brightness(-0.4), { $0[..<3].map { $0 - 0.4 } + [$0[3]] }),
        (.contrast(1.7), { $0[..<3].map { ($0 - 0.5) * 1.7 + 0.5 } + [$0[3]] }),
        (.hue(1), { pixel in hueTurned(pixel, by: 1) }),
        (.gamma(0.6), { $0[..<3].map { pow($0, 0.6) } + [$0[3]] }),
        (.gamma(2.2), { $0[..<3].map { pow($0, 2.2) } + [$0[3]] }),
        (.exposure(0.7), { $0[..<3].map { number(min(1, light($0) * exp2(0.7))) } + [$0[3]] }),
        (.posterize(levels: 4), { $0[..<3].map { min(floor($0 * 4 + 1e-9), 3) / 3 } + [$0[3]] }),
        (.vibrance(0.6), { pixel in vibrant(pixel, 0.6) }),
        (.invert(inLinearLight: true), { $0[..<3].map { number(1 - light($0)) } + [$0[3]] }),
        (
            .invert(0.25, inLinearLight: true),
            { $0[..<3].map { number(light($0) * 0.75 + (1 - light($0)) * 0.25) } + [$0[3]] }
        ),
    ]

    @Test(
        "TRF-8 IMG-3 each filter equals its definition in double precision, at every depth, with and without alpha",
        arguments: definitions.indices, PictureKind.allCases)
    func exact(index: Int, kind: PictureKind) throws {
        let (filter, change) = Self.definitions[index]
        let picture = try kind.picture(PixelSize(width: 521, height: 2))
        let result = try picture.filtered(by: [filter])
        #expect(result.isOpaque == picture.isOpaque)
        let exact = PixelReference(picture).mapStraight(change)
        guard filter.key.hasPrefix("posterize"), !picture.isOpaque else {
            #expect(exact.distance(from: result) <= kind.tolerance, "\(filter.key)")
            return
        }
        // At a step, the rounding of a premultiplied colour decides.
        let far = zip(exact.channels, PixelReference(result).channels).filter { abs($0 - $1) * 255 > kind.tolerance }
        #expect(far.count < exact.channels.count / 50)
    }

    @Test(
        "filters one after the other in one pass equal the steps one by one in double precision",
        arguments: PictureKind.integers)
    func onePass(kind: PictureKind) throws {
        let picture = try kind.picture(PixelSize(width: 211, height: 3), seed: 9)
        let chain = [3, 5, 7, 8, 9, 13, 4, 1].map { Self.definitions[$0] }
        let exact = chain.reduce(PixelReference(picture)) { $0.mapStraight($1.change) }
        let result = try picture.filtered(by: chain.map(\.filter))
        #expect(exact.distance(from: result) <= max(kind.tolerance, 0.06))
        let matrices = [3, 5, 7, 4, 6, 8].map { Self.definitions[$0] }
        let sum = matrices.reduce(PixelReference(picture)) { $0.mapStraight($1.change) }
        #expect(sum.distance(from: try picture.filtered(by: matrices.map(\.filter))) <= kind.tolerance)
    }

    @Test(
        "filters write no colour into what is invisible",
        arguments: [PixelFormat.rgba8Straight, .rgba16Straight, .rgba16FloatStraight])
    func invisible(format: PixelFormat) throws {
        let pixels: [UInt8] = [0, 0, 0, 0, 90, 20, 10, 0, 90, 20, 10, 255]
        let picture = try Bitmap(size: PixelSize(width: 3, height: 1), format: .rgba8Straight, pixels: pixels)
        for filter in [
            ColorFilter.invert(), .invert(inLinearLight: true), .brightness(0.5), .gamma(0.5), .vignette(),
            .vibrance(1),
        ] {
            let result = try picture.converted(to: format).filtered(by: [filter]).converted(to: .rgba8Straight)
            #expect(result.pixel(0, 0) == [0, 0, 0, 0] && result.pixel(1, 0) == [0, 0, 0, 0], "\(filter)")
            #expect(result.pixel(2, 0)[3] == 255)
        }
    }

    @Test("a negative is 255 minus each number, as CSS and editors make it")
    func negative() throws {
        let picture = try Bitmap(size: PixelSize(width: 2, height: 1), pixels: [46, 92, 138, 255, 0, 255, 128, 255])
        let negative = try picture.filtered(by: [.invert()])
        #expect(negative.pixel(0, 0) == [209, 163, 117, 255] && negative.pixel(1, 0) == [255, 0, 127, 255])
        #expect(try picture.filtered(by: [.invert(inLinearLight: true)]).pixel(0, 0) != negative.pixel(0, 0))
    }

    @Test("neighbouring matrices run as one where the first leaves nothing to cut off")
    func joined() throws {
        let steps = { (filters: [ColorFilter]) -> Int in filters.map(\.step).withJoinedMatrices.count }
        #expect(steps([.saturation(0.5), .mono(), .invert(), .contrast(0.3), .sepia(0.2)]) == 1)
        #expect(steps([.contrast(1.5), .saturation(0.5)]) == 2 && steps([.brightness(0.1), .mono()]) == 2)
        #expect(steps([.mono(), .gamma(2), .mono()]) == 3)
        for kind in PictureKind.allCases {
            let picture = try kind.picture(PixelSize(width: 90, height: 5))
            let filters = [ColorFilter.saturation(0.4), .invert(), .contrast(2), .gamma(0.8)]
            let single = try filters.reduce(picture) { try $0.filtered(by: [$1]) }
            let one = try picture.filtered(by: filters)
            let exact = PixelReference(single)
            #expect(exact.distance(from: one) <= max(kind.tolerance, 0.06) * 3, "one rounding instead of four")
        }
    }

    @Test("a pipeline runs neighbouring filters and tints as one pass, with the pixels of the whole chain")
    func pipeline() throws {
        let picture = Image(bitmap: try PictureKind.translucent.picture(PixelSize(width: 40, height: 30)))
        let steps: [any ImageTransformer] = [
            .filter(.sepia()), .tint(RGBAColor(red: 10, green: 200, blue: 30, alpha: 90), mode: .sourceAtop),
            .flip(horizontal: true), .filter(.contrast(1.5)), .filter(.invert()),
        ]
        let chain = ImagePipelineTransformer(steps)
        let result = try #require(chain.transform(picture, for: CacheKey("a")))
        let single = try #require(
            steps.reduce(Optional(picture)) { $0?.transformed(by: $1, for: CacheKey("a")) })
        // One rounding instead of several.
        #expect(largestDifference(result.bitmap.bytes, single.bitmap.bytes) <= 2)
        #expect(result.metadata.isTransformed)
        #expect(
            chain.transformerKey.hasPrefix(
                "ImageFilterTransformer(sepia,1.000000)-SDImageTintTransformer(#5a0ac81e,20)-"))
    }

    @Test("a matrix may change alpha, and a cube of colours maps between its corners", arguments: PictureKind.allCases)
    func matrixAndTable(kind: PictureKind) throws {
        let picture = try kind.picture(PixelSize(width: 33, height: 12))
        let numbers: [Float] = [0, 1, 0, 0, 0.1, 0.5, 0, 0.5, 0, 0, 0, 0, 1, 0.2, 0, 0, 0, 0, 0.5, 0.1]
        let matrix = try #require(ColorMatrix(numbers))
        let exact = PixelReference(picture).mapStraight { pixel in
            (0..<4).map { row in
                let factors = numbers[row * 5..<row * 5 + 5].map(Double.init)
                return min(max((0..<4).reduce(factors[4]) { $0 + factors[$1] * pixel[$1] }, 0), 1)
            }
        }
        let result = try picture.filtered(by: [.matrix(matrix)])
        #expect(!result.isOpaque)
        // A straight channel is divided by the rounded alpha.
        #expect(exact.distance(from: result) <= kind.tolerance)

        var colors: [Float] = []
        for blue in 0..<3 {
            for green in 0..<3 {
                for red in 0..<3 { colors += [1 - Float(red) / 2, Float(blue) / 2, Float(green) / 2] }
            }
        }
        let table = try #require(ColorLookupTable(side: 3, colors: colors))
        let mapped = PixelReference(picture).mapStraight { [1 - $0[0], $0[2], $0[1], $0[3]] }
        #expect(mapped.distance(from: try picture.filtered(by: [.lookupTable(table)])) <= kind.tolerance)
    }

    @Test("a vignette darkens corners and leaves the centre")
    func vignette() throws {
        let plain = try TestPicture.plain(PixelSize(width: 101, height: 51), [200, 200, 200, 255])
        let result = try plain.filtered(by: [.vignette(intensity: 0.8, radius: 0.2)])
        #expect(result.pixel(50, 25) == [200, 200, 200, 255])
        for (x, y) in [(0, 0), (10, 40), (100, 50), (30, 20)] {
            let (across, down) = (Double(x) - 50, Double(y) - 25)
            let distance = (across * across + down * down).squareRoot() / (101 * 101 + 51 * 51.0).squareRoot() * 2
            let depth = min(max((distance - 0.2) / 0.8, 0), 1)
            #expect(abs(Double(result.pixel(x, y)[0]) - 200 * (1 - 0.8 * depth * depth)) <= 1)
        }
    }

    @Test("TRF-8 a filter's key has all of its parameters, and equal filters have equal keys")
    func keys() throws {
        #expect(ImageFilterTransformer([.sepia(0.4)]).transformerKey == "ImageFilterTransformer(sepia,0.400000)")
        #expect(
            ImageFilterTransformer([.vignette(intensity: 0.5, radius: 0.25), .posterize(levels: 6)]).transformerKey
                == "ImageFilterTransformer(vignette,0.500000,0.250000;posterize,6)")
        let grayish: [Float] = Array(repeating: 0.1, count: 20)
        let matrix = try #require(ColorMatrix(grayish))
        let other = try #require(ColorMatrix(grayish.dropLast() + [0.2]))
        #expect(ColorFilter.matrix(matrix).key != ColorFilter.matrix(other).key)
        let tables = try [0.5, 0.25].map { number in
            try #require(ColorLookupTable(side: 2, colors: Array(repeating: Float(number), count: 24)))
        }
        #expect(ColorFilter.lookupTable(tables[0]).key != ColorFilter.lookupTable(tables[1]).key)
        #expect(ImageFilterTransformer([]).transformerKey.isEmpty)
    }

    @Test("parameters that are infinite or NaN change nothing or are limited, and tables of another size are refused")
    func badParameters() throws {
        let picture = try PictureKind.translucent.picture(PixelSize(width: 9, height: 4))
        for number in [Double.nan, .infinity, -.infinity, 1e308, -1e308] {
            let filters: [ColorFilter] = [
                .invert(number), .mono(number), .sepia(number), .brightness(number), .contrast(number),
                .saturation(number), .hue(number), .exposure(number), .gamma(number), .vibrance(number),
                .vignette(intensity: number, radius: number),
            ]
            for filter in filters {
                let result = PixelReference(try picture.filtered(by: [filter]))
                #expect(result.channels.enumerated().allSatisfy { $1 <= result.channels[$0 | 3] + 1e-9 })
            }
        }
        for levels in [Int.min, 0, 1, 257, Int.max] { _ = try picture.filtered(by: [.posterize(levels: levels)]) }
        #expect(ColorMatrix([1, 2, 3]) == nil)
        #expect(ColorMatrix(Array(repeating: .nan, count: 20)) == nil)
        #expect(ColorLookupTable(side: 1, colors: [0, 0, 0]) == nil)
        #expect(ColorLookupTable(side: 1 << 40, colors: []) == nil)
        #expect(ColorLookupTable(side: 2, colors: Array(repeating: .infinity, count: 24)) == nil)
        let far = try #require(ColorLookupTable(side: 2, colors: Array(repeating: 1e30, count: 24)))
        #expect(
            try PictureKind.opaque.picture(PixelSize(width: 2, height: 1)).filtered(by: [.lookupTable(far)]).pixel(0, 0)
                == [255, 255, 255, 255])
    }

    private static func luminance(_ pixel: [Double]) -> Double {
        0.213 * pixel[0] + 0.715 * pixel[1] + 0.072 * pixel[2]
    }

    private static func vibrant(_ pixel: [Double], _ amount: Double) -> [Double] {
        let luma = 0.2126 * pixel[0] + 0.7152 * pixel[1] + 0.0722 * pixel[2]
        let spread = max(pixel[0], pixel[1], pixel[2]) - min(pixel[0], pixel[1], pixel[2])
        return pixel[..<3].map { luma + ($0 - luma) * (1 + amount * (1 - spread)) } + [pixel[3]]
    }

    /// The matrix of W3C's Filter Effects, as its three parts.
    private static func hueTurned(_ pixel: [Double], by angle: Double) -> [Double] {
        let gray = [0.213, 0.715, 0.072]
        let turn = [[-0.213, -0.715, 0.928], [0.143, 0.140, -0.283], [-0.787, 0.715, 0.072]]
        return (0..<3).map { row in
            (0..<3).reduce(0) { sum, column in
                let same = row == column ? 1.0 : 0
                let factor = gray[column] + cos(angle) * (same - gray[column]) + sin(angle) * turn[row][column]
                return sum + factor * pixel[column]
            }
        } + [pixel[3]]
    }

    private static func light(_ number: Double) -> Double {
        number <= 0.04045 ? number / 12.92 : pow((number + 0.055) / 1.055, 2.4)
    }

    private static func number(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
