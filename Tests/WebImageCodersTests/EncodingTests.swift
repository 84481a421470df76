import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Encoding PNG, WebP and PAM")
struct EncodingTests {
    private static let size = PixelSize(width: 7, height: 5)

    /// Straight pixels of many alphas; opaque ones when asked for.
    private func pixels(isOpaque: Bool) -> [UInt8] {
        var pixels: [UInt8] = []
        for index in 0..<UInt8(Self.size.area) {
            pixels += [index * 7, 255 - index * 5, index * 3, isOpaque ? 255 : index * 7]
        }
        return pixels
    }

    private func image(isOpaque: Bool, format: PixelFormat = .rgba8Straight) throws -> Image {
        Image(bitmap: try Bitmap(size: Self.size, format: format, pixels: pixels(isOpaque: isOpaque)))
    }

    private var lossless: ImageEncodeOptions {
        var options = ImageEncodeOptions.best
        options.isLossless = true
        return options
    }

    @Test("MET-9 straight pixels are read back unchanged", arguments: [ImageFormat.png, .webP], [false, true])
    func roundTrip(format: ImageFormat, isOpaque: Bool) throws {
        let data = try ImageCodersManager.shared.encode(image(isOpaque: isOpaque), to: format, options: lossless)
        #expect(ImageFormat(sniffing: data) == format)
        let decoded = try ImageCodersManager.shared.decode(data, options: .storedPixels)
        #expect(decoded.bitmap.bytes == pixels(isOpaque: isOpaque))
        #expect(decoded.bitmap.isOpaque == isOpaque)
        let properties = try ImageCodersManager.shared.properties(of: data, isComplete: true)
        #expect(properties?.hasAlpha == !isOpaque)
    }

    @Test("premultiplied pixels are read back unchanged", arguments: [ImageFormat.png, .webP])
    func premultipliedRoundTrip(format: ImageFormat) throws {
        let file = try ImageCodersManager.shared.encode(image(isOpaque: false), to: .png, options: lossless)
        let original = try ImageCodersManager.shared.decode(file, options: ImageDecodeOptions())
        #expect(original.bitmap.format == .rgba8Premultiplied)
        let data = try ImageCodersManager.shared.encode(original, to: format, options: lossless)
        let decoded = try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions())
        #expect(decoded.bitmap.bytes == original.bitmap.bytes)
    }

    @Test("premultiplied colour is divided by its alpha again")
    func unpremultiplied() throws {
        let bitmap = try Bitmap(size: PixelSize(width: 2, height: 1), pixels: [64, 32, 0, 128, 0, 0, 0, 0])
        let data = try PNGCoder().encode(Image(bitmap: bitmap), to: .png, options: ImageEncodeOptions.best)
        let decoded = try PNGCoder().decode(data, options: .storedPixels)
        #expect(decoded.bitmap.bytes == [128, 64, 0, 128, 0, 0, 0, 0])
    }

    @Test("lossy WebP stays close to the picture, closer at higher quality")
    func lossyQuality() throws {
        let original = try PNGCoder().decode(Fixtures.data("translucent.png"), options: ImageDecodeOptions())
        let decibels = try [0.3, 0.75, 1].map { quality in
            var options = ImageEncodeOptions.best
            options.compressionQuality = quality
            let data = try WebPCoder().encode(original, to: .webP, options: options)
            let decoded = try WebPCoder().decode(data, options: ImageDecodeOptions())
            return peakSignalToNoise(decoded.bitmap.bytes, original.bitmap.bytes)
        }
        #expect(decibels[0] > 25)
        #expect(decibels[1] > decibels[0] + 1)
        #expect(decibels[2] > decibels[1] + 1)
        #expect(decibels[2] < .infinity)
    }

    @Test("a quality out of range becomes the nearest", arguments: [-1, 2, .nan, .infinity])
    func oddQuality(quality: Double) throws {
        var options = ImageEncodeOptions.best
        options.compressionQuality = quality
        let data = try WebPCoder().encode(image(isOpaque: true), to: .webP, options: options)
        #expect(try WebPCoder().decode(data, options: ImageDecodeOptions()).pixelSize == Self.size)
    }

    @Test("PAM is a header and straight pixels, byte for byte")
    func pam() throws {
        let bitmap = try Bitmap(size: PixelSize(width: 2, height: 1), pixels: [64, 32, 0, 128, 1, 2, 3, 255])
        let data = try ImageCodersManager.shared.encode(
            Image(bitmap: bitmap), to: .pam, options: ImageEncodeOptions.best)
        let header = "P7\nWIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
        #expect(data == Data(header.utf8) + Data([128, 64, 0, 128, 1, 2, 3, 255]))
        #expect(ImageFormat.pam.fileExtension == "pam")
        #expect(ImageFormat.pam.description == "PAM")
    }

    @Test("PAM says that it goes one way only")
    func oneWay() throws {
        #expect(!PAMEncoder().canDecode(Data("P7\n".utf8)))
        #expect(throws: WebImageError.self) { try PAMEncoder().decode(Data("P7\n".utf8), options: .storedPixels) }
    }

    @Test("a picture that is too large for WebP is refused, with advice")
    func tooLargeForWebP() throws {
        let bitmap = try Bitmap(
            size: PixelSize(width: 16_384, height: 1), pixels: [UInt8](repeating: 255, count: 16_384 * 4))
        let error = #expect(throws: WebImageError.self) {
            try WebPCoder().encode(Image(bitmap: bitmap), to: .webP, options: ImageEncodeOptions.best)
        }
        #expect(error?.code == .encodeFailed)
        #expect(error?.reason.contains("use PNG or JPEG") == true)
    }

    @Test("a coder asked for another format refuses", arguments: [ImageFormat.jpeg, .undefined])
    func otherFormat(format: ImageFormat) throws {
        let coders: [any ImageCoder] = [PNGCoder(), WebPCoder(), PAMEncoder()]
        let image = try image(isOpaque: true)
        for coder in coders {
            #expect(!coder.canEncode(format))
            #expect(throws: WebImageError.self) {
                try coder.encode(image, to: format, options: ImageEncodeOptions.best)
            }
        }
    }
}
