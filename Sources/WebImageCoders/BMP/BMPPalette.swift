import FoundationEssentials
import WebImageCore

/// The colours of indexed pixels.
struct BMPPalette: Sendable {
    /// Red, green, blue and 255 in memory order, one for each byte value: opaque black where the file has none.
    private(set) var colors = [UInt32](repeating: UInt32(littleEndian: 0xFF00_0000), count: 256)
    /// The number of colours in the file.
    private(set) var count = 0

    private static let maximumCount = 256
    /// Some writers declare more colours than an index can address, but none declares this many.
    private static let maximumDeclaredCount = 1 << 16

    /// Reads the palette at the position of `reader`.
    ///
    /// - Parameter room: The number of bytes up to the pixels, nil where only the palette determines their position.
    init(
        _ reader: inout ByteReader, _ fields: BMPHeaderFields, room: Int?, format: ImageFormat
    ) throws(WebImageError) {
        let isIndexed = 1...8 ~= fields.bitsPerPixel
        let entryByteCount = fields.isCore ? 3 : 4
        guard fields.colorCount <= Self.maximumDeclaredCount else {
            throw .damaged(format, "its palette claims \(fields.colorCount) colours")
        }
        let usual = isIndexed ? 1 << fields.bitsPerPixel : 0
        let declared = fields.colorCount == 0 ? usual : fields.colorCount
        let stored = min(declared, room.map { $0 / entryByteCount } ?? declared)
        guard isIndexed else {
            // Such a palette is for displays with few colours; without an explicit offset, the pixels follow it.
            if room == nil { try reader.skip(stored * entryByteCount) }
            return
        }
        count = min(stored, Self.maximumCount)
        let entries = try reader.bytes(count: stored * entryByteCount)
        for index in 0..<count {
            let start = entries.startIndex + index * entryByteCount
            colors[index] = Self.pack(blue: entries[start], green: entries[start + 1], red: entries[start + 2])
        }
    }

    private static func pack(blue: UInt8, green: UInt8, red: UInt8) -> UInt32 {
        UInt32(littleEndian: UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | 0xFF00_0000)
    }
}
