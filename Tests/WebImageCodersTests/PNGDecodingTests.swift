import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("PNG decoding")
struct PNGDecodingTests {
    @Test("every colour type and depth decodes to the right 8-bit pixels", arguments: PNGKind.all)
    func pixels(kind: PNGKind) throws {
        let image = try PNGCoder().decode(kind.file, options: .storedPixels)
        #expect(image.pixelSize == PixelSize(width: PNGKind.width, height: PNGKind.height))
        for y in 0..<PNGKind.height {
            for x in 0..<PNGKind.width { #expect(image.bitmap.pixel(x, y) == kind.expected(x, y), "at \(x), \(y)") }
        }
    }

    @Test("the header tells depth and alpha", arguments: PNGKind.all)
    func header(kind: PNGKind) throws {
        let properties = try #require(try PNGCoder().properties(of: kind.file, isComplete: true))
        #expect(properties.bitsPerChannel == (kind.colorType == 3 ? 8 : kind.bitDepth))
        #expect(properties.hasAlpha == [3, 4, 6].contains(kind.colorType))
    }

    @Test("a colour key makes its pixels transparent, at full depth")
    func colorKey() throws {
        var builder = PNGBuilder()
        builder.appendHeader(width: 2, height: 1, bitDepth: 16, colorType: 0)
        builder.append("tRNS", [0x12, 0x34])
        builder.appendPixels([0, 0x12, 0x34, 0x12, 0x35])
        builder.appendEnd()
        let image = try PNGCoder().decode(builder.data, options: .storedPixels)
        #expect(image.bitmap.bytes == [0x12, 0x12, 0x12, 0, 0x12, 0x12, 0x12, 255])
        #expect(!image.bitmap.isOpaque)
    }

    @Test("what follows the last row is not read, but the file has to have an end", arguments: [8, 16], [false, true])
    func surplus(bitDepth: Int, isInterlaced: Bool) throws {
        var builder = PNGBuilder()
        builder.appendHeader(width: 5, height: 9, bitDepth: bitDepth, colorType: 6, isInterlaced: isInterlaced)
        let stream = PNGBuilder.zlib([UInt8](repeating: 0, count: 200_000))
        for start in stride(from: 0, to: stream.count, by: 20_000) {
            // The check of the last part would fail.
            let part = Array(stream[start..<min(stream.count, start + 20_000)])
            builder.append("IDAT", part, damagesCheckSum: start + 20_000 >= stream.count)
        }
        #expect(throws: WebImageError.self) { try PNGCoder().decode(builder.data, options: .storedPixels) }
        builder.appendEnd()
        let image = try PNGCoder().decode(builder.data, options: .storedPixels)
        #expect(image.pixelSize == PixelSize(width: 5, height: 9) && image.bitmap.pixel(4, 8) == [0, 0, 0, 0])
    }

    @Test("orientation in eXIf turns the picture", arguments: ["oriented.png", "oriented.webp"])
    func orientation(name: String) throws {
        let data = try Fixtures.data(name)
        let image = try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions())
        // Stored 48 × 32 with red, green above blue, white; orientation 6 is a quarter turn clockwise.
        #expect(image.pixelSize == PixelSize(width: 32, height: 48))
        #expect(image.bitmap.pixel(2, 2) == [0, 0, 255, 255])
        #expect(image.bitmap.pixel(29, 2) == [255, 0, 0, 255])
        #expect(image.bitmap.pixel(2, 45) == [255, 255, 255, 255])
        #expect(image.bitmap.pixel(29, 45) == [0, 255, 0, 255])
        let properties = try ImageCodersManager.shared.properties(of: data, isComplete: true)
        #expect(properties?.pixelSize == image.pixelSize)
        #expect(properties?.orientation == .right)
    }

    @Test("a thumbnail of rows and one of passes are the same")
    func thumbnails() throws {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 5, height: 5)
        let pictures = try [false, true].map { isInterlaced in
            try PNGCoder().decode(PNGKind(colorType: 6, bitDepth: 8, isInterlaced: isInterlaced).file, options: options)
        }
        #expect(pictures[0].pixelSize == PixelSize(width: 5, height: 4))
        #expect(pictures[0].metadata.isThumbnail)
        #expect(pictures[0].metadata.originalPixelSize == PixelSize(width: 11, height: 9))
        #expect(pictures[0].bitmap.bytes == pictures[1].bitmap.bytes)
    }

    @Test("decoding ends when it is cancelled", arguments: [false, true])
    func cancellation(isInterlaced: Bool) {
        var options = ImageDecodeOptions()
        let flag = CancellationFlag()
        options.cancellation = flag
        flag.cancel()
        let file = PNGKind(colorType: 6, bitDepth: 8, isInterlaced: isInterlaced).file
        let error = #expect(throws: WebImageError.self) { try PNGCoder().decode(file, options: options) }
        #expect(error?.isCancelled == true)
    }
}
