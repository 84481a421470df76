import FoundationEssentials
import WebImageAVIF
import WebImageCore
import WebImageHEIF
import WebImageJXL
import WebImageTestSupport

/// A coder outside of the core, and the format that it writes.
struct CoderCase: CustomStringConvertible, Sendable {
    let format: ImageFormat
    let coder: any ImageCoder

    var description: String { format.description }

    static let all = [
        CoderCase(format: .avif, coder: AVIFCoder()), CoderCase(format: .heic, coder: HEIFCoder()),
        CoderCase(format: .jpegXL, coder: JXLCoder()),
    ]

    /// Those that can write here: an encoder of HEVC is not everywhere. `EncoderPresenceTests` reports the others.
    static let writable = all.filter { $0.coder.canEncode($0.format) }

    static func writable(_ format: ImageFormat) -> CoderCase? { writable.first { $0.format == format } }

    func encode(_ bitmap: Bitmap, _ options: ImageEncodeOptions = ImageEncodeOptions.best) throws -> Data {
        try coder.encode(Image(bitmap: bitmap), to: format, options: options)
    }

    func encodeLossless(_ bitmap: Bitmap) throws -> Data {
        var options = ImageEncodeOptions.best
        options.isLossless = true
        return try encode(bitmap, options)
    }

    func decode(_ data: Data, _ options: ImageDecodeOptions = .storedPixels) throws -> Bitmap {
        try coder.decode(data, options: options).bitmap
    }
}

/// Pictures made in memory.
enum SmoothPicture {
    /// Waves of three colours, as in photographs; with alpha from left to right unless opaque.
    static func make(width: Int, height: Int, isOpaque: Bool = true) throws -> Bitmap {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let (across, down) = (abs((x * 3) % 510 - 255), abs((y * 5) % 510 - 255))
                let alpha = isOpaque ? 255 : x * 255 / max(1, width - 1)
                pixels += [UInt8(across), UInt8(down), UInt8((across + down) / 2), UInt8(alpha)]
            }
        }
        return try Bitmap(size: PixelSize(width: width, height: height), format: .rgba8Straight, pixels: pixels)
    }
}
