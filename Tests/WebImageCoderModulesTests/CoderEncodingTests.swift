import FoundationEssentials
import Testing
import WebImageCore
import WebImageTestSupport

@Suite("Writing AVIF, HEIC and JPEG XL")
struct CoderEncodingTests {
    @Test("BCO-6 lossless pixels come back as they were", arguments: CoderCase.writable)
    func lossless(format: CoderCase) throws {
        for isOpaque in [true, false] {
            let bitmap = try SmoothPicture.make(width: 67, height: 45, isOpaque: isOpaque)
            let data = try format.encodeLossless(bitmap)
            #expect(ImageFormat(sniffing: data) == format.format)
            let difference = try largestDifference(format.decode(data).bytes, bitmap.bytes)
            #expect(difference == 0)
        }
    }

    @Test("translucent pixels keep their alpha", arguments: CoderCase.writable)
    func translucent(format: CoderCase) throws {
        let bitmap = try SmoothPicture.make(width: 64, height: 48, isOpaque: false)
        let data = try format.encode(bitmap)
        #expect(try format.coder.properties(of: data, isComplete: true)?.hasAlpha == true)
        let decoded = try format.decode(data)
        #expect(!decoded.isOpaque)
        #expect(largestDifference(Self.alpha(bitmap), Self.alpha(decoded)) <= 4)
        // Colour under low alpha may be anything, so it is compared premultiplied.
        let seen = try format.decode(data, ImageDecodeOptions())
        #expect(peakSignalToNoise(seen.bytes, Self.premultiplied(bitmap)) > 35)
    }

    @Test("quality changes the size, and the best one looks the same", arguments: CoderCase.writable)
    func quality(format: CoderCase) throws {
        let bitmap = try SmoothPicture.make(width: 256, height: 192)
        var options = ImageEncodeOptions.best
        let sizes = try [1, 0.75, 0.3, 0].map { quality in
            options.compressionQuality = quality
            return try format.encode(bitmap, options).count
        }
        #expect(sizes == sizes.sorted(by: >))
        #expect(try peakSignalToNoise(format.decode(format.encode(bitmap)).bytes, bitmap.bytes) > 45)
        options.compressionQuality = 0.75
        #expect(try peakSignalToNoise(format.decode(format.encode(bitmap, options)).bytes, bitmap.bytes) > 32)
        options.compressionQuality = .nan
        #expect(try format.encode(bitmap, options) == format.encode(bitmap))
    }

    @Test("a picture is reduced to fit before it is written", arguments: CoderCase.writable)
    func maximumSize(format: CoderCase) throws {
        var options = ImageEncodeOptions.best
        options.maxPixelSize = PixelSize(width: 50, height: 50)
        let data = try format.encode(SmoothPicture.make(width: 200, height: 100), options)
        let size = try format.coder.properties(of: data, isComplete: true)?.pixelSize
        #expect(size == PixelSize(width: 50, height: 25))
    }

    @Test("odd sizes down to one pixel are written and read", arguments: CoderCase.writable)
    func oddSizes(format: CoderCase) throws {
        for (width, height) in [(1, 1), (1, 7), (5, 1), (33, 17), (65, 130)] {
            let bitmap = try SmoothPicture.make(width: width, height: height)
            let decoded = try format.decode(format.encode(bitmap))
            #expect(decoded.size == bitmap.size)
        }
    }

    @Test("a coder asked for another format refuses", arguments: CoderCase.all)
    func otherFormats(format: CoderCase) throws {
        let image = try Image(bitmap: SmoothPicture.make(width: 4, height: 4))
        #expect(!format.coder.canEncode(.png))
        let error = #expect(throws: WebImageError.self) {
            try format.coder.encode(image, to: .png, options: ImageEncodeOptions.best)
        }
        #expect(error?.code == .encodeFailed)
    }

    private static func alpha(_ bitmap: Bitmap) -> [UInt8] {
        let bytes = bitmap.bytes
        return stride(from: 3, to: bytes.count, by: 4).map { bytes[$0] }
    }

    private static func premultiplied(_ bitmap: Bitmap) -> [UInt8] {
        let bytes = bitmap.bytes
        return bytes.indices.map { index in
            index % 4 == 3 ? bytes[index] : UInt8((Int(bytes[index]) * Int(bytes[index | 3]) + 127) / 255)
        }
    }
}
