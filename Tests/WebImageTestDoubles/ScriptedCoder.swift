import FoundationEssentials
import Synchronization
import WebImageCoders
import WebImageCore

/// A coder of a fictitious format: `WxH` in ASCII decodes to a grey picture of that size, and anything else is refused.
/// Counts its decodes and its encodes, and can block in one.
final class ScriptedCoder: ImageCoder {
    /// The one format that it reads by a hint and writes, and that its pictures are of; nil writes all.
    private let format: ImageFormat?
    /// Whether it says of all bytes that they are its own, and that it writes.
    private let claims: Bool
    private let counts = Mutex((decodes: 0, encodes: [ImageFormat](), options: [ImageEncodeOptions]()))
    /// Called at the start of each decode, on the decoding thread.
    private let willDecode: @Sendable (ImageDecodeOptions) throws(WebImageError) -> Void
    /// Called at the start of each encode, on the encoding thread.
    private let willEncode: @Sendable () throws(WebImageError) -> Void

    init(
        format: ImageFormat? = nil, claims: Bool = true,
        willDecode: @escaping @Sendable (ImageDecodeOptions) throws(WebImageError) -> Void = { _ in },
        willEncode: @escaping @Sendable () throws(WebImageError) -> Void = {}
    ) {
        self.format = format
        self.claims = claims
        self.willDecode = willDecode
        self.willEncode = willEncode
    }

    var decodeCount: Int { counts.withLock { $0.decodes } }
    var encodeCount: Int { encodedFormats.count }
    /// The format of each encode so far.
    var encodedFormats: [ImageFormat] { counts.withLock { $0.encodes } }
    /// The options of each encode so far.
    var encodeOptions: [ImageEncodeOptions] { counts.withLock { $0.options } }

    static func file(_ width: Int, _ height: Int) -> Data { Data("\(width)x\(height)".utf8) }

    func canDecode(_ data: Data) -> Bool { claims }
    func canDecode(_ format: ImageFormat) -> Bool { format == self.format }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        ImageProperties(format: format ?? .undefined, pixelSize: try size(of: data))
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        counts.withLock { $0.decodes += 1 }
        try willDecode(options)
        try options.checkCancellation()
        let original = try size(of: data)
        let size = options.thumbnailPixelSize ?? original
        let bitmap = try Bitmap(size: size, pixels: [UInt8](repeating: 255, count: size.area * 4))
        return Image(
            bitmap: bitmap, scale: options.scaleFactor ?? 1,
            metadata: ImageMetadata(format: format ?? .undefined, originalPixelSize: original),
            decodeOptions: options)
    }

    func canEncode(_ format: ImageFormat) -> Bool { claims && (self.format == nil || format == self.format) }

    func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        counts.withLock { counts in
            counts.encodes.append(format)
            counts.options.append(options)
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
