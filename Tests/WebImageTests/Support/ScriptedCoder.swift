import FoundationEssentials
import Synchronization
import WebImage

/// A coder of a fictitious format: `WxH` in ASCII decodes to a grey picture of that size, and anything else is refused.
/// Counts its decodes and its encodes, and can block in one.
final class ScriptedCoder: ImageCoder {
    private let counts = Mutex((decodes: 0, encodes: 0, formats: [ImageFormat]()))
    /// Called at the start of each decode, on the decoding thread.
    private let willDecode: @Sendable (ImageDecodeOptions) -> Void
    /// Called at the start of each encode, on the encoding thread.
    private let willEncode: @Sendable () throws(WebImageError) -> Void

    init(
        willDecode: @escaping @Sendable (ImageDecodeOptions) -> Void = { _ in },
        willEncode: @escaping @Sendable () throws(WebImageError) -> Void = {}
    ) {
        self.willDecode = willDecode
        self.willEncode = willEncode
    }

    var decodeCount: Int { counts.withLock { $0.decodes } }
    var encodeCount: Int { counts.withLock { $0.encodes } }
    /// The format of each encode so far.
    var encodedFormats: [ImageFormat] { counts.withLock { $0.formats } }

    static func file(_ width: Int, _ height: Int) -> Data { Data("\(width)x\(height)".utf8) }

    func canDecode(_ data: Data) -> Bool { true }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        ImageProperties(format: .undefined, pixelSize: try size(of: data))
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        counts.withLock { $0.decodes += 1 }
        willDecode(options)
        try options.checkCancellation()
        let original = try size(of: data)
        let size = options.thumbnailPixelSize ?? original
        let bitmap = try Bitmap(size: size, pixels: [UInt8](repeating: 255, count: size.area * 4))
        return Image(
            bitmap: bitmap, scale: options.scaleFactor, metadata: ImageMetadata(originalPixelSize: original),
            decodeOptions: options)
    }

    func canEncode(_ format: ImageFormat) -> Bool { true }

    func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        counts.withLock { counts in
            counts.encodes += 1
            counts.formats.append(format)
        }
        try willEncode()
        return Self.file(image.pixelSize.width, image.pixelSize.height)
    }

    private func size(of data: Data) throws(WebImageError) -> PixelSize {
        let sides = String(decoding: data, as: UTF8.self).split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2 else {
            throw WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: "not a scripted picture")
        }
        return PixelSize(width: sides[0], height: sides[1])
    }
}
