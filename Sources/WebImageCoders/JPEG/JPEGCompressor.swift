import CJPEG
import FoundationEssentials
import WebImageCore

/// libjpeg-turbo's encoder for one file. Belongs to one thread; the only user of the C encoder.
final class JPEGCompressor {
    private let encoder: OpaquePointer

    /// - Parameters:
    ///   - quality: 1 to 100.
    ///   - hasFullChroma: Colour at the full resolution (4:4:4) instead of half of it (4:2:0).
    init(size: PixelSize, quality: Int, hasFullChroma: Bool) throws(WebImageError) {
        guard let encoder = webimage_jpeg_encoder_create() else { throw .notEncoded(.jpeg, "out of memory") }
        self.encoder = encoder
        try check(
            webimage_jpeg_encoder_start(
                encoder, UInt32(clamping: size.width), UInt32(clamping: size.height), UInt32(clamping: quality),
                hasFullChroma))
    }

    deinit { webimage_jpeg_encoder_destroy(encoder) }

    /// Adds an APP1 segment, before the first row.
    func writeMetadata(_ content: Data) throws(WebImageError) {
        guard content.count <= Self.maximumSegmentByteCount else { return }
        let status = content.withUnsafeBytes { bytes in
            webimage_jpeg_write_app1(encoder, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
        }
        try check(status)
    }

    private static let maximumSegmentByteCount = 0xFFFF - 2

    /// Adds a row of red, green, blue and an unused byte per pixel.
    func write(_ row: UnsafePointer<UInt8>) throws(WebImageError) {
        try check(webimage_jpeg_write_row(encoder, row))
    }

    /// Ends the file, after the last row.
    func finish() throws(WebImageError) -> Data {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        try check(webimage_jpeg_encoder_finish(encoder, &bytes, &count))
        return bytes.map { Data(bytes: $0, count: count) } ?? Data()
    }

    private func check(_ status: webimage_jpeg_status) throws(WebImageError) {
        guard status != WEBIMAGE_JPEG_OK else { return }
        throw .notEncoded(.jpeg, String(cString: webimage_jpeg_encoder_message(encoder)))
    }
}
