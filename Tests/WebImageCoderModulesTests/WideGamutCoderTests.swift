import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImagePixels
import WebImageTIFF
import WebImageTestSupport

@Suite("Wide gamut in AVIF, JPEG XL, HEIC and TIFF")
struct WideGamutCoderTests {
    private static let manager = ImageCodersManager(
        coders: ImageCodersManager.shared.coders + [TIFFCoder()] + CoderCase.all.map(\.coder))

    private static func options(isWide: Bool = true, _ format: PixelFormat) -> ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.decodesToWideGamut = isWide
        options.pixelFormat = format
        return options
    }

    /// The left half has a colour outside of sRGB, and the right half one within it.
    private static func picture(_ format: PixelFormat) throws -> Bitmap {
        let size = PixelSize(width: 64, height: 64)
        let pixels = (0..<size.area).flatMap { ($0 % 64 < 32 ? [240, 40, 20, 255] : [120, 110, 90, 255]) as [UInt8] }
        let bitmap = try Bitmap(size: size, format: .rgba8Straight, colorSpace: .displayP3, pixels: pixels)
        return try bitmap.converted(to: format, in: .displayP3)
    }

    private static func encode(_ bitmap: Bitmap, _ format: ImageFormat, isLossless: Bool) throws -> Data {
        var options = ImageEncodeOptions.best
        options.isLossless = isLossless
        return try manager.encode(Image(bitmap: bitmap), to: format, options: options)
    }

    /// The colours of the halves, with 8 bits.
    private static func halves(_ bitmap: Bitmap) throws -> [[UInt8]] {
        let shallow = try bitmap.converted(to: .rgba8Straight, in: bitmap.colorSpace)
        return [shallow.pixel(10, 30), shallow.pixel(50, 30)]
    }

    @Test(
        "AVIF and JPEG XL keep Display P3, and are in sRGB by default", arguments: [ImageFormat.avif, .jpegXL],
        [PixelFormat.rgba8Straight, .rgba16Straight])
    func roundTrip(format: ImageFormat, pixels: PixelFormat) throws {
        let picture = try Self.picture(pixels)
        let (p3, sRGB) = (try Self.halves(picture), try Self.halves(picture.converted(to: pixels)))
        for isLossless in [true, false] {
            let file = try Self.encode(picture, format, isLossless: isLossless)
            let wide = try Self.manager.decode(file, options: Self.options(pixels)).bitmap
            #expect(wide.colorSpace == .displayP3 && wide.format == pixels)
            let usual = try Self.manager.decode(file, options: Self.options(isWide: false, pixels)).bitmap
            #expect(usual.colorSpace == .sRGB)
            for (found, expected) in [(try Self.halves(wide), p3), (try Self.halves(usual), sRGB)] {
                let difference = largestDifference(found.joined().map { $0 }, expected.joined().map { $0 })
                #expect(difference <= (isLossless ? 1 : 4), "\(found) is not \(expected), lossless: \(isLossless)")
            }
        }
    }

    @Test("pictures of sRGB stay in it", arguments: [ImageFormat.avif, .jpegXL], [true, false])
    func withinSRGB(format: ImageFormat, isLossless: Bool) throws {
        let plain = try Self.picture(.rgba8Straight).converted(to: .rgba8Straight)
        let file = try Self.encode(plain, format, isLossless: isLossless)
        let wide = try Self.manager.decode(file, options: Self.options(.rgba8Straight)).bitmap
        let usual = try Self.manager.decode(file, options: Self.options(isWide: false, .rgba8Straight)).bitmap
        #expect(wide.colorSpace == .sRGB && wide.bytes == usual.bytes)
    }

    @Test("frames keep Display P3", arguments: [ImageFormat.avif, .jpegXL])
    func frames(format: ImageFormat) throws {
        let wide = try Self.picture(.rgba8Straight)
        var options = ImageEncodeOptions.best
        options.isLossless = true
        let frames = [wide, try wide.converted(to: .rgba8Straight), wide]
        let file = try Self.manager.encode(
            frames.map { ImageFrame(bitmap: $0, duration: .milliseconds(100)) }, loopCount: 0, to: format,
            options: options)
        let animation = try #require(
            try Self.manager.decode(file, options: Self.options(.rgba8Straight)).animation)
        for index in 0..<3 {
            let frame = try animation.frame(at: index)
            #expect(frame.colorSpace == .displayP3)
            // The second one lost what is outside of sRGB.
            #expect(largestDifference(try Self.halves(frame)[1], [120, 110, 90, 255]) <= 1)
            #expect(largestDifference(try Self.halves(frame)[0], [240, 40, 20, 255]) <= (index == 1 ? 30 : 1))
        }
    }

    @Test("TIFF gets the colours of sRGB", arguments: [PixelFormat.rgba8Straight, .rgba16Straight])
    func tiff(pixels: PixelFormat) throws {
        let picture = try Self.picture(pixels)
        let plain = try picture.converted(to: pixels)
        let files = try [picture, plain].map { try Self.encode($0, .tiff, isLossless: true) }
        #expect(files[0] == files[1])
        #expect(try Self.manager.decode(files[0], options: Self.options(pixels)).bitmap.bytes == plain.bytes)
    }

    @Test(
        "HEIC gets the colours of sRGB", .enabled(if: CoderCase.writable(.heic) != nil, "there is no encoder of HEVC"))
    func heic() throws {
        let picture = try Self.picture(.rgba8Straight)
        let decoded = try Self.manager.decode(
            try Self.encode(picture, .heic, isLossless: false), options: Self.options(.rgba8Straight)
        ).bitmap
        #expect(decoded.colorSpace == .sRGB)
        let expected = try Self.halves(picture.converted(to: .rgba8Straight))
        let found = try Self.halves(decoded)
        #expect(largestDifference(found.joined().map { $0 }, expected.joined().map { $0 }) <= 6)
    }

    /// Files by libjxl 0.7 with Adobe RGB as an ICC profile: 4 columns of (0, 255, 0) and 4 of (200, 100, 50).
    private static let adobeRGB = [
        """
        /wpBQApfChIOkMkN/ir4XvJXaPlnSQkrUpR49bHsrrDAe4GZa3jmGj3X19hZ8vX1NXQGIUGICCksAADeLXuY9WUWSAPInDB35oyhI4cFAADYM7\
        1sPkAl/Y/nXNpaWsNx1mbeHycxAAAAQMpUAI7PuJl8GE6weXEGSJkK4PiMm8nTcIYMC6H2Wh3odJvzGYFXvf333/kW3p3QfiH99999Q/33335F\
        3OVSYFzKGSRPSzzKZ2kbFLSM/1ZYs5GBfdRXjhvXzp0OwAe+EwAAE4gAfAH//6oCAFChMsq4wcu5ni8/dFhM27jO0FbbFpYkioxjk3QChySxJG\
        zAhemA2zxz45rsdYBghRRY0hhjY/BGxqhIMUZGMkai/ZQAPPPrv25SWgbjdm4E7sE/qM0VClhxAQ==
        """,
        """
        /wpBQAhfChIOkMkN/ir4XvJXaPlnSQkrUpR49bHsrrDAe4GZa3jmGj3X19hZ8vX1NXQGIUGICCksAADeLXuY9WUWSAPInDB35oyhI4cFAADYM7\
        1sPkAl/Y/nXNpaWsNx1mbeHycxAAAAQMpUAI7PuJl8GE6weXEGSJkK4PiMm8nTcIYMC6H2Wh3odJvzGYFXvf333/kW3p3QfiH99999Q/33335F\
        3OVSYFzKGSRPSzzKZ2kbFLSM/1ZYs5GBfdRXjhvXzp0OwAe+EwAIAgEAbABLGIsVwklDnrxACACCTKmaCk/CAAAAAAAAAAA=
        """,
    ]

    @Test("a profile in a JPEG XL file counts, whether libjxl converts its colours or not", arguments: adobeRGB)
    func profileOfJPEGXL(file: String) throws {
        let file = try #require(Data(base64Encoded: file))
        let wide = try Self.manager.decode(file, options: Self.options(.rgba8Straight)).bitmap
        #expect(wide.colorSpace == .displayP3)
        #expect(largestDifference(wide.pixel(0, 3), [0, 250, 45, 255]) <= 6, "\(wide.pixel(0, 3))")
        #expect(largestDifference(wide.pixel(7, 3), [212, 108, 59, 255]) <= 4, "\(wide.pixel(7, 3))")
        let usual = try Self.manager.decode(file, options: Self.options(isWide: false, .rgba8Straight)).bitmap
        #expect(usual.colorSpace == .sRGB)
        #expect(largestDifference(usual.pixel(7, 3), [227, 100, 42, 255]) <= 4, "\(usual.pixel(7, 3))")
    }

    /// Files with the profile of Display P3, or its code points.
    private static let wideFiles = [
        "heic/kingfisher-pixelformats/gradient-10b-displayp3-alpha.heic", "jpeg/nuke/image-p3.jpg",
    ]

    @Test("files in Display P3 keep their numbers", .needsCorpus, arguments: wideFiles)
    func corpus(path: String) throws {
        let data = Corpus.data(at: path)
        let wide = try Self.manager.decode(data, options: Self.options(.rgba8Straight)).bitmap
        let stored = try Self.manager.decode(data, options: .storedPixels).bitmap
        #expect(wide.colorSpace == .displayP3)
        #expect(largestDifference(wide.bytes, stored.bytes) <= 1)
        let usual = try Self.manager.decode(data, options: Self.options(isWide: false, .rgba8Straight)).bitmap
        #expect(usual.colorSpace == .sRGB && usual.bytes != wide.bytes)
        #expect(largestDifference(try wide.converted(to: .rgba8Straight).bytes, usual.bytes) <= 3)
    }

    private static let brightFiles = [
        "avif/libavif/seine_hdr_rec2020.avif", "heic/sdwebimage/TestHDR.heic", "jxl/sdwebimage/TestHDR.jxl",
        "avif/libavif/colors_hdr_p3.avif",
    ]

    @Test("high dynamic range is tone-mapped to sRGB as ever", .needsCorpus, arguments: brightFiles)
    func highDynamicRange(path: String) throws {
        let data = Corpus.data(at: path)
        let wide = try Self.manager.decode(data, options: Self.options(.rgba8Straight)).bitmap
        let usual = try Self.manager.decode(data, options: Self.options(isWide: false, .rgba8Straight)).bitmap
        #expect(wide.colorSpace == .sRGB && wide.bytes == usual.bytes)
    }
}
