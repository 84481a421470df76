import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImagePixels
@testable import WebImageTestDoubles

@Suite("Decoding to wide gamut")
struct WideGamutTests {
    private static let chromaticities: (String, [UInt8]) = (
        "cHRM",
        [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6000].flatMap { PNGBuilder.bigEndian($0, bytes: 4) }
    )

    @Test(
        "Display P3 keeps its numbers, however the file says it, and is in sRGB by default",
        arguments: [WidePicture.codePoints, chromaticities, ICCBuilder.displayP3.chunk])
    func displayP3(type: String, content: [UInt8]) throws {
        for (p3, sRGB) in WidePicture.pairs {
            let file = WidePicture.png(p3, [(type, content)])
            let wide = try WidePicture.decode(file)
            #expect(wide.colorSpace == .displayP3 && wide.format == .rgba8Premultiplied)
            #expect(wide.bytes == p3 + [255])
            let usual = try WidePicture.decode(file, isWide: false)
            #expect(usual.colorSpace == .sRGB)
            #expect(largestDifference(usual.bytes, sRGB + [255]) <= 1, "\(p3) became \(usual.bytes)")
        }
    }

    @Test(
        "other wide colours become those of Display P3, cut off at its edges",
        arguments: [
            // Computed from the primaries of both, and the curves.
            (ICCBuilder.adobeRGB.chunk, [0, 255, 0] as [UInt8], [0, 250, 45] as [UInt8]),
            (ICCBuilder.adobeRGB.chunk, [255, 0, 0], [255, 61, 43]),
            (ICCBuilder.adobeRGB.chunk, [200, 100, 50], [212, 108, 59]),
            (ICCBuilder.adobeRGB.chunk, [30, 200, 90], [0, 197, 94]),
            (("cICP", [9, 14, 0, 1]), [200, 100, 50], [223, 89, 50]),
            (("cICP", [9, 1, 0, 1]), [0, 255, 0], [0, 255, 0]),
            (("cICP", [9, 13, 0, 1]), [128, 128, 128], [128, 128, 128]),
        ])
    func otherColors(chunk: (String, [UInt8]), color: [UInt8], expected: [UInt8]) throws {
        let file = WidePicture.png(color, [chunk])
        let shallow = try WidePicture.decode(file)
        #expect(shallow.colorSpace == .displayP3)
        #expect(largestDifference(shallow.bytes, expected + [255]) <= 1, "\(shallow.bytes)")
        let deep = try WidePicture.decode(file, .rgba16Straight)
        #expect(deep.colorSpace == .displayP3 && deep.format == .rgba16Straight)
        let rounded = deep.channels.map { UInt8((Int($0) + 128) / 257) }
        #expect(largestDifference(rounded, expected + [255]) <= 1, "\(rounded)")
    }

    @Test(
        "a picture within sRGB is just as it always is",
        arguments: [
            [], [("sRGB", [0])], [("cICP", [1, 13, 0, 1])], [("cICP", [1, 8, 0, 1])], [("cICP", [6, 6, 0, 1])],
            [ICCBuilder.sRGB.chunk], [("gAMA", [0, 1, 0x86, 0xA0])],
        ] as [[(String, [UInt8])]])
    func withinSRGB(chunks: [(String, [UInt8])]) throws {
        let file = WidePicture.png([200, 100, 50], chunks)
        let (wide, usual) = (try WidePicture.decode(file), try WidePicture.decode(file, isWide: false))
        #expect(wide.colorSpace == .sRGB && wide.bytes == usual.bytes)
    }

    @Test("gray and ink are sRGB, whatever the file says of their colours")
    func grayAndInk() throws {
        var builder = PNGBuilder()
        builder.appendHeader(width: 1, height: 1, colorType: 0)
        builder.append(WidePicture.codePoints.0, WidePicture.codePoints.1)
        builder.appendPixels([0, 77])
        builder.appendEnd()
        let gray = try WidePicture.decode(builder.data)
        #expect(gray.colorSpace == .sRGB && gray.bytes == [77, 77, 77, 255])
        for name in ["gray-profile.jpg", "cmyk.jpg"] {
            let file = try Fixtures.data(name)
            let (wide, usual) = (try WidePicture.decode(file), try WidePicture.decode(file, isWide: false))
            #expect(wide.colorSpace == .sRGB && wide.bytes == usual.bytes)
        }
        let size = PixelSize(width: 1, height: 1)
        let profile = ColorProfile(bytes: Data(ICCBuilder.displayP3.bytes))
        let ink = try Bitmap.assembled(
            [10, 200, 30, 255], size: size, isOpaque: true, layout: .invertedCMYK, profile: profile,
            options: WidePicture.options())
        #expect(ink.colorSpace == .sRGB)
    }

    @Test("high dynamic range stays with its own option, and is tone-mapped to sRGB without it", arguments: [9, 12])
    func highDynamicRange(primaries: UInt8) throws {
        let file = WidePicture.png([150, 150, 90], [("cICP", [primaries, 16, 0, 1])])
        let (wide, usual) = (try WidePicture.decode(file), try WidePicture.decode(file, isWide: false))
        #expect(wide.colorSpace == .sRGB && wide.bytes == usual.bytes)
        var options = WidePicture.options()
        options.decodesToHDR = true
        #expect(try PNGCoder().decode(file, options: options).bitmap.colorSpace == .bt2100PQ)
        let sdr = WidePicture.png([255, 0, 0], [WidePicture.codePoints])
        #expect(try PNGCoder().decode(sdr, options: options).bitmap.colorSpace == .displayP3)
    }

    @Test("without conversion the numbers are as stored")
    func stored() throws {
        var options = WidePicture.options()
        options.convertsToSRGB = false
        let bitmap = try PNGCoder().decode(
            WidePicture.png([200, 100, 50], [ICCBuilder.adobeRGB.chunk]), options: options
        ).bitmap
        #expect(bitmap.colorSpace == .asStored && bitmap.bytes == [200, 100, 50, 255])
    }

    @Test("a thumbnail keeps its colours, of a file in any format", arguments: [nil, 24, 7] as [Int?])
    func thumbnails(side: Int?) throws {
        var options = WidePicture.options()
        options.thumbnailPixelSize = side.map { PixelSize(width: $0 * 6, height: $0) }
        let bitmap = try JPEGCoder().decode(Fixtures.data("display-p3.jpg"), options: options).bitmap
        #expect(bitmap.colorSpace == .displayP3)
        let edge = bitmap.size.width / 6
        let colors: [[Double]] = [
            [255, 0, 0], [0, 255, 0], [0, 0, 255], [200, 100, 50], [128, 128, 128], [30, 60, 90],
        ]
        for (index, color) in colors.enumerated() {
            let middle = index * edge + edge / 2
            let mean = bitmap.mean(x: middle..<middle + 1, y: edge / 2..<edge / 2 + 1)
            #expect(zip(mean, color).allSatisfy { abs($0 - $1) <= 3 }, "\(mean) is not \(color)")
        }
    }

    @Test("partial pictures and parts of a picture have the colours of the whole")
    func parts() throws {
        let size = PixelSize(width: 60, height: 60)
        let noise = try TestPicture.noise(size, format: .rgba8Straight, isOpaque: true)
        let picture = try Bitmap(size: size, format: .rgba8Straight, colorSpace: .displayP3, pixels: noise.bytes)
        let file = try PNGCoder().encode(Image(bitmap: picture), to: .png, options: ImageEncodeOptions())
        let partials = try ProgressiveJPEGTests.partials(
            of: file, chunkSize: file.count / 5, options: WidePicture.options(), coder: PNGCoder())
        #expect(partials.count > 1 && partials.allSatisfy { $0.bitmap.colorSpace == .displayP3 })
        let even = Image(bitmap: try WidePicture.bitmap([200, 100, 50], side: 30))
        var options = WidePicture.options()
        options.region = .resized(PixelSize(width: 7, height: 5), .lanczos3)
        let part = try PNGCoder().decode(
            try PNGCoder().encode(even, to: .png, options: ImageEncodeOptions()), options: options
        ).bitmap
        #expect(part.colorSpace == .displayP3 && part.pixel(3, 3) == [200, 100, 50, 255])
    }

    @Test("translucent colours are converted straight")
    func translucent() throws {
        let size = PixelSize(width: 4, height: 1)
        let pixels = [UInt8]((0..<4).flatMap { _ in [200, 100, 50, 128] as [UInt8] })
        let bitmap = try Bitmap.assembled(
            pixels, size: size, profile: ColorProfile(bytes: Data(ICCBuilder.adobeRGB.bytes)),
            options: WidePicture.options(.rgba8Straight))
        #expect(bitmap.colorSpace == .displayP3)
        #expect(largestDifference(bitmap.pixel(2, 0), [212, 108, 59, 128]) <= 1)
    }

    @Test("a broken profile changes nothing, and any damage does no harm")
    func brokenProfiles() throws {
        let real = ICCBuilder.displayP3.bytes
        for count in [0, 4, 127, 131, 200] {
            let chunk = ("iCCP", Array("a".utf8) + [0, 0] + PNGBuilder.zlib(Array(real.prefix(count))))
            let bitmap = try WidePicture.decode(WidePicture.png([200, 100, 50], [chunk]))
            #expect(bitmap.colorSpace == .sRGB && bitmap.bytes == [200, 100, 50, 255])
        }
        #expect(try WidePicture.decode(Fixtures.data("broken-profile.jpg")).colorSpace == .sRGB)
        var random = SeededGenerator(seed: 12)
        for _ in 0..<500 {
            var damaged = Data(real)
            for _ in 0..<3 {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            let options = WidePicture.options()
            let bitmap = try Bitmap.assembled(
                [200, 100, 50, 255], size: PixelSize(width: 1, height: 1), isOpaque: true,
                profile: ColorProfile(bytes: damaged), options: options)
            #expect(bitmap.colorSpace == .sRGB || bitmap.colorSpace == .displayP3)
        }
    }

    @Test(
        "of the profiles of the world those are wide that leave sRGB", .needsCorpus,
        arguments: Corpus.files(in: ["icc/profiles"]))
    func profiles(path: String) throws {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let narrow = ["sRGB", "srgb", "scRGB", "Rec709", "Rec601NTSC", "sGrey", "CGATS", "swap"]
        let colors = SourceColors.profile(ColorProfile(bytes: try Data(contentsOf: URL(filePath: path))))
        #expect(colors.areWide == !narrow.contains { name.hasPrefix($0) }, "\(name)")
        #expect(colors.areWide == colors.leaveSRGB)
    }

    @Test("frames of an animation have the colours of the still picture")
    func frames() throws {
        let file = try Self.animatedWebP(profile: ICCBuilder.displayP3.bytes)
        let stored = try WebPCoder().makeAnimation(of: file, options: .storedPixels)
        let wide = try WebPCoder().makeAnimation(of: file, options: WidePicture.options(.rgba8Straight))
        let usual = try WebPCoder().makeAnimation(of: file, options: WidePicture.options(isWide: false, .rgba8Straight))
        #expect(wide.frameCount > 1)
        for index in 0..<wide.frameCount {
            let frame = try wide.frame(at: index)
            #expect(try frame.colorSpace == .displayP3 && frame.bytes == stored.frame(at: index).bytes)
            #expect(try usual.frame(at: index).colorSpace == .sRGB)
            let later = try frame.converted(to: .rgba8Straight)
            #expect(try largestDifference(later.bytes, usual.frame(at: index).bytes) <= 1)
        }
    }

    /// The fixture with a profile.
    private static func animatedWebP(profile: [UInt8]) throws -> Data {
        var bytes = Array(try Fixtures.data("animated.webp"))
        let count = withUnsafeBytes(of: UInt32(profile.count).littleEndian) { Array($0) }
        let chunk = Array("ICCP".utf8) + count + profile + (profile.count % 2 == 0 ? [] : [0])
        bytes[20] |= 0x20
        bytes.insert(contentsOf: chunk, at: 30)
        bytes.replaceSubrange(4..<8, with: withUnsafeBytes(of: UInt32(bytes.count - 8).littleEndian) { Array($0) })
        return Data(bytes)
    }
}
