import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImagePixels
import WebImageTestSupport
import WebImageTesting

@testable import WebImageCoders
@testable import WebImageTestDoubles

@Suite("Encoding animations")
struct AnimationEncodingTests {
    private static let size = PixelSize(width: 12, height: 9)

    /// A coloured square that moves over a background of `colors` colours; every third frame has additional transparent
    /// pixels.
    private static func frames(_ count: Int, hasAlpha: Bool) throws -> [ImageFrame] {
        try (0..<count).map { number in
            var pixels: [UInt8] = []
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let isSquare = x >= number && x < number + 4 && y >= 2 && y < 6
                    let isClear = hasAlpha && !isSquare && (x + number % 3 * 4) % 12 < 4
                    pixels +=
                        isClear
                        ? [0, 0, 0, 0]
                        : isSquare ? [250, UInt8(number * 9), 10, 255] : [UInt8(x * 20), UInt8(y * 25), 90, 255]
                }
            }
            return ImageFrame(
                bitmap: try Bitmap(size: size, pixels: pixels), duration: .milliseconds([50, 120, 1000][number % 3]))
        }
    }

    @Test(
        "BCO-12 S3-4 written frames are read again: pixels, durations, plays",
        arguments: [ImageFormat.gif, .png, .webP], [false, true])
    func roundTrip(format: ImageFormat, hasAlpha: Bool) throws {
        let frames = try Self.frames(7, hasAlpha: hasAlpha)
        var options = ImageEncodeOptions.best
        options.isLossless = true
        let coder = ImageCodersManager.shared
        let data = try coder.encode(frames, loopCount: 5, to: format, options: options)
        #expect(ImageFormat(sniffing: data) == format)
        let image = try coder.decode(data, options: ImageDecodeOptions())
        let animation = try #require(image.animation)
        #expect(animation.frameCount == 7 && animation.loopCount == 5)
        for (index, frame) in frames.enumerated() {
            #expect(try animation.frame(at: index).bytes == frame.bitmap.bytes, "frame \(index)")
            #expect(animation.duration(at: index) == frame.duration)
        }
    }

    @Test(
        "BCO-12 one frame is a still picture; no frames, and frames of two sizes, are an error",
        arguments: [ImageFormat.gif, .png, .webP])
    func edges(format: ImageFormat) throws {
        let coder = ImageCodersManager.shared
        let frame = try Self.frames(1, hasAlpha: false)[0]
        let still = try coder.decode(
            coder.encode([frame], loopCount: 3, to: format, options: ImageEncodeOptions.best),
            options: ImageDecodeOptions())
        #expect(!still.isAnimated && still.pixelSize == Self.size)
        let other = ImageFrame(
            bitmap: try Bitmap(size: .square(1), pixels: [0, 0, 0, 255]), duration: .milliseconds(1000))
        for frames in [[], [frame, other]] {
            let error = #expect(throws: WebImageError.self) {
                try coder.encode(frames, loopCount: 0, to: format, options: ImageEncodeOptions.best)
            }
            #expect(error?.code == .encodeFailed)
        }
    }

    @Test(
        "ANI-8 an unchanged animation at the best quality is written as its own file",
        arguments: ["animated.gif", "animated.png", "animated.webp"])
    func untouched(name: String) throws {
        let data = try Fixtures.data(name)
        let image = try Image(data: data)
        let coder = ImageCodersManager.shared
        #expect(try coder.encode(image, to: image.metadata.format, options: ImageEncodeOptions.best) == data)
        var options = ImageEncodeOptions.best
        let larger = PixelSize(width: image.pixelSize.width, height: image.pixelSize.height + 1000)
        for box in [image.pixelSize, larger] {
            options.maxPixelSize = box
            #expect(try coder.encode(image, to: image.metadata.format, options: options) == data, "\(box)")
        }
        options.maxPixelSize = PixelSize(width: 8, height: 8)
        let smaller = try Image(data: coder.encode(image, to: image.metadata.format, options: options))
        #expect(smaller.metadata.frameCount == image.metadata.frameCount)
        #expect(smaller.pixelSize.width <= 8 && smaller.metadata.loopCount == image.metadata.loopCount)
        for format in [ImageFormat.gif, .png, .webP] where format != image.metadata.format {
            let other = try Image(data: coder.encode(image, to: format, options: ImageEncodeOptions.best))
            #expect(other.metadata.format == format)
            #expect(other.metadata.frameCount == image.metadata.frameCount)
            #expect(other.metadata.loopCount == image.metadata.loopCount)
        }
    }

    @Test("GIF keeps up to 256 colours as they are", arguments: [2, 5, 255, 256])
    func exactColors(count: Int) throws {
        let pixels = (0..<512).flatMap { index -> [UInt8] in
            let color = index % count
            return [UInt8(color), UInt8(255 - color), UInt8(color * 7 % 256), 255]
        }
        let bitmap = try Bitmap(size: PixelSize(width: 32, height: 16), pixels: pixels)
        let data = try GIFCoder().encode(Image(bitmap: bitmap), to: .gif, options: ImageEncodeOptions.best)
        let decoded = try GIFCoder().decode(data, options: ImageDecodeOptions()).bitmap
        #expect(decoded.bytes == bitmap.bytes && decoded.isOpaque)
    }

    @Test(
        "GIF also keeps the colours of an opaque animation, up to the maximum number",
        arguments: [2, 5, 255, 256])
    func exactAnimations(count: Int) throws {
        let frames = try (0..<3).map { frame in
            let pixels = (0..<512).flatMap { index -> [UInt8] in
                // Some rows do not change.
                let color = (index + (index < 400 ? frame * 7 : 0)) % count
                return [UInt8(color), UInt8(255 - color), UInt8(color * 7 % 256), 255]
            }
            return ImageFrame(
                bitmap: try Bitmap(size: PixelSize(width: 32, height: 16), pixels: pixels), duration: .milliseconds(100)
            )
        }
        var options = ImageEncodeOptions.best
        for limit in [256, count] {
            options.maxColorCount = limit
            let data = try GIFCoder().encode(frames, loopCount: 0, to: .gif, options: options)
            let animation = try GIFCoder().makeAnimation(of: data, options: ImageDecodeOptions())
            for (index, frame) in frames.enumerated() {
                #expect(try animation.frame(at: index).bytes == frame.bitmap.bytes, "frame \(index), \(limit) colours")
            }
        }
    }

    @Test("with a limit of two colours, an animation with clear pixels has one colour and the clear one")
    func clearAnimation() throws {
        let frames = try (0..<2).map { frame in
            let pixels = (0..<16).flatMap { $0 % 2 == frame ? [255, 0, 0, 255] : [UInt8](repeating: 0, count: 4) }
            return ImageFrame(bitmap: try Bitmap(size: .square(4), pixels: pixels), duration: .milliseconds(100))
        }
        var options = ImageEncodeOptions.best
        options.maxColorCount = 2
        let data = try GIFCoder().encode(frames, loopCount: 0, to: .gif, options: options)
        let animation = try GIFCoder().makeAnimation(of: data, options: ImageDecodeOptions())
        for (index, frame) in frames.enumerated() {
            #expect(try animation.frame(at: index).bytes == frame.bitmap.bytes)
        }
    }

    @Test(
        "GIF reduces a photograph's colours with little loss, dithered or not",
        arguments: [(0.0, 36.0), (0.5, 34.5), (1, 31)])
    func photograph(strength: Double, decibels: Double) throws {
        let bitmap = try JPEGCoder().decode(Fixtures.data("photo.jpg"), options: ImageDecodeOptions()).bitmap
        var options = ImageEncodeOptions.best
        options.ditheringStrength = strength
        let data = try GIFCoder().encode(Image(bitmap: bitmap), to: .gif, options: options)
        let decoded = try GIFCoder().decode(data, options: ImageDecodeOptions()).bitmap
        let psnr = peakSignalToNoise(decoded.bytes, bitmap.bytes)
        #expect(psnr > decibels, "\(psnr) dB in \(data.count) bytes")
    }

    @Test("frames of GIF share one table of colours on request, which takes fewer bytes")
    func sharedColors() throws {
        // A ball in fine shades moves over a background in other shades.
        let frames = try (0..<4).map { frame in
            let pixels = (0..<64 * 48).flatMap { index -> [UInt8] in
                let (x, y) = (index % 64, index / 64)
                let (right, down) = (x - 12 - frame * 12, y - 24)
                let distance = UInt8(min(255, right * right + down * down))
                return distance < 100
                    ? [250 - distance, distance &* 2, 255 - distance, 255] : [UInt8(x * 3), UInt8(y * 4), 90, 255]
            }
            return ImageFrame(
                bitmap: try Bitmap(size: PixelSize(width: 64, height: 48), pixels: pixels), duration: .milliseconds(100)
            )
        }
        var options = ImageEncodeOptions.best
        options.maxColorCount = 32
        let own = try GIFCoder().encode(frames, loopCount: 0, to: .gif, options: options)
        options.sharesColors = true
        let shared = try GIFCoder().encode(frames, loopCount: 0, to: .gif, options: options)
        #expect(shared.count < own.count)
        options.maxColorCount = 256
        #expect(try GIFCoder().encode(Image(data: own), to: .gif, options: options) != own)
        func quality(_ file: Data) throws -> Double {
            let animation = try GIFCoder().makeAnimation(of: file, options: ImageDecodeOptions())
            return try peakSignalToNoise(animation.frame(at: 3).bytes, frames[3].bitmap.bytes)
        }
        #expect(try quality(shared) < quality(own))
        #expect(try quality(shared) > 25)
    }

    @Test("GIF uses no more colours than allowed, and fewer make smaller files", arguments: [0, 2, 17, 100, 256, 1000])
    func fewerColors(limit: Int) throws {
        let bitmap = try JPEGCoder().decode(Fixtures.data("photo.jpg"), options: ImageDecodeOptions()).bitmap
        var options = ImageEncodeOptions.best
        options.maxColorCount = limit
        let data = try GIFCoder().encode(Image(bitmap: bitmap), to: .gif, options: options)
        func colorCount(_ bitmap: Bitmap) -> Int {
            Set(stride(from: 0, to: bitmap.bytes.count, by: 4).map { Array(bitmap.bytes[$0..<$0 + 4]) }).count
        }
        let expected = min(max(limit, 2), 256)
        let expectedCounts = expected / 2 + 1...expected
        #expect(expectedCounts.contains(colorCount(try GIFCoder().decode(data, options: ImageDecodeOptions()).bitmap)))
        let full = try GIFCoder().encode(Image(bitmap: bitmap), to: .gif, options: ImageEncodeOptions.best)
        #expect(limit < 256 ? data.count < full.count : data == full)
        let frames = [bitmap, try bitmap.flipped(horizontal: true, vertical: false)].map {
            ImageFrame(bitmap: $0, duration: .milliseconds(100))
        }
        let animation = try GIFCoder().encode(frames, loopCount: 0, to: .gif, options: options)
        let moving = try GIFCoder().makeAnimation(of: animation, options: ImageDecodeOptions())
        #expect(expectedCounts.contains(colorCount(try moving.frame(at: 0))))
        // The unchanged parts of the first frame have colours of their own.
        #expect((expectedCounts.lowerBound...expected * 2).contains(colorCount(try moving.frame(at: 1))))
        // The table's size is a power of two: the number of bits minus one, in the screen's flags.
        #expect(2 << (Int(animation[10]) & 7) < expected * 2 + 1)
    }

    @Test("unchanged pixels take nearly no bytes")
    func unchanged() throws {
        let bitmap = try JPEGCoder().decode(Fixtures.data("photo.jpg"), options: ImageDecodeOptions()).bitmap
        let one = try GIFCoder().encode(Image(bitmap: bitmap), to: .gif, options: ImageEncodeOptions.best)
        let frames = [ImageFrame](repeating: ImageFrame(bitmap: bitmap, duration: .milliseconds(100)), count: 5)
        for format in [ImageFormat.gif, .png] {
            let coder = ImageCodersManager.shared
            let five = try coder.encode(frames, loopCount: 0, to: format, options: ImageEncodeOptions.best)
            let still =
                format == .gif
                ? one
                : try coder.encode(frames[..<1].map { $0 }, loopCount: 0, to: format, options: ImageEncodeOptions.best)
            #expect(five.count < still.count + 1000)
            #expect(try Image(data: five).metadata.frameCount == 5)
        }
    }

    @Test("codes that fill the dictionary, and runs of one pixel, are read back unchanged")
    func codes() {
        var generator = SeededGenerator(seed: 3)
        for round in 0..<40 {
            let bits = round % 7 + 2
            let count = [1, 2, 3, 5000, 40_000][round % 5]
            let isNoise = round.isMultiple(of: 2)
            let indices = (0..<count).map {
                isNoise ? UInt8.random(in: 0...UInt8(1 << bits - 1), using: &generator) : UInt8($0 / 3000 % (1 << bits))
            }
            var encoder = LZWEncoder()
            let blocks = encoder.encode(indices, minimumCodeSize: bits)
            var codes: [UInt8] = []
            #expect(GIFSubBlocks.append(Data(blocks), to: &codes, maximum: .max) == blocks.count - 1)
            var output = [UInt8](repeating: 0, count: count + LZWDecoder.outputSlack)
            var span = output.mutableSpan
            var bytes = span.mutableBytes
            var decoder = LZWDecoder()
            decoder.restart(minimumCodeSize: bits)
            #expect(decoder.decode(codes.span, into: &bytes) == count)
            #expect(output.prefix(count).elementsEqual(indices))
        }
    }
}
