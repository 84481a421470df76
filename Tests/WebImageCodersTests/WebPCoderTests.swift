import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("WebP")
struct WebPCoderTests {
    @Test("S3-5 lossless pixels equal the original ones")
    func lossless() throws {
        let image = try WebPCoder().decode(Fixtures.data("lossless.webp"), options: .storedPixels)
        let original = try PNGCoder().decode(Fixtures.data("translucent.png"), options: .storedPixels)
        #expect(image.bitmap.bytes == original.bitmap.bytes)
        #expect(!image.bitmap.isOpaque)
    }

    @Test("S3-5 lossless frames equal the original ones", arguments: [true, false])
    func losslessFrames(isOpaque: Bool) throws {
        let size = PixelSize(width: 31, height: 17)
        var generator = SystemRandomNumberGenerator()
        let frames = try (0..<4).map { _ in
            let pixels = (0..<size.area).flatMap { _ -> [UInt8] in
                let isClear = !isOpaque && Bool.random(using: &generator)
                return isClear ? [0, 0, 0, 0] : (0..<3).map { _ in .random(in: 0...255, using: &generator) } + [255]
            }
            return ImageFrame(
                bitmap: try Bitmap(size: size, format: .rgba8Straight, pixels: pixels), duration: .milliseconds(100))
        }
        var options = ImageEncodeOptions.best
        options.isLossless = true
        let file = try WebPCoder().encode(frames, loopCount: 3, to: .webP, options: options)
        let animation = try WebPCoder().makeAnimation(of: file, options: .storedPixels)
        #expect(animation.frameCount == 4 && animation.loopCount == 3)
        for (index, frame) in frames.enumerated() {
            #expect(try animation.frame(at: index).bytes == frame.bitmap.bytes)
        }
    }

    @Test("lossy pixels are close to the original ones")
    func lossy() throws {
        let image = try WebPCoder().decode(Fixtures.data("lossy.webp"), options: ImageDecodeOptions())
        let original = try PNGCoder().decode(Fixtures.data("photo-small.png"), options: ImageDecodeOptions())
        #expect(peakSignalToNoise(image.bitmap.bytes, original.bitmap.bytes) > 30)
        #expect(image.bitmap.isOpaque)
    }

    @Test("alpha of a lossy file is exact, and the result premultiplied")
    func alpha() throws {
        let image = try WebPCoder().decode(Fixtures.data("lossy-alpha.webp"), options: ImageDecodeOptions())
        for x in stride(from: 0, to: 96, by: 5) {
            let pixel = image.bitmap.pixel(x, 30)
            #expect(pixel[3] == UInt8(Double(x) * 255 / 95))
            #expect(pixel.allSatisfy { $0 <= pixel[3] })
        }
    }

    @Test("BCO-7 BCO-10 MET-2 an animation's frames, durations and plays are read, and its first frame shown")
    func animation() throws {
        let data = try Fixtures.data("animated.webp")
        let properties = try #require(try WebPCoder().properties(of: data, isComplete: true))
        #expect(properties.frameCount == 3)
        #expect(properties.frameDurations == [40, 80, 120].map { .milliseconds($0) })
        #expect(properties.loopCount == 2)
        #expect(properties.pixelSize == PixelSize(width: 48, height: 32))
        let image = try WebPCoder().decode(data, options: .storedPixels)
        #expect(image.bitmap.pixel(2, 2) == [255, 0, 0, 255])
        #expect(image.metadata.frameCount == 3)
        #expect(image.metadata.loopCount == 2)
    }

    @Test("the first frame of an animation stands on a clear canvas", arguments: [false, true])
    func partialFrame(isThumbnail: Bool) throws {
        let data = try partialAnimation()
        var options = ImageDecodeOptions.storedPixels
        if isThumbnail { options.thumbnailPixelSize = PixelSize(width: 50, height: 50) }
        let image = try WebPCoder().decode(data, options: options)
        let scale = isThumbnail ? 2 : 1
        #expect(image.pixelSize == PixelSize(width: 100 / scale, height: 60 / scale))
        let expected: [(x: Int, y: Int, color: [Int])] = [
            (5, 5, [0, 0, 0, 0]), (30, 18, [255, 0, 0, 255]), (60, 36, [255, 255, 255, 255]), (90, 50, [0, 0, 0, 0]),
        ]
        for (x, y, color) in expected {
            let pixel = image.bitmap.pixel(x / scale, y / scale).map(Int.init)
            // The thumbnail filter overshoots slightly at an edge.
            #expect(zip(pixel, color).allSatisfy { abs($0 - $1) <= (isThumbnail ? 6 : 0) }, "\(pixel) at \(x), \(y)")
        }
        #expect(!image.bitmap.isOpaque)
    }

    @Test("a frame that leaves its canvas is damage")
    func frameOutside() throws {
        let data = try partialAnimation(left: 54)
        let error = #expect(throws: WebImageError.self) { try WebPCoder().decode(data, options: .storedPixels) }
        #expect(error?.code == .badImageData)
    }

    /// The 48 × 32 pixels of a still file as the one frame of an animation of 100 × 60.
    private func partialAnimation(left: Int = 20, top: Int = 10) throws -> Data {
        let picture = try PNGCoder().decode(Fixtures.data("oriented.png"), options: .storedPixels)
        var options = ImageEncodeOptions.best
        options.isLossless = true
        let still = try WebPCoder().encode(picture, to: .webP, options: options)
        let numbers = [left / 2, top / 2, 47, 31, 70]
        let header: [UInt8] = numbers.flatMap { number -> [UInt8] in Self.littleEndian(number, bytes: 3) } + [0]
        let canvas = Self.littleEndian(99, bytes: 3) + Self.littleEndian(59, bytes: 3)
        var file = Array("WEBP".utf8)
        file += Self.chunk("VP8X", [2, 0, 0, 0] + canvas)
        file += Self.chunk("ANIM", [0, 0, 0, 0, 5, 0])
        file += Self.chunk("ANMF", header + Array(still.dropFirst(12)))
        return Data(Self.chunk("RIFF", file))
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        Array(type.utf8) + littleEndian(content.count, bytes: 4) + content + (content.count & 1 == 0 ? [] : [0])
    }

    private static func littleEndian(_ value: Int, bytes count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    @Test("the header of a still picture is enough, but one that announces EXIF data needs the file")
    func prefixes() throws {
        let still = try Fixtures.data("lossy.webp")
        #expect(try WebPCoder().properties(of: still.prefix(29), isComplete: false) == nil)
        let early = try WebPCoder().properties(of: still.prefix(30), isComplete: false)
        #expect(early?.pixelSize == PixelSize(width: 96, height: 64))
        #expect(early?.hasAlpha == false)
        let oriented = try Fixtures.data("oriented.webp")
        #expect(try WebPCoder().properties(of: oriented.dropLast(4), isComplete: false) == nil)
        #expect(try WebPCoder().properties(of: oriented, isComplete: false)?.orientation == .right)
    }

    @Test("a thumbnail is close to the reduced picture", arguments: ["lossy.webp", "lossless.webp"])
    func thumbnails(name: String) throws {
        var options = ImageDecodeOptions()
        let whole = try WebPCoder().decode(Fixtures.data(name), options: options)
        let file = try PNGCoder().encode(whole, to: .png, options: ImageEncodeOptions.best)
        for width in [10, 24, 40, 70] {
            options.thumbnailPixelSize = PixelSize(width: width, height: 1000)
            let thumbnail = try WebPCoder().decode(Fixtures.data(name), options: options)
            let reference = try PNGCoder().decode(file, options: options)
            #expect(thumbnail.pixelSize == reference.pixelSize)
            #expect(peakSignalToNoise(thumbnail.bitmap.bytes, reference.bitmap.bytes) > 35, "\(width)")
        }
    }

    @Test(
        "a much smaller thumbnail of lossy pixels equals that of the whole picture, to its last column and row",
        arguments: [(501, 403), (400, 402), (399, 401), (400, 1203)])
    func reduced(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        let pixels = (0..<size.area).flatMap { (index: Int) -> [UInt8] in
            let (x, y) = (index % width, index / width)
            let isLast = x >= width - 12 || y >= height - 12
            let red: Int = isLast ? 230 : x * 200 / width
            let green: Int = (x / 40 + y / 40) % 2 * 90 + 60
            let blue: Int = y * 200 / height
            return [UInt8(red), UInt8(green), UInt8(blue), 255]
        }
        var encoding = ImageEncodeOptions.best
        encoding.compressionQuality = 0.95
        let data = try WebPCoder().encode(
            Image(bitmap: Bitmap(size: size, pixels: pixels)), to: .webP, options: encoding)
        var options = ImageDecodeOptions()
        let file = try PNGCoder().encode(
            WebPCoder().decode(data, options: options), to: .png, options: ImageEncodeOptions.best)
        for side in [11, 30, 62] {
            options.thumbnailPixelSize = PixelSize(width: side, height: side)
            options.preservesAspectRatio = false
            let thumbnail = try WebPCoder().decode(data, options: options)
            let reference = try PNGCoder().decode(file, options: options)
            #expect(thumbnail.pixelSize == reference.pixelSize && thumbnail.bitmap.isOpaque)
            let psnr = peakSignalToNoise(thumbnail.bitmap.bytes, reference.bitmap.bytes)
            #expect(psnr > 40, "\(psnr) dB at \(side)")
        }
    }

    @Test("a cut lossy file gives no thumbnail")
    func cutThumbnail() throws {
        let pixels = (0..<300 * 300).flatMap { (index: Int) -> [UInt8] in
            let (x, y) = (index % 251, index / 300 % 256)
            return [UInt8(x), UInt8(y), UInt8(x / 2), 255]
        }
        let whole = try WebPCoder().encode(
            Image(bitmap: Bitmap(size: PixelSize(width: 300, height: 300), pixels: pixels)), to: .webP,
            options: ImageEncodeOptions.best)
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 20, height: 20)
        let error = #expect(throws: WebImageError.self) {
            try WebPCoder().decode(whole.prefix(whole.count / 2), options: options)
        }
        #expect(error?.code == .truncatedImageData)
    }

    @Test("of a file with more frames than allowed, the first one alone is shown")
    func firstOfMany() throws {
        let data = try Fixtures.data("animated.webp")
        var limited = ImageDecodeOptions()
        limited.limits.maximumFrameCount = 1
        let options = limited
        for read in [
            { _ = try WebPCoder().decode(data, options: options) },
            { _ = try WebPCoder().properties(of: data, isComplete: true, options: options) },
        ] {
            let error = #expect(throws: WebImageError.self, performing: read)
            #expect(error?.code == .limitExceeded && error?.reason.contains("maximumFrameCount") == true)
        }
        var firstOnly = options
        firstOnly.decodesFirstFrameOnly = true
        let image = try WebPCoder().decode(data, options: firstOnly)
        #expect(image.metadata.frameCount == 1 && image.animation == nil)
        let whole = try WebPCoder().decode(data, options: ImageDecodeOptions())
        #expect(image.bitmap.bytes == whole.bitmap.bytes)
        let cut = #expect(throws: WebImageError.self) { try WebPCoder().decode(data.dropLast(9), options: firstOnly) }
        #expect(cut?.code == .truncatedImageData)
    }

    @Test("decoding ends when it is cancelled")
    func cancellation() {
        var options = ImageDecodeOptions()
        let flag = CancellationFlag()
        options.cancellation = flag
        flag.cancel()
        let error = #expect(throws: WebImageError.self) {
            try WebPCoder().decode(Fixtures.data("lossy.webp"), options: options)
        }
        #expect(error?.isCancelled == true)
    }
}
