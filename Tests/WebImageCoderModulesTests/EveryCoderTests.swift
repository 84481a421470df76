import CAVIF
import FoundationEssentials
import Testing
import WebImageAVIF
import WebImageCoders
import WebImageCore
import WebImageHEIF
import WebImageJXL
import WebImageSVG
import WebImageTIFF
import WebImageTestSupport

/// SDWebImage's demands on each of its coders (`verifyCoder` of its own tests).
@Suite("Every coder", .timeLimit(.minutes(5)))
struct EveryCoderTests {
    private static let manager = ImageCodersManager(
        coders: ImageCodersManager.shared.coders + [TIFFCoder(), SVGCoder(), JXLCoder(), HEIFCoder(), AVIFCoder()])

    private static let size = PixelSize(width: 120, height: 70)
    static let formats: [ImageFormat] = [
        .jpeg, .png, .gif, .webP, .bmp, .tiff, .avif, .jpegXL, .heic,
    ].filter { manager.canEncode($0) }
    static let moving: [ImageFormat] = [.png, .gif, .webP, .avif, .jpegXL]

    private static func still(_ format: ImageFormat) throws -> Data {
        let bitmap = try SmoothPicture.make(width: size.width, height: size.height)
        return try manager.encode(Image(bitmap: bitmap), to: format, options: ImageEncodeOptions.best)
    }

    private static func animation(_ format: ImageFormat, options: ImageEncodeOptions = .init()) throws -> Data {
        let frames = try (1...3).map { index in
            ImageFrame(
                bitmap: try Bitmap(
                    size: size, format: .rgba8Straight,
                    pixels: (0..<size.area).flatMap { _ in [200, UInt8(index * 60), 0, 255] }),
                duration: .milliseconds(100))
        }
        return try manager.encode(frames, loopCount: 2, to: format, options: options)
    }

    private static func options(_ side: Int, stretches: Bool) -> ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: side, height: side)
        options.preservesAspectRatio = !stretches
        return options
    }

    /// 50 pixels wide, with the height in proportion.
    private static func fits(_ size: PixelSize) -> Bool { size.width == 50 && abs(size.height - 29) <= 1 }

    @Test("DOP-3 DOP-4 a still picture of each format fills a box exactly, or fits into it", arguments: formats)
    func stillBoxes(format: ImageFormat) throws {
        let data = try Self.still(format)
        #expect(ImageFormat(sniffing: data) == format && Self.manager.canDecode(data))
        #expect(try Self.manager.decode(data, options: ImageDecodeOptions()).pixelSize == Self.size)
        let filled = try Self.manager.decode(data, options: Self.options(50, stretches: true))
        #expect(filled.pixelSize == PixelSize(width: 50, height: 50) && filled.metadata.isThumbnail)
        let fitted = try Self.manager.decode(data, options: Self.options(50, stretches: false))
        #expect(Self.fits(fitted.pixelSize) && fitted.metadata.isThumbnail)
        // A box with an empty side, or a larger one, has no effect.
        for side in [0, 500] {
            for stretches in [true, false] {
                let whole = try Self.manager.decode(data, options: Self.options(side, stretches: stretches))
                #expect(whole.pixelSize == Self.size && !whole.metadata.isThumbnail)
            }
        }
    }

    @Test("DOP-3 DOP-4 every frame of an animation fills a box exactly, or fits into it", arguments: moving)
    func movingBoxes(format: ImageFormat) throws {
        let data = try Self.animation(format)
        for stretches in [true, false] {
            let image = try Self.manager.decode(data, options: Self.options(50, stretches: stretches))
            let animation = try #require(image.animation)
            #expect(animation.frameCount == 3)
            for index in 0..<3 {
                let size = try animation.frame(at: index).size
                #expect(stretches ? size == PixelSize(width: 50, height: 50) : Self.fits(size))
            }
        }
    }

    @Test("DOP-4 a drawing also fills a box that is larger than it")
    func drawing() throws {
        let data = Data("<svg xmlns='http://www.w3.org/2000/svg' width='120' height='70'/>".utf8)
        #expect(
            try Self.manager.decode(data, options: Self.options(50, stretches: true)).pixelSize.description == "50×50")
        #expect(Self.fits(try Self.manager.decode(data, options: Self.options(50, stretches: false)).pixelSize))
        let large = try Self.manager.decode(data, options: Self.options(500, stretches: false))
        #expect(large.pixelSize.width == 500 && large.metadata.isVector)
    }

    @Test("COD-1 one coder decodes on many threads at once as on one", arguments: formats)
    func threads(format: ImageFormat) async throws {
        let file = moves(format) ? try Self.animation(format) : try Self.still(format)
        let expected = try Self.pixels(of: file)
        let results = await withTaskGroup(of: [[UInt8]]?.self) { group in
            for _ in 0..<16 { group.addTask { try? Self.pixels(of: file) } }
            return await group.reduce(into: [[[UInt8]]?]()) { $0.append($1) }
        }
        #expect(results.count == 16 && results.allSatisfy { $0 == expected })
    }

    private func moves(_ format: ImageFormat) -> Bool { Self.moving.contains(format) }

    /// The pixels of the picture, of a thumbnail, and of each frame.
    private static func pixels(of file: Data) throws -> [[UInt8]] {
        let image = try manager.decode(file, options: ImageDecodeOptions())
        let frames = try image.animation.map { animation in
            try (0..<animation.frameCount).map { try animation.frame(at: $0).bytes }
        }
        return [image.bitmap.bytes, try manager.decode(file, options: options(50, stretches: false)).bitmap.bytes]
            + (frames ?? [])
    }

    @Test("EOP-2 only the first frame is written, if only that is requested", arguments: moving)
    func firstFrame(format: ImageFormat) throws {
        let all = try Self.animation(format)
        #expect(try Self.manager.properties(of: all, isComplete: true)?.frameCount == 3)
        var options = ImageEncodeOptions.best
        options.encodesFirstFrameOnly = true
        let frames = try Self.animation(format, options: options)
        let picture = try Self.manager.encode(
            Self.manager.decode(all, options: ImageDecodeOptions()), to: format, options: options)
        for file in [frames, picture] {
            let image = try Self.manager.decode(file, options: ImageDecodeOptions())
            #expect(image.metadata.frameCount == 1 && !image.isAnimated)
            // Green identifies the frame: 60, 120, 180.
            #expect(abs(Int(image.bitmap.pixel(5, 5)[1]) - 60) <= 12)
        }
    }

    @Test("EOP-5 an encoded file fits the requested box, with all of its frames and loops", arguments: moving)
    func maximumSize(format: ImageFormat) throws {
        var options = ImageEncodeOptions.best
        options.maxPixelSize = PixelSize(width: 50, height: 50)
        let file = try Self.animation(format, options: options)
        let properties = try #require(try Self.manager.properties(of: file, isComplete: true))
        #expect(Self.fits(properties.pixelSize) && properties.frameCount == 3)
        // libavif writes no loops before version 1.0.
        #expect(properties.loopCount == (format == .avif && AVIF_VERSION_MAJOR < 1 ? 0 : 2))
    }
}
