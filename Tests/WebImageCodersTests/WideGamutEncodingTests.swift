import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImagePixels
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Bitmaps in Display P3")
struct WideGamutEncodingTests {
    private static let formats: [PixelFormat] = [
        .rgba8Premultiplied, .rgba8Straight, .rgba16Premultiplied, .rgba16Straight, .rgba16FloatPremultiplied,
        .rgba16FloatStraight,
    ]

    @Test("conversion to any pixel format gives sRGB", arguments: formats, formats)
    func converted(from: PixelFormat, to: PixelFormat) throws {
        for (p3, sRGB) in WidePicture.pairs {
            let bitmap = try WidePicture.bitmap(p3, from)
            #expect(bitmap.colorSpace == .displayP3 && bitmap.format == from)
            let result = try bitmap.converted(to: to)
            #expect(result.colorSpace == .sRGB && result.format == to && result.isOpaque)
            let pixel = try result.converted(to: .rgba8Straight).pixel(3, 5)
            #expect(largestDifference(pixel, sRGB + [255]) <= 1, "\(p3) became \(pixel)")
        }
    }

    @Test("translucent colours keep their alpha")
    func translucent() throws {
        for format in Self.formats {
            let bitmap = try WidePicture.bitmap([200, 100, 50], alpha: 128, format)
            let result = try bitmap.converted(to: .rgba8Straight)
            #expect(result.colorSpace == .sRGB && !result.isOpaque)
            #expect(largestDifference(result.pixel(0, 0), [215, 93, 31, 128]) <= 2)
        }
    }

    @Test(
        "sRGB becomes Display P3 and sRGB again; numbers as stored count as sRGB",
        arguments: [ColorSpace.sRGB, .asStored])
    func thereAndBack(colorSpace: ColorSpace) throws {
        for (p3, sRGB) in WidePicture.pairs where p3.max() != 255 && sRGB.max() != 255 {
            let bitmap = try WidePicture.bitmap(sRGB, .rgba16Straight, colorSpace: colorSpace)
            let wide = try bitmap.converted(to: .rgba16Straight, in: .displayP3)
            #expect(wide.colorSpace == .displayP3)
            #expect(zip(wide.channels, p3).allSatisfy { abs(Int($0) - Int($1) * 257) <= 2 * 257 })
            let back = try wide.converted(to: .rgba16Straight)
            #expect(back.colorSpace == .sRGB)
            #expect(zip(back.channels, bitmap.channels).allSatisfy { abs(Int($0) - Int($1)) <= 16 })
            #expect(try wide.converted(to: .rgba16Straight, in: .asStored).colorSpace == .sRGB)
            #expect(try bitmap.converted(to: .rgba8Straight).colorSpace == colorSpace)
        }
    }

    @Test("only bitmaps whose numbers stand for sRGB are in the usual form")
    func usualForm() throws {
        let bitmap = try WidePicture.bitmap([200, 100, 50])
        #expect(!bitmap.isShallow)
        #expect(try bitmap.inEightBits().isShallow)
        #expect(try WidePicture.bitmap([1, 2, 3], colorSpace: .sRGB).isShallow)
        try bitmap.withStraightPixels { base, _ in #expect(abs(Int(base[0]) - 215) <= 1) }
        try bitmap.withStraightPixels(in: .displayP3) { base, _ in #expect(base[0] == 200) }
        try bitmap.withDeepStraightPixels { #expect($0[0] == 200 * 257) }
    }

    @Test(
        "formats that do not describe colours get those of sRGB",
        arguments: [ImageFormat.jpeg, .webP, .gif, .bmp, .pam],
        [PixelFormat.rgba8Premultiplied, .rgba16Straight, .rgba16FloatStraight])
    func plainFormats(format: ImageFormat, pixels: PixelFormat) throws {
        let wide = try WidePicture.bitmap([200, 100, 50], pixels)
        let plain = try wide.converted(to: pixels)
        var options = ImageEncodeOptions.best
        options.isLossless = format == .webP
        let files = try [wide, plain].map {
            try ImageCodersManager.shared.encode(Image(bitmap: $0), to: format, options: options)
        }
        #expect(files[0] == files[1])
        guard format != .pam else { return }
        let decoded = try WidePicture.decode(files[0])
        #expect(decoded.colorSpace == .sRGB)
        #expect(largestDifference(decoded.pixel(4, 4), [215, 93, 31, 255]) <= 3)
    }

    @Test("PNG keeps Display P3", arguments: formats.filter { !$0.isFloatingPoint }, [255, 100] as [UInt8])
    func png(format: PixelFormat, alpha: UInt8) throws {
        // A pixel is written as such, and many of one colour with a palette.
        for side in [1, 40] {
            let bitmap = try WidePicture.bitmap([200, 100, 50], alpha: alpha, format, side: side)
            let file = try PNGCoder().encode(Image(bitmap: bitmap), to: .png, options: ImageEncodeOptions())
            #expect(file.firstRange(of: Data("cICP".utf8) + [12, 13, 0, 1]) != nil)
            let decoded = try PNGCoder().decode(file, options: WidePicture.options(format)).bitmap
            #expect(decoded.colorSpace == .displayP3)
            #expect(zip(decoded.bytes, bitmap.bytes).allSatisfy { abs(Int($0) - Int($1)) <= (alpha == 255 ? 0 : 1) })
            let usual = try WidePicture.decode(file, isWide: false, .rgba8Straight)
            #expect(largestDifference(usual.pixel(0, 0), [215, 93, 31, alpha]) <= 2)
        }
    }

    @Test("frames of one file have the colours of the first one", arguments: [true, false])
    func frames(isWideFirst: Bool) throws {
        let wide = try WidePicture.bitmap([200, 100, 50])
        let plain = try WidePicture.bitmap([200, 100, 50], colorSpace: .sRGB)
        let frames = (isWideFirst ? [wide, plain] : [plain, wide]).map {
            ImageFrame(bitmap: $0, duration: .milliseconds(100))
        }
        let file = try PNGCoder().encode(frames, loopCount: 0, to: .png, options: ImageEncodeOptions())
        #expect((file.firstRange(of: Data("cICP".utf8)) != nil) == isWideFirst)
        let animation = try PNGCoder().makeAnimation(of: file, options: WidePicture.options(.rgba8Straight))
        let expected: [[UInt8]] = [[200, 100, 50, 255], isWideFirst ? [187, 105, 62, 255] : [215, 93, 31, 255]]
        for (index, color) in expected.enumerated() {
            let frame = try animation.frame(at: index)
            #expect(frame.colorSpace == (isWideFirst ? .displayP3 : .sRGB))
            #expect(largestDifference(frame.pixel(2, 2), color) <= 1)
        }
    }

    @Test("8 bits of high dynamic range are brought to sRGB before PNG writes them")
    func shallowRange() throws {
        let bitmap = try WidePicture.bitmap([150, 150, 150], colorSpace: .bt2100PQ)
        let file = try PNGCoder().encode(Image(bitmap: bitmap), to: .png, options: ImageEncodeOptions())
        var options = ImageDecodeOptions()
        options.decodesToHDR = true
        let decoded = try PNGCoder().decode(file, options: options).bitmap
        #expect(try decoded.colorSpace == .sRGB && decoded.bytes == bitmap.converted(to: .rgba8Premultiplied).bytes)
    }

    @Test("what is computed of the pixels is that of sRGB")
    func computations() throws {
        let wide = Image(bitmap: try WidePicture.bitmap([200, 100, 50], .rgba8Premultiplied))
        let plain = Image(bitmap: try wide.bitmap.converted(to: .rgba8Premultiplied))
        #expect(wide.averageColor == plain.averageColor && wide.dominantColors() == plain.dominantColors())
        #expect(try BlurHash(of: wide.bitmap) == BlurHash(of: plain.bitmap))
        #expect(try BitmapPair(wide.bitmap, plain.bitmap).difference().largest.largest == 0)
        #expect(wide.color(x: 0, y: 0) == nil && plain.color(x: 0, y: 0) != nil)
    }
}
