import FoundationEssentials
import Testing
import WebImageAVIF
import WebImageCoders
import WebImageCore
import WebImageJXL
import WebImageTIFF
import WebImageTestSupport

@Suite("Writing more than 8 bits")
struct DeepEncodingTests {
    private static let manager = ImageCodersManager(
        coders: ImageCodersManager.shared.coders + [TIFFCoder(), JXLCoder(), AVIFCoder()])
    private static let formats: [ImageFormat] = [.png, .tiff, .jpegXL, .avif]
    private static let size = PixelSize(width: 64, height: 48)

    /// Waves with steps of a few 65,536ths.
    private static func picture(isOpaque: Bool, colorSpace: ColorSpace = .sRGB) throws -> Bitmap {
        let channels = (0..<size.area).flatMap { place -> [UInt16] in
            let (x, y) = (place % size.width, place / size.width)
            let alpha = isOpaque ? 65_535 : 20_000 + x * 600
            return [20_000 + x * 301 + y, 30_000 + y * 403 + x, 10_000 + (x + y) * 207, alpha].map { UInt16($0) }
        }
        let bytes = channels.withUnsafeBytes { Array($0) }
        return try Bitmap(size: size, format: .rgba16Straight, colorSpace: colorSpace, pixels: bytes)
    }

    private static func options(keepsRange: Bool = false) -> ImageDecodeOptions {
        var options = keepsRange ? ImageDecodeOptions() : ImageDecodeOptions.storedPixels
        options.pixelFormat = .rgba16Straight
        options.decodesToHDR = keepsRange
        return options
    }

    private static func encode(_ bitmap: Bitmap, _ format: ImageFormat, isLossless: Bool) throws -> [UInt8] {
        var options = ImageEncodeOptions.best
        options.isLossless = isLossless
        return Array(try manager.encode(Image(bitmap: bitmap), to: format, options: options))
    }

    /// Of 65,535.
    private static func largestDifference(_ one: Bitmap, _ other: Bitmap) -> Int {
        let values = [one, other].map { bitmap in
            bitmap.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)).map(Int.init) }
        }
        guard values[0].count == values[1].count else { return .max }
        return zip(values[0], values[1]).map { abs($0 - $1) }.max() ?? 0
    }

    @Test("16 bits a channel come back without loss, of AVIF the first 12", arguments: formats, [true, false])
    func lossless(format: ImageFormat, isOpaque: Bool) throws {
        let picture = try Self.picture(isOpaque: isOpaque)
        let file = Data(try Self.encode(picture, format, isLossless: true))
        let properties = try #require(try Self.manager.properties(of: file, isComplete: true))
        #expect(properties.bitsPerChannel == (format == .avif ? 12 : 16) && properties.hasAlpha == !isOpaque)
        let decoded = try Self.manager.decode(file, options: Self.options()).bitmap
        #expect(decoded.format == .rgba16Straight)
        #expect(Self.largestDifference(decoded, picture) <= (format == .avif ? 8 : 0))
    }

    @Test("with loss there are more than 8 bits as well", arguments: [ImageFormat.jpegXL, .avif])
    func lossy(format: ImageFormat) throws {
        let picture = try Self.picture(isOpaque: true)
        let file = Data(try Self.encode(picture, format, isLossless: false))
        #expect(try Self.manager.properties(of: file, isComplete: true)?.bitsPerChannel == (format == .avif ? 10 : 16))
        let decoded = try Self.manager.decode(file, options: Self.options()).bitmap
        let values = decoded.withUnsafeBytes { Set($0.bindMemory(to: UInt16.self)) }
        #expect(values.count > 512)
        #expect(Self.largestDifference(decoded, picture) < 4 * 257)
    }

    @Test(
        "high dynamic range stays as it is",
        arguments: [ImageFormat.png, .jpegXL, .avif], [ColorSpace.bt2100PQ, .bt2100HLG])
    func highDynamicRange(format: ImageFormat, colorSpace: ColorSpace) throws {
        let picture = try Self.picture(isOpaque: true, colorSpace: colorSpace)
        for isLossless in [true, false] {
            let file = Data(try Self.encode(picture, format, isLossless: isLossless))
            let decoded = try Self.manager.decode(file, options: Self.options(keepsRange: true)).bitmap
            #expect(decoded.colorSpace == colorSpace && decoded.format == .rgba16Straight)
            #expect(Self.largestDifference(decoded, picture) <= (isLossless ? 16 : 4 * 257), "\(isLossless)")
        }
    }

    @Test(
        "8 bits of high dynamic range are brought to sRGB before they are written",
        arguments: [ImageFormat.jpegXL, .avif])
    func shallowRange(format: ImageFormat) throws {
        let rgba = [[UInt8]](repeating: [150, 150, 150, 255], count: 64).flatMap { $0 }
        let picture = try Bitmap(
            size: PixelSize(width: 8, height: 8), format: .rgba8Straight, colorSpace: .bt2100PQ, pixels: rgba)
        let file = Data(try Self.encode(picture, format, isLossless: true))
        #expect(try Self.manager.properties(of: file, isComplete: true)?.bitsPerChannel == 8)
        #expect(try Self.manager.decode(file, options: Self.options(keepsRange: true)).bitmap.colorSpace == .sRGB)
    }

    @Test("frames of 16 bits keep them", arguments: [ImageFormat.jpegXL, .avif])
    func frames(format: ImageFormat) throws {
        let pictures = try [true, false].map { try Self.picture(isOpaque: $0) }
        var options = ImageEncodeOptions.best
        options.isLossless = true
        let file = try Self.manager.encode(
            pictures.map { ImageFrame(bitmap: $0, duration: .milliseconds(100)) }, loopCount: 0, to: format,
            options: options)
        let animation = try #require(try Self.manager.decode(file, options: Self.options()).animation)
        #expect(animation.frameCount == 2)
        for (index, picture) in pictures.enumerated() {
            #expect(Self.largestDifference(try animation.frame(at: index), picture) <= (format == .avif ? 8 : 0))
        }
    }
}
