import Glibc
import Testing
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Resampling")
struct ResamplingTests {
    private static func thumbnail(
        _ pixels: [UInt8], from size: PixelSize, to target: PixelSize, isOpaque: Bool = true,
        format: PixelFormat = .rgba8Premultiplied
    ) throws -> Bitmap {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = target
        options.preservesAspectRatio = false
        options.pixelFormat = format
        return try Bitmap.assembled(pixels, size: size, isOpaque: isOpaque, options: options)
    }

    private static func picture(_ size: PixelSize, _ pixel: (Int, Int) -> [UInt8]) -> [UInt8] {
        (0..<size.height).flatMap { y in (0..<size.width).flatMap { x in pixel(x, y) } }
    }

    @Test(
        "A66 HLP-10 an even colour stays exact at any ratio",
        arguments: [(300, 200), (299, 7), (41, 41), (1, 1), (3, 200), (150, 1)], [0, 1, 77, 128, 254, 255])
    func constant(target: (Int, Int), value: Int) throws {
        let size = PixelSize(width: 301, height: 203)
        let pixel: [UInt8] = [UInt8(value), 255 - UInt8(value), 9, 255]
        let result = try Self.thumbnail(
            Self.picture(size) { _, _ in pixel }, from: size, to: PixelSize(width: target.0, height: target.1))
        #expect(result.size == PixelSize(width: target.0, height: target.1))
        #expect(result.bytes == Array(repeating: pixel, count: result.size.area).flatMap { $0 })
    }

    @Test("extreme shapes are averaged, and none of their pixels is skipped")
    func extremeShapes() throws {
        for size in [PixelSize(width: 30_000, height: 1), PixelSize(width: 1, height: 30_000)] {
            let pixels = Self.picture(size) { x, y in (x + y) % 2 == 0 ? [255, 255, 255, 255] : [0, 0, 0, 255] }
            let result = try Self.thumbnail(pixels, from: size, to: PixelSize(width: 1, height: 1))
            #expect(abs(Int(result.pixel(0, 0)[0]) - 128) <= 1)
        }
    }

    @Test("a gradient stays a gradient", arguments: [97, 250, 1000])
    func gradient(width: Int) throws {
        let size = PixelSize(width: 1024, height: 8)
        let pixels = Self.picture(size) { x, _ in [UInt8(x / 4), UInt8(x / 4), UInt8(x / 4), 255] }
        let result = try Self.thumbnail(pixels, from: size, to: PixelSize(width: width, height: 4))
        for x in 0..<width {
            let exact = ((Double(x) + 0.5) * 1024 / Double(width) - 0.5) / 4
            // The source's own steps and, at the ends, the filter's missing input.
            #expect(abs(Double(result.pixel(x, 2)[0]) - exact) <= 2)
        }
    }

    @Test("pixels beside transparency do not darken, whatever colour hides in the transparent ones")
    func alphaEdges() throws {
        let size = PixelSize(width: 120, height: 120)
        let pixels = Self.picture(size) { x, y in x + y < 120 ? [200, 120, 40, 255] : [0, 255, 0, 0] }
        for side in [13, 50, 119] {
            let result = try Self.thumbnail(
                pixels, from: size, to: PixelSize(width: side, height: side), isOpaque: false, format: .rgba8Straight)
            var translucent = 0
            for y in 0..<side {
                for x in 0..<side {
                    let pixel = result.pixel(x, y)
                    guard pixel[3] >= 32 else { continue }
                    translucent += pixel[3] < 255 ? 1 : 0
                    #expect(largestDifference(pixel.dropLast(), [200, 120, 40]) <= 5)
                }
            }
            #expect(translucent > 0)
        }
    }

    @Test("premultiplied colours never exceed their alpha")
    func premultipliedInvariant() throws {
        let size = PixelSize(width: 200, height: 200)
        let pixels = Self.picture(size) { x, y in [255, 255, 255, (x / 10 + y / 10) % 2 == 0 ? 255 : 0] }
        let result = try Self.thumbnail(pixels, from: size, to: PixelSize(width: 90, height: 77), isOpaque: false)
        let bytes = result.bytes
        #expect(stride(from: 0, to: bytes.count, by: 4).allSatisfy { bytes[$0] <= bytes[$0 + 3] })
    }

    @Test(
        "a thumbnail equals that of an exact Lanczos filter in floating point",
        arguments: zip(
            [(200, 150), (111, 83), (40, 30), (13, 10)].map { PixelSize(width: $0.0, height: $0.1) },
            [55.0, 55, 45, 45]))
    func quality(target: PixelSize, minimum: Double) throws {
        let size = PixelSize(width: 331, height: 247)
        var random = SeededGenerator(seed: 11)
        let pixels = Self.picture(size) { x, y in
            let wave = sin(Double(x) / 9) * cos(Double(y) / 7) + sin(Double(x * y) / 900)
            let noise = Double.random(in: -12...12, using: &random)
            return (0..<3).map { UInt8(min(255, max(0, 128 + wave * Double(30 + 20 * $0) + noise))) } + [255]
        }
        let result = try Self.thumbnail(pixels, from: size, to: target)
        let reference = ExactLanczos.resampled(pixels, from: size, to: target)
        #expect(peakSignalToNoise(result.bytes, reference) >= minimum)
    }
}
