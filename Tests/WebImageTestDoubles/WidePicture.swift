import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImagePixels

/// Pictures in Display P3, and the colours that they have in sRGB.
enum WidePicture {
    static let codePoints: (String, [UInt8]) = ("cICP", [12, 13, 0, 1])

    /// Numbers in Display P3 with those in sRGB and the reverse, by the matrices of CSS Color 4, rounded and cut off.
    static let pairs: [(p3: [UInt8], sRGB: [UInt8])] = [
        ([255, 0, 0], [255, 0, 0]), ([0, 255, 0], [0, 255, 0]), ([200, 100, 50], [215, 93, 31]),
        ([30, 60, 90], [17, 61, 93]), ([128, 128, 128], [128, 128, 128]), ([234, 51, 35], [255, 0, 0]),
        ([187, 105, 62], [200, 100, 50]),
    ]

    /// One pixel of RGB.
    static func png(_ color: [UInt8], _ chunks: [(String, [UInt8])]) -> Data {
        var builder = PNGBuilder()
        builder.appendHeader(width: 1, height: 1, colorType: 2)
        for (type, content) in chunks { builder.append(type, content) }
        builder.appendPixels([0] + color)
        builder.appendEnd()
        return builder.data
    }

    static func decode(
        _ file: Data, isWide: Bool = true, _ format: PixelFormat = .rgba8Premultiplied
    ) throws -> Bitmap {
        try ImageCodersManager.shared.decode(file, options: options(isWide: isWide, format)).bitmap
    }

    static func options(isWide: Bool = true, _ format: PixelFormat = .rgba8Premultiplied) -> ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.decodesToWideGamut = isWide
        options.pixelFormat = format
        return options
    }

    /// Pixels of one colour, opaque unless told otherwise.
    static func bitmap(
        _ color: [UInt8], alpha: UInt8 = 255, _ format: PixelFormat = .rgba8Straight, side: Int = 8,
        colorSpace: ColorSpace = .displayP3
    ) throws -> Bitmap {
        let size = PixelSize(width: side, height: side)
        let pixels = [UInt8]((0..<size.area).flatMap { _ in color + [alpha] })
        let straight = try Bitmap(size: size, format: .rgba8Straight, colorSpace: colorSpace, pixels: pixels)
        return try straight.converted(to: format, in: colorSpace)
    }
}
