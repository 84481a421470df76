import FoundationEssentials
import WebImageCore

/// The chunks of a WebP file (RFC 9649 §2); pixels are not decoded.
struct WebPContainer: Sendable {
    /// The canvas that all frames are drawn on; for a still picture, its size.
    var canvasSize: PixelSize
    var hasAlpha = false
    var isAnimated = false
    /// 0 for endless.
    var playCount = 0
    /// In the order of the file; a still picture is one frame that covers the canvas.
    var frames: [WebPFrame] = []
    var exif: Data?
    var iccProfile: Data?
}

/// One frame: its place on the canvas, and the range of its compressed pixels.
struct WebPFrame: Sendable {
    var left = 0
    var top = 0
    /// Milliseconds.
    var duration = 0
    /// Whether the frame is blended over the canvas, instead of replacing it.
    var isBlended = false
    /// Whether its area becomes transparent before the next frame is drawn.
    var isDisposedToBackground = false
    var bitstream: WebPBitstream
    /// The ALPH chunk, if any, and the VP8 or VP8L chunk: libwebp's input for a frame.
    var dataRange: Range<Int>
}

/// The header of compressed pixels.
struct WebPBitstream: Sendable {
    var size: PixelSize
    var isLossless: Bool
    var hasAlpha: Bool

    /// Reads the beginning of a `VP8 ` chunk's content (RFC 6386 §9.1).
    static func lossy(_ reader: inout ByteReader, hasAlpha: Bool) throws(WebImageError) -> WebPBitstream {
        let tag = try reader.littleEndian(bytes: 3)
        let startCode = try reader.littleEndian(bytes: 3)
        let width = try reader.littleEndian(bytes: 2) & 0x3FFF
        let height = try reader.littleEndian(bytes: 2) & 0x3FFF
        guard tag & 1 == 0, startCode == 0x2A_019D, width > 0, height > 0 else {
            throw .damaged(.webP, "its VP8 data do not begin with a key frame")
        }
        return WebPBitstream(size: PixelSize(width: width, height: height), isLossless: false, hasAlpha: hasAlpha)
    }

    /// Reads the beginning of a `VP8L` chunk's content (RFC 9649 §3.4).
    static func lossless(_ reader: inout ByteReader) throws(WebImageError) -> WebPBitstream {
        let signature = try reader.byte()
        let bits = try reader.littleEndian(bytes: 4)
        guard signature == 0x2F, bits >> 29 == 0 else { throw .damaged(.webP, "its VP8L data have no signature") }
        let size = PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
        return WebPBitstream(size: size, isLossless: true, hasAlpha: bits >> 28 & 1 != 0)
    }
}
