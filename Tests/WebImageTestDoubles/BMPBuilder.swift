import FoundationEssentials

/// Builds BMP files, valid or invalid, so that a test can show its file.
struct BMPBuilder {
    var width: Int
    var height: Int
    var bitsPerPixel: Int
    var compression = 0
    /// Of the information header: 12 and 16…64 for OS/2, 40, 52, 56, 108 and 124 for Windows.
    var headerByteCount = 40
    /// Red, green, blue, alpha; in the header or after it.
    var masks: [Int] = []
    /// Blue, green, red.
    var palette: [[UInt8]] = []
    var declaredColorCount: Int?
    /// Fields after the masks, by offset in the header.
    var fields: [Int: Int] = [:]
    /// Rows with padding.
    var pixels: [UInt8] = []
    /// After the pixels.
    var tail: [UInt8] = []

    /// The file.
    var data: Data {
        let content = information
        let offset = 14 + content.count
        var file = Data("BM".utf8)
        file.append(contentsOf: Self.littleEndian(offset + pixels.count, bytes: 4) + [0, 0, 0, 0])
        file.append(contentsOf: Self.littleEndian(offset, bytes: 4))
        file.append(contentsOf: content + pixels + tail)
        return file
    }

    /// Header, masks and palette: what an icon has before its pixels.
    var information: [UInt8] {
        var header = [UInt8](repeating: 0, count: max(headerByteCount, 12))
        func put(_ value: Int, at offset: Int, bytes count: Int) {
            guard offset + count <= header.count else { return }
            header.replaceSubrange(offset..<offset + count, with: Self.littleEndian(value, bytes: count))
        }
        let isCore = headerByteCount == 12
        put(headerByteCount, at: 0, bytes: 4)
        put(width, at: 4, bytes: isCore ? 2 : 4)
        put(height, at: isCore ? 6 : 8, bytes: isCore ? 2 : 4)
        put(1, at: isCore ? 8 : 12, bytes: 2)
        put(bitsPerPixel, at: isCore ? 10 : 14, bytes: 2)
        if !isCore {
            put(compression, at: 16, bytes: 4)
            put(declaredColorCount ?? palette.count, at: 32, bytes: 4)
        }
        for (offset, value) in fields { put(value, at: offset, bytes: 4) }
        var extra: [UInt8] = []
        for (index, mask) in masks.enumerated() {
            if headerByteCount > 40 { put(mask, at: 40 + index * 4, bytes: 4) }
            if headerByteCount == 40 { extra += Self.littleEndian(mask, bytes: 4) }
        }
        for color in palette { extra += color + (isCore ? [] : [0]) }
        return header + extra
    }

    static func littleEndian(_ value: Int, bytes count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
