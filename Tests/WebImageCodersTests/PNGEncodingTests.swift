import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@Suite("Encoding PNG")
struct PNGEncodingTests {
    /// Color type and depth of a file, from its header.
    private static func form(_ data: Data) -> (colorType: UInt8, bitDepth: UInt8) { (data[25], data[24]) }

    private static func encode(_ bitmap: Bitmap) throws -> Data {
        try PNGCoder().encode(Image(bitmap: bitmap), to: .png, options: ImageEncodeOptions())
    }

    private static func bitmap(_ size: PixelSize, _ pixel: (Int) -> [UInt8]) throws -> Bitmap {
        try Bitmap(size: size, format: .rgba8Straight, pixels: (0..<size.area).flatMap(pixel))
    }

    private static func expectRoundTrip(_ bitmap: Bitmap, _ data: Data) throws {
        let decoded = try PNGCoder().decode(data, options: .storedPixels).bitmap
        #expect(decoded.bytes == bitmap.bytes)
        #expect(decoded.isOpaque == bitmap.isOpaque)
    }

    static let size = PixelSize(width: 40, height: 30)

    @Test(
        "a picture of few colours gets a palette of as few bits as possible",
        arguments: [(2, 1), (4, 2), (7, 4), (16, 4), (17, 8), (256, 8)])
    func palettes(colorCount: Int, bitDepth: Int) throws {
        let bitmap = try Self.bitmap(Self.size) { [UInt8($0 % colorCount), UInt8(255 - $0 % colorCount), 7, 255] }
        let data = try Self.encode(bitmap)
        #expect(Self.form(data) == (3, UInt8(bitDepth)))
        try Self.expectRoundTrip(bitmap, data)
    }

    @Test("a palette keeps every alpha, and invisible colours")
    func translucentPalette() throws {
        let bitmap = try Self.bitmap(Self.size) { [UInt8($0 % 9 * 20), 5, 200, UInt8([255, 0, 128][$0 % 3])] }
        let data = try Self.encode(bitmap)
        #expect(Self.form(data).colorType == 3)
        try Self.expectRoundTrip(bitmap, data)
    }

    @Test("gray is written as gray, with alpha only if there is some", arguments: [false, true])
    func grays(isOpaque: Bool) throws {
        let bitmap = try Self.bitmap(Self.size) { index in
            let gray = UInt8(index % 251)
            return [gray, gray, gray, isOpaque ? 255 : UInt8(index / 7 % 256)]
        }
        let data = try Self.encode(bitmap)
        #expect(Self.form(data) == (isOpaque ? 0 : 4, 8))
        try Self.expectRoundTrip(bitmap, data)
    }

    @Test("many colours are written as RGB, with alpha only if there is some", arguments: [false, true])
    func colors(isOpaque: Bool) throws {
        let bitmap = try Self.bitmap(Self.size) {
            [UInt8($0 % 256), UInt8($0 / 5 % 256), 9, isOpaque ? 255 : UInt8($0 % 200)]
        }
        let data = try Self.encode(bitmap)
        #expect(Self.form(data) == (isOpaque ? 2 : 6, 8))
        try Self.expectRoundTrip(bitmap, data)
    }

    @Test("257 colours are one too many for a palette")
    func oneTooMany() throws {
        let bitmap = try Self.bitmap(Self.size) { [UInt8($0 % 257 % 256), UInt8($0 % 257 / 256), 0, 255] }
        #expect(try Self.form(Self.encode(bitmap)).colorType == 2)
    }

    @Test("EOP-1 BCO-14 16 bits a channel are written as such and come back", arguments: [0, 2, 4, 6])
    func deep(colorType: UInt8) throws {
        let isGray = colorType == 0 || colorType == 4
        let isOpaque = colorType == 0 || colorType == 2
        var channels = DeepPixelTests.noise(Self.size, isOpaque: isOpaque)
        if isGray {
            for pixel in stride(from: 0, to: channels.count, by: 4) {
                channels[pixel + 1] = channels[pixel]
                channels[pixel + 2] = channels[pixel]
            }
        }
        let bytes = channels.withUnsafeBytes { Array($0) }
        let bitmap = try Bitmap(size: Self.size, format: .rgba16Straight, pixels: bytes)
        let data = try Self.encode(bitmap)
        #expect(Self.form(data) == (colorType, 16))
        var options = ImageDecodeOptions.storedPixels
        options.pixelFormat = .rgba16Straight
        #expect(try PNGCoder().decode(data, options: options).bitmap.channels == channels)
        let properties = try #require(try PNGCoder().properties(of: data, isComplete: true))
        #expect(properties.bitsPerChannel == 16 && properties.hasAlpha == !isOpaque)
    }

    @Test("equal pictures give equal files")
    func deterministic() throws {
        let pixels = { (index: Int) in [UInt8(index % 9), UInt8(index % 5), 0, UInt8(index % 2 * 255)] }
        #expect(try Self.encode(Self.bitmap(Self.size, pixels)) == Self.encode(Self.bitmap(Self.size, pixels)))
    }

    @Test("PAM has 16 bits if the bitmap has")
    func deepPAM() throws {
        let size = PixelSize(width: 1, height: 1)
        let channels: [UInt16] = [0x1234, 0x5678, 0x9ABC, 0x00FF]
        let bitmap = try Bitmap(size: size, format: .rgba16Straight, pixels: channels.withUnsafeBytes { Array($0) })
        let data = try PAMEncoder().encode(Image(bitmap: bitmap), to: .pam, options: ImageEncodeOptions())
        #expect(String(decoding: data, as: UTF8.self).contains("MAXVAL 65535"))
        #expect(Array(data.suffix(8)) == [0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0, 0xFF])
    }

    @Test("lossy formats take a deep picture at 8 bits", arguments: [ImageFormat.jpeg, .webP])
    func lossy(format: ImageFormat) throws {
        let color: [UInt16] = [40_000, 20_000, 10_000, 65_535]
        let channels = Array(Array(repeating: color, count: Self.size.area).joined())
        let bitmap = try Bitmap(
            size: Self.size, format: .rgba16Premultiplied, pixels: channels.withUnsafeBytes { Array($0) })
        let data = try ImageCodersManager.shared.encode(
            Image(bitmap: bitmap), to: format, options: ImageEncodeOptions())
        let decoded = try ImageCodersManager.shared.decode(data, options: .storedPixels).bitmap
        #expect(largestDifference(decoded.pixel(20, 15), [156, 78, 39, 255]) <= 3)
    }
}
