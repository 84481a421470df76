import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("GIF decoding")
struct GIFDecodingTests {
    private static let black: [UInt8] = [0, 0, 0, 255]
    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let green: [UInt8] = [0, 255, 0, 255]
    private static let blue: [UInt8] = [0, 0, 255, 255]
    private static let nothing: [UInt8] = [0, 0, 0, 0]

    private func pixels(_ builder: GIFBuilder) throws -> [[UInt8]] {
        let bitmap = try GIFCoder().decode(builder.data, options: .storedPixels).bitmap
        return (0..<bitmap.size.height).flatMap { y in (0..<bitmap.size.width).map { bitmap.pixel($0, y) } }
    }

    @Test(
        "real files decode to their original pixels", arguments: ["palette.gif", "palette-interlaced.gif"])
    func realFiles(name: String) throws {
        let image = try GIFCoder().decode(Fixtures.data(name), options: .storedPixels)
        let original = try PNGCoder().decode(Fixtures.data("palette.png"), options: .storedPixels)
        #expect(image.bitmap.bytes == original.bitmap.bytes)
        #expect(image.bitmap.isOpaque)
    }

    @Test("a frame that covers a part of the screen leaves the rest clear")
    func partialFrame() throws {
        var builder = GIFBuilder(width: 3, height: 2)
        builder.appendFrame(left: 1, top: 1, width: 2, height: 1, indices: [1, 2])
        builder.appendTrailer()
        #expect(
            try pixels(builder) == [
                Self.nothing, Self.nothing, Self.nothing, Self.nothing, Self.red, Self.green,
            ])
        #expect(try GIFCoder().properties(of: builder.data, isComplete: true)?.hasAlpha == true)
    }

    @Test("parts outside of the screen are cut off")
    func oversizedFrame() throws {
        var builder = GIFBuilder(width: 2, height: 1)
        builder.appendFrame(left: 1, top: 0, width: 2, height: 2, indices: [1, 2, 3, 0])
        builder.appendTrailer()
        #expect(try pixels(builder) == [Self.nothing, Self.red])
    }

    @Test(
        "a first frame that is larger than its screen is the picture, as in browsers",
        arguments: [(20, 15), (40, 15), (20, 30)])
    func largerFrame(width: Int, height: Int) throws {
        var builder = GIFBuilder(width: width, height: height)
        builder.appendFrame(width: 40, height: 30, indices: (0..<1200).map { UInt8($0 % 4) })
        builder.appendTrailer()
        let size = PixelSize(width: 40, height: 30)
        #expect(try GIFCoder().properties(of: builder.data, isComplete: true)?.pixelSize == size)
        let image = try GIFCoder().decode(builder.data, options: .storedPixels)
        #expect(image.pixelSize == size && image.bitmap.isOpaque)
        #expect(image.bitmap.pixel(39, 29) == Self.blue)
        let decoder = GIFCoder().makeProgressiveDecoder(options: .storedPixels)
        #expect(try decoder.update(builder.data.dropLast(9))?.pixelSize == size)
        // Only the first one: the others are drawn on what it has made.
        builder = GIFBuilder(width: width, height: height)
        builder.appendFrame(width: width, height: height, indices: [UInt8](repeating: 1, count: width * height))
        builder.appendFrame(width: 40, height: 30, indices: [UInt8](repeating: 2, count: 1200))
        builder.appendTrailer()
        #expect(
            try GIFCoder().decode(builder.data, options: .storedPixels).pixelSize
                == PixelSize(width: width, height: height))
    }

    @Test("the limit of pixels holds for a screen that its first frame enlarges")
    func largerFrameLimit() {
        var builder = GIFBuilder(width: 40_000, height: 1)
        builder.appendFrame(width: 1, height: 40_000, indices: [UInt8](repeating: 1, count: 40_000))
        builder.appendTrailer()
        let error = #expect(throws: WebImageError.self) {
            try GIFCoder().decode(builder.data, options: ImageDecodeOptions())
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test("a frame outside of the screen leaves it clear")
    func frameOutside() throws {
        var builder = GIFBuilder(width: 2, height: 1)
        builder.appendFrame(left: 40_000, top: 50_000, width: 1, height: 1, indices: [1])
        builder.appendTrailer()
        #expect(try pixels(builder) == [Self.nothing, Self.nothing])
    }

    @Test("a screen without a size takes that of the first frame")
    func emptyScreen() throws {
        var builder = GIFBuilder(width: 0, height: 0)
        builder.appendFrame(width: 2, height: 1, indices: [1, 3])
        builder.appendTrailer()
        #expect(try pixels(builder) == [Self.red, Self.blue])
    }

    @Test("interlaced rows are put in order")
    func interlaced() throws {
        var builder = GIFBuilder(width: 1, height: 10)
        // Rows 0 and 8, then 4, then 2 and 6, then the odd ones.
        builder.appendFrame(width: 1, height: 10, indices: [1, 1, 2, 3, 3, 0, 0, 0, 0, 0], isInterlaced: true)
        builder.appendTrailer()
        #expect(
            try pixels(builder) == [
                Self.red, Self.black, Self.blue, Self.black, Self.green, Self.black, Self.blue, Self.black, Self.red,
                Self.black,
            ])
    }

    @Test("the transparent index is clear, and keeps its colour in straight pixels")
    func transparency() throws {
        var builder = GIFBuilder(width: 2, height: 1)
        builder.appendControl(transparentIndex: 1)
        builder.appendFrame(width: 2, height: 1, indices: [1, 2])
        builder.appendTrailer()
        #expect(try pixels(builder) == [[255, 0, 0, 0], Self.green])
        let shown = try GIFCoder().decode(builder.data, options: ImageDecodeOptions()).bitmap
        #expect(shown.pixel(0, 0) == Self.nothing)
        #expect(!shown.isOpaque)
    }

    @Test("an index beyond the colour table is black")
    func shortColorTable() throws {
        var builder = GIFBuilder(width: 2, height: 1, colorTable: [9, 9, 9, 8, 8, 8])
        builder.appendFrame(width: 2, height: 1, indices: [1, 3])
        builder.appendTrailer()
        #expect(try pixels(builder) == [[8, 8, 8, 255], Self.black])
    }

    @Test("the first frame is shown, and the file's frames are counted")
    func animation() throws {
        let image = try GIFCoder().decode(Fixtures.data("animated.gif"), options: .storedPixels)
        #expect(image.pixelSize == PixelSize(width: 24, height: 16))
        #expect(image.bitmap.pixel(1, 1) == Self.red)
        #expect(image.metadata.frameCount == 3)
        #expect(image.metadata.loopCount == 4)
    }

    @Test("a thumbnail has the requested size")
    func thumbnail() throws {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 30, height: 30)
        let image = try GIFCoder().decode(Fixtures.data("palette.gif"), options: options)
        #expect(image.pixelSize == PixelSize(width: 30, height: 23))
        #expect(image.metadata.originalPixelSize == PixelSize(width: 120, height: 90))
    }
}
