import FoundationEssentials

/// Builds GIF files block by block, valid or invalid, so that a test can show its file.
struct GIFBuilder {
    /// Black, red, green, blue: the default colours of indices 0 to 3.
    static let fourColors: [UInt8] = [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]

    private(set) var data: Data

    /// Begins a file; the table has 2, 4, 8 … colours of three bytes.
    init(width: Int, height: Int, colorTable: [UInt8] = fourColors) {
        let flags = colorTable.isEmpty ? 0 : 0x80 | UInt8((colorTable.count / 3).trailingZeroBitCount - 1)
        data = Data("GIF89a".utf8)
        data.append(contentsOf: Self.littleEndian(width) + Self.littleEndian(height) + [flags, 0, 0] + colorTable)
    }

    mutating func append(_ bytes: [UInt8]) { data.append(contentsOf: bytes) }

    mutating func appendControl(hundredths: Int = 0, disposal: UInt8 = 0, transparentIndex: UInt8? = nil) {
        append([0x21, 0xF9, 4, disposal << 2 | (transparentIndex == nil ? 0 : 1)])
        append(Self.littleEndian(hundredths) + [transparentIndex ?? 0, 0])
    }

    mutating func appendLoop(_ count: Int, name: String = "NETSCAPE2.0") {
        append([0x21, 0xFF, 11] + Array(name.utf8) + [3, 1] + Self.littleEndian(count) + [0])
    }

    /// A frame of four colours: indices 0 to 3, as uncompressed LZW codes.
    mutating func appendFrame(
        left: Int = 0, top: Int = 0, width: Int, height: Int, indices: [UInt8], isInterlaced: Bool = false
    ) {
        appendFrame(
            left: left, top: top, width: width, height: height, minimumCodeSize: 2,
            lzw: Self.uncompressed(indices), isInterlaced: isInterlaced)
    }

    /// A frame of any compressed bytes.
    mutating func appendFrame(
        left: Int = 0, top: Int = 0, width: Int, height: Int, minimumCodeSize: UInt8, lzw: [UInt8],
        isInterlaced: Bool = false
    ) {
        append([0x2C] + [left, top, width, height].flatMap(Self.littleEndian))
        append([isInterlaced ? 0x40 : 0, minimumCodeSize])
        for start in stride(from: 0, to: lzw.count, by: 255) {
            let block = lzw[start..<min(start + 255, lzw.count)]
            append([UInt8(block.count)] + block)
        }
        append([0])
    }

    mutating func appendTrailer() { append([0x3B]) }

    /// Codes of 3 bits with a clear code before every second pixel, so that the code size never grows.
    static func uncompressed(_ indices: [UInt8]) -> [UInt8] {
        let codes = indices.enumerated().flatMap { $0.isMultiple(of: 2) ? [4, Int($1)] : [Int($1)] }
        return pack((codes + [5]).map { ($0, 3) })
    }

    /// Packs codes, each with its number of bits, the lowest bit first.
    static func pack(_ codes: [(code: Int, size: Int)]) -> [UInt8] {
        var bits = codes.flatMap { code, size in (0..<size).map { UInt8(code >> $0 & 1) } }
        while !bits.count.isMultiple(of: 8) { bits.append(0) }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reversed().reduce(0) { $0 << 1 | $1 }
        }
    }

    static func littleEndian(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
}
