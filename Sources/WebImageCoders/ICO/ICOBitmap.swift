import FoundationEssentials
import WebImageCore
import WebImagePixels

/// The bitmap of an icon: rows of colours, then rows of a mask with one bit per pixel, set where the icon is
/// transparent.
///
/// With 32 bits per pixel the fourth byte is alpha and the mask is for old systems, unless all alpha bytes are 0.
struct ICOBitmap {
    private let header: BMPHeader
    private let data: Data

    /// - Parameter header: A header with the height of the icon alone, without the mask.
    init(_ header: BMPHeader, data: Data) {
        self.header = header
        self.data = data
    }

    /// Decodes to the size in `geometry`.
    func decode(geometry: ThumbnailGeometry, options: ImageDecodeOptions) throws(WebImageError) -> Bitmap {
        guard header.compression == .none || header.compression == .masks else {
            throw .damaged(.ico, "its compression, \(header.compression), is not for icons")
        }
        try options.limits.check(.ico, source: header.size, held: geometry.outputSize)
        guard header.hasAllRows(in: data.count) else { throw .truncated(.ico) }
        let source = PixelSource(size: header.size, isOpaque: false)
        let assembler = PixelAssembler(source: source, geometry: geometry, options: options)
        return try data.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { throw .truncated(.ico) }
            return try decode(UnsafeBufferPointer(start: base, count: bytes.count), assembler)
        }
    }

    private func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ assembler: PixelAssembler
    ) throws(WebImageError) -> Bitmap {
        let hasAlpha = hasAlpha(bytes)
        guard let base = bytes.baseAddress else { throw .truncated(.ico) }
        let pixels = BMPRows(header, bytes: base, fourthByteIsAlpha: hasAlpha)
        return try assembler.assembleRows { rows throws(WebImageError) in
            for y in 0..<header.size.height {
                try rows.withNext { row in
                    pixels.unpack(y, to: row)
                    if !hasAlpha { applyMask(y, of: bytes, to: row) }
                }
            }
        }
    }

    /// Whether any pixel's fourth byte is not 0.
    private func hasAlpha(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard header.bitsPerPixel == 32 else { return header.channels.hasAlpha && header.compression == .masks }
        let first = header.pixelOffset + 3
        return stride(from: first, to: first + header.size.area * 4, by: 4).contains { bytes[$0] != 0 }
    }

    /// Makes the masked pixels of row `y`, counted from the top, transparent. A missing mask masks nothing.
    private func applyMask(_ y: Int, of bytes: UnsafeBufferPointer<UInt8>, to row: UnsafeMutablePointer<UInt8>) {
        let bytesPerRow = (header.size.width + 31) / 32 * 4
        let mask = header.pixelOffset + header.bytesPerRow * header.size.height
        let index = header.isTopDown ? y : header.size.height - 1 - y
        let start = mask + index * bytesPerRow
        guard start + (header.size.width + 7) / 8 <= bytes.count else { return }
        for x in 0..<header.size.width where bytes[start + x / 8] & (0x80 >> UInt8(x % 8)) != 0 {
            row[x * 4 + 3] = 0
        }
    }
}
