import FoundationEssentials
import Testing
import WebImageCore
import WebImageTestSupport

@testable import WebImageCoders
@testable import WebImageTestDoubles

@Suite("ICO decoding")
struct ICODecodingTests {
    private func decode(_ file: ICOBuilder, box: Int? = nil) throws -> Image {
        var options = ImageDecodeOptions.storedPixels
        options.thumbnailPixelSize = box.map { PixelSize(width: $0, height: $0) }
        return try ICOCoder().decode(file.data, options: options)
    }

    @Test("a picture that the directory lists a thousand times is read once")
    func repeated() throws {
        var file = ICOBuilder()
        file.append(side: 8, color: [0, 0, 255])
        let picture = file.data.dropFirst(6 + 16)
        let start = BMPBuilder.littleEndian(6 + 1000 * 16, bytes: 4)
        let entries = (0..<1000).flatMap { _ in [UInt8](repeating: 0, count: 12) + start }
        let data = Data([0, 0, 1, 0] + BMPBuilder.littleEndian(1000, bytes: 2) + entries) + picture
        #expect(try ICODirectory(data, isComplete: true, options: ImageDecodeOptions()).entries.count == 1)
        let flag = CancellationFlag()
        flag.cancel()
        var options = ImageDecodeOptions()
        options.cancellation = flag
        let error = #expect(throws: WebImageError.self) { try ICOCoder().decode(data, options: options) }
        #expect(error?.isCancelled == true)
    }

    @Test("the largest picture is shown, and of those the deepest", arguments: [1, 2])
    func best(type: Int) throws {
        var file = ICOBuilder.several
        file.type = type
        let image = try decode(file)
        #expect(image.pixelSize == PixelSize(width: 24, height: 24))
        #expect(image.bitmap.pixel(5, 5) == [0, 0, 200, 255])
        let properties = try ICOCoder().properties(of: file.data, isComplete: true)
        #expect(properties?.pixelSize == image.pixelSize && properties?.frameCount == 1)
        #expect(properties?.format == .ico && properties?.hasAlpha == true)
    }

    @Test(
        "a thumbnail is made of the smallest picture that is large enough",
        arguments: [(8, [255, 0, 0, 255]), (5, [255, 0, 0, 255]), (9, [0, 255, 0, 255]), (17, [0, 0, 200, 255])])
    func nearest(box: Int, color: [UInt8]) throws {
        let image = try decode(.several, box: box)
        #expect(image.pixelSize == PixelSize(width: box, height: box))
        #expect(image.bitmap.pixel(box / 2, box / 2) == color)
        #expect(image.metadata.isThumbnail && image.metadata.originalPixelSize == PixelSize(width: 24, height: 24))
    }

    @Test("the mask makes pixels clear if there is no alpha, and only then")
    func mask() throws {
        var file = ICOBuilder()
        file.append(side: 2, color: [0, 0, 255], mask: 0x8000_0000)
        #expect(try decode(file).bitmap.bytes.prefix(8) == [255, 0, 0, 0, 255, 0, 0, 255])
        file = ICOBuilder()
        file.append(side: 2, color: [0, 0, 255, 0], mask: 0x8000_0000)
        #expect(try decode(file).bitmap.bytes.prefix(8) == [255, 0, 0, 0, 255, 0, 0, 255])
        file = ICOBuilder()
        file.append(side: 2, color: [0, 0, 255, 77], mask: 0x8000_0000)
        #expect(try decode(file).bitmap.bytes.prefix(8) == [255, 0, 0, 77, 255, 0, 0, 77])
    }

    @Test("a PNG file in an icon is decoded as one, at any size")
    func png() throws {
        let inner = try Fixtures.data("translucent.png")
        let whole = try PNGCoder().decode(inner, options: .storedPixels)
        var file = ICOBuilder()
        file.pictures = [Array(inner)]
        let image = try decode(file)
        #expect(image.bitmap.bytes == whole.bitmap.bytes && image.metadata.format == .ico)
        let thumbnail = try decode(file, box: 10)
        #expect(max(thumbnail.pixelSize.width, thumbnail.pixelSize.height) == 10)
    }

    @Test("unreadable pictures are skipped as long as there is another")
    func damagedPictures() throws {
        var file = ICOBuilder.several
        file.pictures[3][0] = 0
        file.pictures[2][14] = 77
        #expect(try decode(file).pixelSize == PixelSize(width: 16, height: 16))
        file.pictures = [[1, 2, 3, 4, 5]]
        #expect(throws: WebImageError.self) { try decode(file) }
        file.pictures = []
        let error = #expect(throws: WebImageError.self) { try decode(file) }
        #expect(error?.reason.contains("no picture") == true)
    }

    @Test("a directory of more pictures than the limit of frames is refused")
    func limit() {
        var file = ICOBuilder.several
        file.declaredCount = 60_000
        let error = #expect(throws: WebImageError.self) { try decode(file) }
        #expect(error?.code == .limitExceeded)
    }

    @Test("a thousand pictures in one long file are not searched a thousand times")
    func sharedPictures() {
        var file = ICOBuilder.several
        file.declaredCount = 1001
        let error = #expect(throws: WebImageError.self) { try decode(file) }
        #expect(error?.code == .badImageData && error?.reason.contains("1001") == true)
        var png = PNGBuilder()
        png.appendHeader(width: 4, height: 4)
        png.append("tEXt", [UInt8](repeating: 0, count: 2 << 20))
        png.appendPixels([UInt8](repeating: 0, count: 68))
        png.appendEnd()
        file = ICOBuilder()
        file.pictures = [Array(png.data)]
        #expect(throws: WebImageError.self) { try decode(file) }
    }
}
