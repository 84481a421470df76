import FoundationEssentials
import WebImage

/// One opaque or translucent colour, as premultiplied channels.
struct Colour: Hashable, Sendable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
    var alpha: UInt8 = 255

    static let red = Colour(red: 255, green: 0, blue: 0)
    static let green = Colour(red: 0, green: 255, blue: 0)
    static let blue = Colour(red: 0, green: 0, blue: 255)
    static let clear = Colour(red: 0, green: 0, blue: 0, alpha: 0)

    var channels: [UInt8] { [red, green, blue, alpha] }

    /// A picture of only this colour.
    func image(width: Int = 8, height: Int = 8) throws(WebImageError) -> Image {
        let size = PixelSize(width: width, height: height)
        let pixels = (0..<size.area).flatMap { _ in channels }
        return Image(bitmap: try Bitmap(size: size, pixels: pixels))
    }

    /// The file that ``ColourCoder`` decodes to that picture.
    var file: Data { Data(channels) }
}

extension Image {
    /// The colour of the first pixel.
    var colour: Colour {
        bitmap.withUnsafeBytes { Colour(red: $0[0], green: $0[1], blue: $0[2], alpha: $0[3]) }
    }
}

/// Decodes four bytes to a picture of that colour, and nothing else.
struct ColourCoder: ImageCoder {
    func canDecode(_ data: Data) -> Bool { true }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        ImageProperties(format: .undefined, pixelSize: PixelSize(width: 8, height: 8))
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let bytes = [UInt8](data)
        guard bytes.count == 4 else {
            throw WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: "not a colour")
        }
        return try Colour(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: bytes[3]).image()
    }

    func canEncode(_ format: ImageFormat) -> Bool { false }

    func encode(_ image: Image, to format: ImageFormat, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        throw WebImageError(.encodeFailed, stage: .encode, kind: .permanent, reason: "colours are not encoded")
    }
}
