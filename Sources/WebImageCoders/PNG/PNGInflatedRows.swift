import CDeflate
import CPNG
import WebImageCore
import WebImagePixels

/// The rows of a picture, inflated at once by libdeflate and unfiltered by vector code: in about half of libpng's time.
///
/// Only for files without anything unusual, for which libpng would give the same pixels; libpng decodes all others.
final class PNGInflatedRows {
    private let rows: OpaquePointer
    /// Referenced by ``rows``.
    private let inflated: PixelBuffer

    /// The maximum size for thumbnails: larger ones are made of rows that are decoded one by one, so that the whole
    /// picture is never in memory.
    private static let maximumByteCountForThumbnail = 64 << 20
    /// Inflating cannot be interrupted, and takes half a second for this size.
    private static let maximumByteCount = 256 << 20
    /// Deflate's maximum ratio (RFC 1951 §3.2.5: 258 bytes in two bits).
    private static let maximumRatio = 1032

    /// nil when the file has something unusual, or would need too much memory.
    ///
    /// - Parameter bytes: The whole file, whose header is `header`.
    init?(_ bytes: UnsafeRawBufferPointer, header: PNGHeader, forThumbnail: Bool) {
        guard !header.isInterlaced, header.bitDepth <= 8 else { return nil }
        let rowByteCount = 1 + (header.size.width * header.colorType.channelCount * header.bitDepth + 7) / 8
        let byteCount = rowByteCount * header.size.height
        guard byteCount <= (forThumbnail ? Self.maximumByteCountForThumbnail : Self.maximumByteCount),
            bytes.count >= byteCount / Self.maximumRatio,
            let walk = PNGChunkWalk(bytes), let pixelColors = PNGPixelColors(header, walk, bytes),
            let inflated = Self.inflate(walk.pixels, of: bytes, byteCount: byteCount),
            Self.hasKnownFilters(inflated.base, header.size.height, rowByteCount)
        else { return nil }
        let layout = webimage_png_layout(
            width: UInt32(header.size.width), channels: UInt32(header.colorType.channelCount),
            bit_depth: UInt32(header.bitDepth), transparent_color: pixelColors.transparentColor)
        guard let rows = webimage_png_rows_create(inflated.base, layout, pixelColors.table) else { return nil }
        self.rows = rows
        self.inflated = inflated
    }

    deinit { webimage_png_rows_destroy(rows) }

    /// Writes the next row as straight 8-bit RGBA. Call it once per row.
    func readRow(into row: UnsafeMutablePointer<UInt8>) { webimage_png_rows_next(rows, row) }

    private static func inflate(
        _ parts: [Range<Int>], of bytes: UnsafeRawBufferPointer, byteCount: Int
    ) -> PixelBuffer? {
        let compressedCount = parts.reduce(0) { $0 + $1.count }
        guard compressedCount >= 8 else { return nil }
        if parts.count == 1 {
            return inflate(UnsafeRawBufferPointer(rebasing: bytes[parts[0]]), byteCount: byteCount)
        }
        guard let compressed = PixelBuffer(byteCount: compressedCount) else { return nil }
        var end = UnsafeMutableRawPointer(compressed.base)
        for part in parts {
            UnsafeMutableRawBufferPointer(start: end, count: part.count).copyBytes(from: bytes[part])
            end += part.count
        }
        return inflate(UnsafeRawBufferPointer(start: compressed.base, count: compressedCount), byteCount: byteCount)
    }

    private static func inflate(_ compressed: UnsafeRawBufferPointer, byteCount: Int) -> PixelBuffer? {
        // A window below 32 KiB limits zlib, and so libpng, but not libdeflate (RFC 1950 §2.2).
        let window = 1 << ((Int(compressed[0]) >> 4) + 8)
        guard window == 1 << 15 || byteCount <= window else { return nil }
        guard let inflated = PixelBuffer(byteCount: byteCount + webimage_png_rows_slack()),
            let decompressor = libdeflate_alloc_decompressor()
        else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        // With NULL for the count, any other number of bytes is an error.
        let result = libdeflate_zlib_decompress(
            decompressor, compressed.baseAddress, compressed.count, inflated.base, byteCount, nil)
        return result == LIBDEFLATE_SUCCESS ? inflated : nil
    }

    private static func hasKnownFilters(_ rows: UnsafePointer<UInt8>, _ height: Int, _ rowByteCount: Int) -> Bool {
        (0..<height).allSatisfy { rows[$0 * rowByteCount] <= 4 }
    }
}
