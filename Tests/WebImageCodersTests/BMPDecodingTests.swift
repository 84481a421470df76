import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("BMP decoding")
struct BMPDecodingTests {
    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let green: [UInt8] = [0, 255, 0, 255]
    private static let blue: [UInt8] = [0, 0, 255, 255]
    private static let clear: [UInt8] = [0, 0, 0, 0]
    /// Black, red, green, blue in BMP's order.
    private static let palette: [[UInt8]] = [[0, 0, 0], [0, 0, 255], [0, 255, 0], [255, 0, 0]]

    private func decode(_ builder: BMPBuilder) throws -> Bitmap {
        try BMPCoder().decode(builder.data, options: .storedPixels).bitmap
    }

    @Test("indices of 1, 2, 4 and 8 bits are looked up, the highest bits first", arguments: [1, 2, 4, 8])
    func indices(bits: Int) throws {
        var file = BMPBuilder(width: 3, height: 2, bitsPerPixel: bits)
        file.palette = bits == 1 ? Array(Self.palette[1...2]) : Self.palette
        let (first, second) = bits == 1 ? (0, 1) : (1, 2)
        // The bottom row is first, second, first; the top row second, first, second.
        for row in [[first, second, first], [second, first, second]] {
            let value = row.enumerated().reduce(0) { $0 | $1.element << (32 - bits * ($1.offset + 1)) }
            file.pixels += BMPBuilder.littleEndian(value, bytes: 4).reversed()
        }
        let bitmap = try decode(file)
        #expect(bitmap.pixel(0, 0) == Self.green && bitmap.pixel(1, 0) == Self.red && bitmap.pixel(2, 0) == Self.green)
        #expect(bitmap.pixel(0, 1) == Self.red && bitmap.pixel(1, 1) == Self.green)
        #expect(bitmap.isOpaque)
    }

    @Test("masks of any width and place are scaled to bytes", arguments: [40, 52, 56, 108, 124])
    func masks(headerByteCount: Int) throws {
        var file = BMPBuilder(width: 1, height: 1, bitsPerPixel: 32, compression: 3, headerByteCount: headerByteCount)
        file.masks = [0x3FF, 0xFFC00, 0x3FF0_0000]
        file.pixels = BMPBuilder.littleEndian(1023 | 512 << 10 | 1 << 20, bytes: 4)
        #expect(try decode(file).pixel(0, 0) == [255, 128, 0, 255])
    }

    @Test("alpha needs a mask: without one the fourth byte is ignored")
    func fourthByte() throws {
        var file = BMPBuilder(width: 1, height: 1, bitsPerPixel: 32)
        file.pixels = [1, 2, 3, 4]
        #expect(try decode(file).pixel(0, 0) == [3, 2, 1, 255])
        file.compression = 6
        file.masks = [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]
        #expect(try decode(file).pixel(0, 0) == [3, 2, 1, 4])
        #expect(try BMPCoder().properties(of: file.data, isComplete: true)?.hasAlpha == true)
    }

    @Test("OS/2's headers of any length, with palettes of three and four bytes", arguments: [12, 16, 24, 64])
    func os2(headerByteCount: Int) throws {
        var file = BMPBuilder(width: 1, height: 1, bitsPerPixel: 8, headerByteCount: headerByteCount)
        file.palette = Self.palette
        file.pixels = [3, 0, 0, 0]
        #expect(try decode(file).pixel(0, 0) == Self.blue)
    }

    @Test("a negative height means that the top row comes first")
    func topDown() throws {
        var file = BMPBuilder(width: 1, height: -2, bitsPerPixel: 24)
        file.pixels = [0, 0, 255, 0, 255, 0, 0, 0]
        let bitmap = try decode(file)
        #expect(bitmap.size == PixelSize(width: 1, height: 2))
        #expect(bitmap.pixel(0, 0) == Self.red && bitmap.pixel(0, 1) == Self.blue)
    }

    @Test("runs, literals, moves and an early end; pixels without a run are clear")
    func runLengths() throws {
        var file = BMPBuilder(width: 4, height: 3, bitsPerPixel: 8, compression: 1)
        file.palette = Self.palette
        // Two red, two transparent | move one right and one up from the row's second pixel | three literals, clipped at
        // the edge.
        file.pixels = [2, 1, 0, 0, 1, 2, 0, 2, 1, 1, 0, 3, 3, 3, 3, 0, 0, 1]
        let bitmap = try decode(file)
        #expect(bitmap.pixel(0, 2) == Self.red && bitmap.pixel(1, 2) == Self.red && bitmap.pixel(2, 2) == Self.clear)
        #expect(bitmap.pixel(0, 1) == Self.green && bitmap.pixel(1, 1) == Self.clear)
        #expect(bitmap.pixel(1, 0) == Self.clear && bitmap.pixel(2, 0) == Self.blue && bitmap.pixel(3, 0) == Self.blue)
        #expect(!bitmap.isOpaque)
        var half = file
        (half.bitsPerPixel, half.compression) = (4, 2)
        half.pixels = [4, 0x12, 0, 3, 0x31, 0x30, 0, 1]
        let row = try decode(half)
        #expect(row.pixel(0, 2) == Self.red && row.pixel(1, 2) == Self.green && row.pixel(3, 2) == Self.green)
    }

    @Test("a JPEG or PNG file within is the picture", arguments: [4, 5])
    func embedded(compression: Int) throws {
        let name = compression == 4 ? "photo.jpg" : "translucent.png"
        let inner = try Fixtures.data(name)
        let whole = try ImageCodersManager.shared.decode(inner, options: .storedPixels)
        var file = BMPBuilder(
            width: whole.pixelSize.width, height: whole.pixelSize.height, bitsPerPixel: 0, compression: compression)
        file.pixels = Array(inner)
        let image = try BMPCoder().decode(file.data, options: .storedPixels)
        #expect(image.bitmap.bytes == whole.bitmap.bytes && image.metadata.format == .bmp)
        file.width += 1
        #expect(throws: WebImageError.self) { try decode(file) }
    }

    @Test("A thumbnail has the size of its box, whole and stretched")
    func thumbnail() throws {
        var file = BMPBuilder(width: 36, height: 24, bitsPerPixel: 24)
        file.pixels = [UInt8](repeating: 90, count: 36 * 24 * 3)
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 18, height: 18)
        options.limits.maximumPixelCount = 18 * 18
        let image = try BMPCoder().decode(file.data, options: options)
        #expect(image.pixelSize == PixelSize(width: 18, height: 12) && image.metadata.isThumbnail)
        #expect(image.bitmap.pixel(9, 6) == [90, 90, 90, 255])
        options.preservesAspectRatio = false
        #expect(try BMPCoder().decode(file.data, options: options).pixelSize == PixelSize(width: 18, height: 18))
    }

    @Test("BCO-1 BMP is written and read again, with alpha where there is any", arguments: [false, true])
    func encoding(isOpaque: Bool) throws {
        var pixels: [UInt8] = []
        for index in 0..<UInt8(15) { pixels += [index * 7, 255 - index, index * 3, isOpaque ? 255 : index * 17] }
        let size = PixelSize(width: 5, height: 3)
        let image = Image(bitmap: try Bitmap(size: size, format: .rgba8Straight, pixels: pixels))
        let data = try ImageCodersManager.shared.encode(image, to: .bmp, options: ImageEncodeOptions())
        #expect(ImageFormat(sniffing: data) == .bmp)
        let properties = try ImageCodersManager.shared.properties(of: data, isComplete: true)
        #expect(properties?.pixelSize == size && properties?.hasAlpha == !isOpaque)
        let decoded = try ImageCodersManager.shared.decode(data, options: .storedPixels)
        #expect(decoded.bitmap.bytes == pixels && decoded.bitmap.isOpaque == isOpaque)
    }
}
