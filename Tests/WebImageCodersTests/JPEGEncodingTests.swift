import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("JPEG encoding")
struct JPEGEncodingTests {
    private let coder = JPEGCoder()

    private func encode(_ image: Image, quality: Double, background: RGBAColor = .white)
        throws -> Data
    {
        var options = ImageEncodeOptions.best
        options.compressionQuality = quality
        options.backgroundColor = background
        return try coder.encode(image, to: .jpeg, options: options)
    }

    private func photo() throws -> Image {
        try coder.decode(Fixtures.data("photo.jpg"), options: ImageDecodeOptions())
    }

    @Test("EOP-3 the best quality looks the same, and lower ones are smaller")
    func quality() throws {
        let image = try photo()
        var smallest = Int.max
        for (quality, minimum) in [(1.0, 45.0), (0.9, 38), (0.5, 30), (0.0, 15)] {
            let data = try encode(image, quality: quality)
            let decoded = try coder.decode(data, options: ImageDecodeOptions()).bitmap
            #expect(decoded.size == image.pixelSize)
            #expect(peakSignalToNoise(decoded.bytes, image.bitmap.bytes) >= minimum, "quality \(quality)")
            #expect(data.count < smallest)
            smallest = data.count
        }
    }

    @Test(
        "EOP-3 a quality outside 0 to 1 becomes the nearest",
        arguments: [(-3.0, 0.0), (7, 1), (.nan, 1), (.infinity, 1)])
    func oddQuality(odd: Double, same: Double) throws {
        #expect(try encode(photo(), quality: odd) == encode(photo(), quality: same))
    }

    @Test("colour has the full resolution from 0.9 on", arguments: [(0.89, 0x22), (0.9, 0x11), (1, 0x11)])
    func chroma(quality: Double, factors: UInt8) throws {
        let bytes = [UInt8](try encode(photo(), quality: quality))
        let frame = try #require((0..<bytes.count).first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        #expect(bytes[frame + 11] == factors)
    }

    @Test(
        "EOP-4 translucent pixels are put on the background colour",
        arguments: [PixelFormat.rgba8Straight, .rgba8Premultiplied])
    func background(format: PixelFormat) throws {
        let red: [UInt8] = format == .rgba8Straight ? [255, 0, 0, 128] : [128, 0, 0, 128]
        let size = PixelSize(width: 16, height: 16)
        let pixels = (0..<size.area).flatMap { $0 % 16 < 8 ? red : [0, 0, 0, 0] }
        let image = Image(bitmap: try Bitmap(size: size, format: format, pixels: pixels))
        let data = try encode(image, quality: 1, background: .init(red: 0, green: 200, blue: 100))
        let decoded = try coder.decode(data, options: ImageDecodeOptions()).bitmap
        #expect(largestDifference(decoded.pixel(3, 8), [128, 100, 50, 255]) <= 4)
        #expect(largestDifference(decoded.pixel(12, 8), [0, 200, 100, 255]) <= 4)
    }

    @Test("one pixel is enough")
    func onePixel() throws {
        let image = Image(
            bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [10, 200, 30, 255]))
        let decoded = try coder.decode(encode(image, quality: 1), options: ImageDecodeOptions()).bitmap
        #expect(largestDifference(decoded.pixel(0, 0), [10, 200, 30, 255]) <= 3)
    }

    @Test("a side beyond JPEG's limit, or another format, is refused in one line")
    func refused() throws {
        let wide = try Bitmap(size: PixelSize(width: 65_600, height: 1)) { rows, bytesPerRow in
            rows.initializeMemory(as: UInt8.self, repeating: 255, count: bytesPerRow)
            return true
        }
        let error = #expect(throws: WebImageError.self) { try encode(Image(bitmap: wide), quality: 1) }
        #expect(error?.code == .encodeFailed && error?.stage == .encode)
        #expect(error?.description.contains("65500") == true)
        let image = try photo()
        let other = #expect(throws: WebImageError.self) {
            try coder.encode(image, to: .png, options: ImageEncodeOptions.best)
        }
        #expect(other?.code == .encodeFailed)
    }
}
