import Glibc
import Testing
import WebImageCore
import WebImagePixels
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Resampling filters")
struct ResamplingFilterTests {
    @Test(
        "IMG-3 HLP-6 every filter equals its definition in double precision, at every depth, with and without alpha",
        arguments: ResamplingFilter.allCases, PictureKind.allCases)
    func exact(filter: ResamplingFilter, kind: PictureKind) throws {
        let picture = try kind.picture(PixelSize(width: 61, height: 43))
        for (width, height) in [(20, 14), (61, 10), (7, 43), (122, 86), (90, 50), (1, 1)] {
            let size = PixelSize(width: width, height: height)
            let result = try picture.resized(to: size, filter: filter)
            #expect(result.format == picture.format)
            #expect(result.isOpaque == picture.isOpaque)
            let exact = PixelReference(picture).resized(to: size, filter: filter).held
            #expect(exact.distance(from: result) <= kind.tolerance, "\(size)")
        }
    }

    @Test("a reduction by more than a hundred stays within 1 of 255", arguments: ResamplingFilter.allCases)
    func strongReduction(filter: ResamplingFilter) throws {
        let picture = try PictureKind.translucent.picture(PixelSize(width: 900, height: 260))
        let size = PixelSize(width: 3, height: 2)
        let exact = PixelReference(picture).resized(to: size, filter: filter).held
        #expect(exact.distance(from: try picture.resized(to: size, filter: filter)) <= 1)
    }

    @Test("no pixel counts more than its share when thousands become one", arguments: ResamplingFilter.allCases)
    func thousandsToOne(filter: ResamplingFilter) throws {
        for size in [PixelSize(width: 12_000, height: 2), PixelSize(width: 1, height: 60_000)] {
            var pixels = Array(repeating: [255, 255, 255, 255] as [UInt8], count: size.area)
            for index in stride(from: 0, to: size.area, by: size.width) { pixels[index] = [0, 0, 0, 255] }
            if size.width == 1 {
                pixels = [[0, 0, 0, 255]] + Array(repeating: [255, 255, 255, 255], count: size.area - 1)
            }
            let picture = try Bitmap(size: size, pixels: pixels.flatMap(\.self))
            #expect(try picture.resized(to: PixelSize(width: 1, height: 1), filter: filter).pixel(0, 0)[0] >= 254)
        }
    }

    @Test("in linear light, black and white lines become the gray of the same light", arguments: PictureKind.integers)
    func linearLight(kind: PictureKind) throws {
        let picture = try kind.picture(PixelSize(width: 40, height: 30))
        let size = PixelSize(width: 13, height: 10)
        let result = try picture.resized(to: size, inLinearLight: true)
        let light = PixelReference(picture).mapStraight { $0[..<3].map(Self.light) + [$0[3]] }
        let exact = light.resized(to: size, filter: .lanczos3).held.mapStraight { $0[..<3].map(Self.number) + [$0[3]] }
        #expect(exact.distance(from: result) <= kind.tolerance)

        let lines = try Bitmap(
            size: PixelSize(width: 8, height: 8),
            pixels: (0..<64).flatMap { $0 % 2 == 0 ? [0, 0, 0, 255] : [255, 255, 255, 255] as [UInt8] })
        let gray = try lines.resized(to: PixelSize(width: 4, height: 4), filter: .box, inLinearLight: true)
        #expect(gray.pixel(2, 2) == [188, 188, 188, 255])
    }

    @Test("an enlarged picture shows its pixels as squares by the box")
    func squares() throws {
        let picture = try PictureKind.opaque.picture(PixelSize(width: 3, height: 2))
        let result = try picture.resized(to: PixelSize(width: 12, height: 8), filter: .box)
        for y in 0..<8 {
            for x in 0..<12 { #expect(result.pixel(x, y) == picture.pixel(x / 4, y / 4)) }
        }
    }

    @Test("every filter leaves an even colour as it is", arguments: ResamplingFilter.allCases)
    func evenColour(filter: ResamplingFilter) throws {
        let picture = try TestPicture.plain(PixelSize(width: 37, height: 23), [10, 77, 130, 200])
        for size in [PixelSize(width: 9, height: 5), PixelSize(width: 80, height: 61)] {
            let result = try picture.resized(to: size, filter: filter)
            for x in 0..<size.width { #expect(result.pixel(x, size.height / 2) == [10, 77, 130, 200]) }
        }
    }

    private static func light(_ number: Double) -> Double {
        number <= 0.04045 ? number / 12.92 : pow((number + 0.055) / 1.055, 2.4)
    }

    private static func number(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}

extension PixelReference {
    /// By the filters' definitions, pixel by pixel.
    func resized(to size: PixelSize, filter: ResamplingFilter) -> PixelReference {
        summed(
            width: size.width, height: size.height,
            across: { Self.taps($0, from: width, to: size.width, filter) },
            down: { Self.taps($0, from: height, to: size.height, filter) })
    }

    private static func taps(_ index: Int, from source: Int, to count: Int, _ filter: ResamplingFilter) -> [(
        Int, Double
    )] {
        let ratio = Double(source) / Double(count)
        let center = (Double(index) + 0.5) * ratio
        let weights = (0..<source).map { pixel -> (Int, Double) in
            let distance = Double(pixel) + 0.5 - center
            if filter == .box {
                return (
                    pixel, max(0, min(Double(pixel + 1), center + ratio / 2) - max(Double(pixel), center - ratio / 2))
                )
            }
            return (pixel, shape(filter, distance / max(1, ratio)))
        }
        let sum = weights.reduce(0) { $0 + $1.1 }
        return weights.filter { $0.1 != 0 }.map { ($0.0, $0.1 / sum) }
    }

    private static func shape(_ filter: ResamplingFilter, _ distance: Double) -> Double {
        let x = abs(distance)
        switch filter {
        case .box: return x < 0.5 ? 1 : 0
        case .bilinear: return max(0, 1 - x)
        case .mitchell:
            let (b, c) = (1.0 / 3, 1.0 / 3)
            if x < 1 { return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + (6 - 2 * b)) / 6 }
            if x >= 2 { return 0 }
            return ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x + (-12 * b - 48 * c) * x + (8 * b + 24 * c)) / 6
        case .lanczos3:
            if x == 0 { return 1 }
            return x < 3 ? 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x) : 0
        }
    }
}
