import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImagePixels
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Scaling down to a number of bytes")
struct ScaleDownTests {
    private static func options(limit: Int?, box: PixelSize? = nil) -> ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.scaleDownLimitBytes = limit
        options.thumbnailPixelSize = box
        return options
    }

    private static func output(_ width: Int, _ height: Int, frames: Int = 1, options: ImageDecodeOptions) -> PixelSize {
        ThumbnailGeometry(
            storedSourceSize: PixelSize(width: width, height: height), orientation: .up, frameCount: frames,
            options: options
        ).outputSize
    }

    @Test(
        "DOP-8 HLP-8 OPT-11 CTX-14 the largest size of the same proportions that fits the bytes",
        arguments: [
            ((2000, 2000), 4_000_000, 1, "1000×1000"), ((900, 600), 240_000, 1, "300×200"),
            ((900, 600), 239_999, 1, "299×199"), ((5250, 3450), 60 << 20, 1, "4892×3214"),
            ((300, 200), 240_000, 1, "300×200"), ((300, 200), 240_000, 4, "150×100"), ((10_000, 1), 400, 1, "100×1"),
            ((1, 10_000), 400, 1, "1×100"), ((200, 150), 30_000, 1, "100×75"),
        ])
    func fits(source: (Int, Int), limit: Int, frames: Int, expected: String) {
        let size = Self.output(source.0, source.1, frames: frames, options: Self.options(limit: limit))
        #expect(size.description == expected)
    }

    @Test("A67 a limit below one pixel gives one pixel, and not the whole", arguments: [1, 3, 4, 7])
    func onePixel(limit: Int) throws {
        #expect(Self.output(4000, 3000, options: Self.options(limit: limit)).description == "1×1")
        #expect(Self.output(4000, 3000, frames: 100, options: Self.options(limit: limit * 99)).description == "1×1")
        for name in ["photo.jpg", "translucent.png", "lossy.webp", "animated.gif"] {
            let image = try ImageCodersManager.shared.decode(Fixtures.data(name), options: Self.options(limit: limit))
            #expect(image.pixelSize.description == "1×1")
        }
    }

    @Test("CTX-14 each size keeps to the bytes and the picture, and cannot be a pixel wider")
    func bounds() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<5000 {
            let source = PixelSize(
                width: .random(in: 1...9000, using: &random), height: .random(in: 1...9000, using: &random))
            let frames = Int.random(in: 1...50, using: &random)
            let limit = Int.random(in: 4 * frames...1 << 24, using: &random)
            let size = Self.output(source.width, source.height, frames: frames, options: Self.options(limit: limit))
            #expect(size.area * 4 * frames <= limit || size == PixelSize(width: 1, height: 1))
            #expect(!size.isEmpty && size.width <= source.width && size.height <= source.height)
            guard size != source, size.width > 1, size.height > 1 else { continue }
            let wider = Double(size.width + 1)
            #expect(wider * wider * Double(source.height) / Double(source.width) > Double(limit / 4 / frames))
        }
    }

    @Test("a header that claims the largest sizes does not overflow")
    func hugeSizes() {
        let size = Self.output(Int(UInt32.max), Int(UInt32.max), options: Self.options(limit: .max))
        #expect(size.area <= Int.max / 4)
        #expect(Self.output(Int(Int32.max), 1, options: Self.options(limit: 4)).description == "1×1")
    }

    @Test("OPT-11 CTX-14 the bytes win over the box of a thumbnail", arguments: [true, false])
    func winsOverThumbnail(keepsRatio: Bool) {
        var options = Self.options(limit: 240_000, box: PixelSize(width: 10, height: 90))
        options.preservesAspectRatio = keepsRatio
        #expect(Self.output(900, 600, options: options).description == "300×200")
        options.scaleDownLimitBytes = nil
        #expect(Self.output(900, 600, options: options).width == 10)
    }

    @Test("DOP-8 DOP-3 DOP-4 the box counts if the picture is within the bytes", arguments: [true, false])
    func leavesThumbnail(keepsRatio: Bool) {
        var options = Self.options(limit: 900 * 600 * 4, box: PixelSize(width: 90, height: 90))
        options.preservesAspectRatio = keepsRatio
        #expect(Self.output(900, 600, options: options).description == (keepsRatio ? "90×60" : "90×90"))
    }

    @Test("B18 colours of high dynamic range take twice the bytes, and keep to them")
    func highDynamicRange() {
        var options = Self.options(limit: 480_000)
        options.decodesToHDR = true
        #expect(Self.output(900, 600, options: options).description == "300×200")
    }

    @Test("a picture of shapes is not enlarged beyond the bytes, nor beyond all numbers")
    func enlarging() {
        func size(_ options: ImageDecodeOptions) -> PixelSize {
            ThumbnailGeometry(
                storedSourceSize: PixelSize(width: 30, height: 20), orientation: .up, mayEnlarge: true,
                options: options
            ).outputSize
        }
        let endless = PixelSize(width: .max, height: .max)
        #expect(size(Self.options(limit: 240_000, box: endless)).description == "300×199")
        #expect(size(Self.options(limit: nil, box: endless)).area > ImageLimits().maximumSourcePixelCount)
    }

    @Test(
        "B18 A66 every coder keeps to the bytes, to the last row",
        arguments: [
            "photo.jpg", "photo-progressive.jpg", "gray.jpg", "cmyk.jpg", "translucent.png", "palette.png",
            "lossy.webp",
            "lossless.webp", "palette.gif",
        ])
    func coders(name: String) throws {
        let data = try Fixtures.data(name)
        let whole = try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions())
        for divisor in [2, 3, 10, 50] {
            let limit = whole.memoryCost / divisor
            let image = try ImageCodersManager.shared.decode(data, options: Self.options(limit: limit))
            #expect(image.memoryCost <= limit)
            #expect(image.metadata.isThumbnail && image.metadata.originalPixelSize == whole.pixelSize)
            var options = ImageDecodeOptions()
            options.thumbnailPixelSize = image.pixelSize
            options.preservesAspectRatio = false
            #expect(try ImageCodersManager.shared.decode(data, options: options).bitmap.bytes == image.bitmap.bytes)
        }
        let same = try ImageCodersManager.shared.decode(data, options: Self.options(limit: whole.memoryCost))
        #expect(same.bitmap.bytes == whole.bitmap.bytes && !same.metadata.isThumbnail)
    }

    @Test(
        "A100 all frames of an animation share the bytes, and it stays an animation",
        arguments: ["animated.gif", "animated.png", "animated.webp"])
    func animations(name: String) throws {
        let data = try Fixtures.data(name)
        let whole = try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions())
        let frameCount = whole.metadata.frameCount
        #expect(frameCount > 1)
        var options = Self.options(limit: whole.memoryCost)
        let image = try ImageCodersManager.shared.decode(data, options: options)
        #expect(image.memoryCost * frameCount <= whole.memoryCost)
        #expect(image.metadata.frameCount == frameCount && image.isAnimated)
        options.decodesFirstFrameOnly = true
        #expect(try ImageCodersManager.shared.decode(data, options: options).pixelSize == whole.pixelSize)
    }

    @Test("13 ScaleDownEXIF: a picture with an orientation is upright, small or not", arguments: 1...8)
    func orientation(number: Int) throws {
        let data = try Fixtures.data("orientation-\(number).jpg")
        let image = try ImageCodersManager.shared.decode(data, options: Self.options(limit: 24 * 16 * 4))
        #expect(image.pixelSize == PixelSize(width: 24, height: 16))
        let corners = [(1, 1), (22, 1), (1, 14), (22, 14)]
        let expected: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]]
        for ((x, y), color) in zip(corners, expected) {
            #expect(largestDifference(image.bitmap.pixel(x, y), color) <= 25)
        }
        var stored = Self.options(limit: 24 * 16 * 4)
        stored.appliesOrientation = false
        let isTurned = number >= 5
        let unturned = try ImageCodersManager.shared.decode(data, options: stored)
        #expect(unturned.pixelSize == PixelSize(width: isTurned ? 16 : 24, height: isTurned ? 24 : 16))
    }
}
