import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImagePixels
@testable import WebImageTestDoubles

@Suite("PNG of 16 bits, and its colours")
struct PNGDepthTests {
    private static func stored(_ format: PixelFormat) -> ImageDecodeOptions {
        var options = ImageDecodeOptions.storedPixels
        options.pixelFormat = format
        return options
    }

    @Test("BCO-14 30 PNGPluginWorkaround: 16 bits stay 16 on request", arguments: PNGKind.all)
    func depth(kind: PNGKind) throws {
        let bitmap = try PNGCoder().decode(kind.file, options: Self.stored(.rgba16Straight)).bitmap
        let channels = bitmap.channels
        for y in 0..<PNGKind.height {
            for x in 0..<PNGKind.width {
                let start = (y * PNGKind.width + x) * 4
                #expect(Array(channels[start..<start + 4]) == kind.expectedDeep(x, y))
            }
        }
    }

    @Test("straight pixels keep their colour at low alpha", arguments: [PixelFormat.rgba8Straight, .rgba16Straight])
    func lowAlpha(format: PixelFormat) throws {
        var builder = PNGBuilder()
        builder.appendHeader(width: 2, height: 1, bitDepth: 16, colorType: 6)
        builder.appendPixels([0, 0xAB, 0xCD, 0x12, 0x34, 0xFF, 0xFE, 0, 1, 0x80, 0x80, 0x40, 0x40, 0x20, 0x20, 0, 0])
        builder.appendEnd()
        let bitmap = try PNGCoder().decode(builder.data, options: Self.stored(format)).bitmap
        if format == .rgba8Straight {
            #expect(bitmap.bytes == [0xAB, 0x12, 0xFF, 0, 0x80, 0x40, 0x20, 0])
        } else {
            #expect(bitmap.channels == [0xABCD, 0x1234, 0xFFFE, 1, 0x8080, 0x4040, 0x2020, 0])
        }
    }

    @Test("a transparent colour is compared at full depth", arguments: [0, 2])
    func colorKey(colorType: Int) throws {
        var builder = PNGBuilder()
        builder.appendHeader(width: 2, height: 1, bitDepth: 16, colorType: colorType)
        let samples = colorType == 0 ? 1 : 3
        builder.append("tRNS", Array(Array(repeating: [0x12, 0x34], count: samples).joined()))
        builder.appendPixels(
            [0] + Array(Array(repeating: [0x12, 0x34], count: samples).joined())
                + Array(Array(repeating: [0x12, 0x35], count: samples).joined()))
        builder.appendEnd()
        let bitmap = try PNGCoder().decode(builder.data, options: Self.stored(.rgba16Straight)).bitmap
        #expect(bitmap.channels == [0x1234, 0x1234, 0x1234, 0, 0x1235, 0x1235, 0x1235, 65_535])
    }

    @Test("a deep thumbnail of rows and one of passes are the same")
    func thumbnails() throws {
        var options = ImageDecodeOptions()
        options.pixelFormat = .rgba16Premultiplied
        options.thumbnailPixelSize = PixelSize(width: 5, height: 5)
        let pictures = try [false, true].map { isInterlaced in
            try PNGCoder().decode(
                PNGKind(colorType: 6, bitDepth: 16, isInterlaced: isInterlaced).file, options: options)
        }
        #expect(pictures[0].bitmap.bytes == pictures[1].bitmap.bytes)
        #expect(pictures[0].bitmap.format == .rgba16Premultiplied)
    }

    // MARK: - Colours

    /// One gray pixel of half the range, with chunks about colours.
    private static func picture(_ chunks: [(String, [UInt8])], sample: UInt8 = 128) -> Data {
        var builder = PNGBuilder()
        builder.appendHeader(width: 1, height: 1, colorType: 2)
        for (type, content) in chunks { builder.append(type, content) }
        builder.appendPixels([0, sample, sample, sample])
        builder.appendEnd()
        return builder.data
    }

    private static func gamma(_ value: Int) -> (String, [UInt8]) { ("gAMA", PNGBuilder.bigEndian(value, bytes: 4)) }
    private static func codePoints(_ values: [UInt8]) -> (String, [UInt8]) { ("cICP", values) }
    private static let sRGB = ("sRGB", [UInt8(0)])
    private static let linear = UInt8((TransferFunction.sRGB.code(128.0 / 255) * 255).rounded())

    private static func gray(_ chunks: [(String, [UInt8])]) throws -> UInt8 {
        let bitmap = try PNGCoder().decode(picture(chunks), options: ImageDecodeOptions()).bitmap
        let pixel = bitmap.pixel(0, 0)
        #expect(pixel[0] == pixel[1] && pixel[1] == pixel[2] && pixel[3] == 255)
        return pixel[0]
    }

    @Test("gAMA is applied, unless it is the usual one of sRGB, or nonsense")
    func gammaAlone() throws {
        #expect(try Self.gray([Self.gamma(100_000)]) == Self.linear)
        #expect(try Self.gray([Self.gamma(55_556)]) > 130)
        for value in [45_455, 45_000, 46_000, 0, 1, 4_000_000_000] {
            #expect(try Self.gray([Self.gamma(value)]) == 128)
        }
        let options = ImageDecodeOptions.storedPixels
        #expect(
            try PNGCoder().decode(Self.picture([Self.gamma(100_000)]), options: options).bitmap.pixel(0, 0)[0] == 128)
    }

    @Test("cICP wins over sRGB, and sRGB over gAMA")
    func precedence() throws {
        #expect(try Self.gray([Self.sRGB, Self.gamma(100_000)]) == 128)
        #expect(try Self.gray([Self.gamma(100_000), Self.sRGB]) == 128)
        #expect(try Self.gray([Self.codePoints([1, 8, 0, 1]), Self.sRGB]) == Self.linear)
        #expect(try Self.gray([Self.codePoints([1, 13, 0, 1]), Self.gamma(100_000)]) == 128)
    }

    @Test("code points for video, unknown ones and chunks of a wrong length are ignored")
    func oddChunks() throws {
        for values: [UInt8] in [[1, 8, 1, 1], [1, 8, 0, 0], [1, 8, 0], [77, 8, 0, 1]] {
            #expect(try Self.gray([Self.codePoints(values)]) == 128)
        }
        #expect(try Self.gray([("gAMA", [1, 2]), ("cHRM", [1, 2, 3]), ("sRGB", [])]) == 128)
    }

    @Test("cHRM widens the colours; a triangle of nonsense does not")
    func chromaticities() throws {
        func red(_ numbers: [Int]) throws -> [UInt8] {
            var builder = PNGBuilder()
            builder.appendHeader(width: 1, height: 1, colorType: 2)
            builder.append("cHRM", numbers.flatMap { PNGBuilder.bigEndian($0, bytes: 4) })
            builder.appendPixels([0, 200, 100, 50])
            builder.appendEnd()
            return Array(
                try PNGCoder().decode(builder.data, options: ImageDecodeOptions()).bitmap.pixel(0, 0).prefix(3))
        }
        let displayP3 = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6000]
        #expect(largestDifference(try red(displayP3), [215, 93, 31]) <= 2)
        for nonsense in [Array(repeating: 0, count: 8), Array(repeating: 33_333, count: 8)] {
            #expect(try red(nonsense) == [200, 100, 50])
        }
        #expect(try red([31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6000]) == [200, 100, 50])
    }

    @Test("DOP-9 32 ISOHDRDecode: a picture in PQ is shown in sRGB, or kept with its range")
    func highDynamicRange() throws {
        let content = PNGBuilder.bigEndian(40_000_000, bytes: 4) + PNGBuilder.bigEndian(2_000_000, bytes: 4)
        let file = Self.picture([Self.codePoints([9, 16, 0, 1]), ("cLLI", content)], sample: 148)
        let shown = try PNGCoder().decode(file, options: ImageDecodeOptions())
        #expect(shown.bitmap.format == .rgba8Premultiplied && !shown.isHighDynamicRange)
        let dim = shown.bitmap.pixel(0, 0)[0]
        // A peak of 1,000 cd/m² leaves more range for the rest than one of 4,000.
        let bright = try Self.gray([Self.codePoints([9, 16, 0, 1])])
        #expect(dim > 100 && dim < 250 && bright > 0)
        var options = ImageDecodeOptions()
        options.decodesToHDR = true
        let kept = try PNGCoder().decode(file, options: options)
        #expect(kept.isHighDynamicRange && kept.bitmap.format == .rgba16Premultiplied)
        let gray: UInt16 = 148 * 257
        #expect(kept.bitmap.channels == [gray, gray, gray, 65_535])
        let written = try PNGCoder().encode(kept, to: .png, options: ImageEncodeOptions())
        let again = try PNGCoder().decode(written, options: options)
        #expect(again.bitmap.colorSpace == .bt2100PQ && again.bitmap.channels == kept.bitmap.channels)
    }
}

extension PNGKind {
    /// The expected pixel in RGBA of 16 bits.
    fileprivate func expectedDeep(_ x: Int, _ y: Int) -> [UInt16] {
        guard bitDepth == 16 else { return expected(x, y).map { UInt16($0) * 257 } }
        let samples = (0..<channelCount).map { UInt16(sample(x, y, $0)) }
        switch channelCount {
        case 1: return [samples[0], samples[0], samples[0], 65_535]
        case 2: return [samples[0], samples[0], samples[0], samples[1]]
        case 3: return samples + [65_535]
        default: return samples
        }
    }
}
