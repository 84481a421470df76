import FoundationEssentials

/// Builds TIFF files without compression, valid or invalid.
struct TIFFBuilder {
    var width: Int
    var height: Int
    var bits: [Int] = [8, 8, 8]
    var photometric = 2
    /// Tags of one SHORT or LONG.
    var tags: [Int: Int] = [:]
    /// Bytes of the only strip.
    var pixels: [UInt8] = []
    /// Further directories of the same picture.
    var pageCount = 1
    /// The rows of the last page, if different.
    var lastPageHeight: Int?
    var isBig = false

    /// The file, in little-endian order.
    var data: Data {
        var file: [UInt8] = Array("II".utf8) + (isBig ? [43, 0, 8, 0, 0, 0] : [42, 0])
        let wide = isBig ? 8 : 4
        let bitsAt = file.count + wide
        let pixelsAt = bitsAt + bits.count * 2 + bits.count * 2 % 4
        var directoryAt = pixelsAt + pixels.count + pixels.count % 2
        file += Self.littleEndian(directoryAt, bytes: wide)
        file += bits.flatMap { Self.littleEndian($0, bytes: 2) }
        file += [UInt8](repeating: 0, count: pixelsAt - file.count) + pixels
        file += [UInt8](repeating: 0, count: directoryAt - file.count)
        var entries = [
            256: width, 257: height, 259: 1, 262: photometric, 273: pixelsAt, 277: bits.count, 278: height,
            279: pixels.count,
        ].merging(tags) { $1 }
        entries[258] = bits.count == 1 ? bits[0] : nil
        let kinds = entries.map { ($0.key, 4, 1, $0.value) } + (bits.count > 1 ? [(258, 3, bits.count, bitsAt)] : [])
        for page in 1...pageCount {
            var directory = Self.littleEndian(kinds.count, bytes: isBig ? 8 : 2)
            for (tag, type, count, usual) in kinds.sorted(by: { $0.0 < $1.0 }) {
                let value = page == pageCount && tag == 257 ? lastPageHeight ?? usual : usual
                directory += Self.littleEndian(tag, bytes: 2) + Self.littleEndian(type, bytes: 2)
                directory += Self.littleEndian(count, bytes: wide)
                // Up to four shorts are stored in BigTIFF's entry itself.
                let isInline = isBig && type == 3 && count > 1
                directory +=
                    isInline
                    ? bits.flatMap { Self.littleEndian($0, bytes: 2) } + [UInt8](repeating: 0, count: 8 - count * 2)
                    : Self.littleEndian(value, bytes: wide)
            }
            directoryAt += directory.count + wide
            file += directory + Self.littleEndian(page < pageCount ? directoryAt : 0, bytes: wide)
        }
        return Data(file)
    }

    static func littleEndian(_ value: Int, bytes count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
