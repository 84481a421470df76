import CDeflate

/// A strict parser for the chunks of a complete file, for decoding without libpng: it accepts only what every decoder
/// reads in the same way. nil means something unusual, which is left to libpng.
struct PNGChunkWalk {
    /// The ranges of the compressed pixels.
    private(set) var pixels: [Range<Int>] = []
    private(set) var palette: Range<Int>?
    private(set) var transparency: Range<Int>?

    private enum Station { case beforePixels, pixels, afterPixels }

    private let bytes: UnsafeRawBufferPointer
    private var offset = PNGReader.signature.count
    private var station = Station.beforePixels

    /// No chunk besides the pixels needs more, and libpng has the same limit.
    private static let maximumChunkByteCount = 1 << 20
    private static let overhead = 12

    /// - Parameter bytes: The file from its signature, which was checked.
    init?(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        while true {
            guard let chunk = nextChunk(), take(chunk) else { return nil }
            if chunk.type == "IEND" { break }
        }
        guard station != .beforePixels else { return nil }
    }

    private struct Chunk {
        let type: FourCharacterCode
        let content: Range<Int>
        let isFirst: Bool
    }

    private mutating func nextChunk() -> Chunk? {
        guard bytes.count - offset >= Self.overhead else { return nil }
        let length = Int(number(at: offset))
        let type = number(at: offset + 4)
        guard length <= bytes.count - offset - Self.overhead, Self.isName(type) else { return nil }
        let content = offset + 8..<offset + 8 + length
        let isFirst = offset == PNGReader.signature.count
        offset = content.upperBound + 4
        return Chunk(type: FourCharacterCode(rawValue: type), content: content, isFirst: isFirst)
    }

    private mutating func take(_ chunk: Chunk) -> Bool {
        if station == .pixels, chunk.type != "IDAT" { station = .afterPixels }
        guard (chunk.type == "IHDR") == chunk.isFirst else { return false }
        guard chunk.type == "IDAT" || chunk.content.count <= Self.maximumChunkByteCount else { return false }
        switch chunk.type {
        case "IHDR": return chunk.content.count == 13 && isWhole(chunk)
        case "IDAT":
            guard station != .afterPixels, isWhole(chunk) else { return false }
            station = .pixels
            pixels.append(chunk.content)
            return true
        case "PLTE":
            guard station == .beforePixels, palette == nil, transparency == nil, isWhole(chunk) else { return false }
            palette = chunk.content
            return chunk.content.count % 3 == 0 && (3...768).contains(chunk.content.count)
        case "tRNS":
            guard station == .beforePixels, transparency == nil, isWhole(chunk) else { return false }
            transparency = chunk.content
            return true
        case "IEND": return chunk.content.isEmpty && isWhole(chunk)
        // Other chunks must be ancillary, marked by the fifth bit of the first letter (PNG §5.4).
        default: return chunk.type.rawValue & 0x2000_0000 != 0
        }
    }

    /// Whether the chunk's checksum is correct.
    private func isWhole(_ chunk: Chunk) -> Bool {
        let body = UnsafeRawBufferPointer(rebasing: bytes[chunk.content.lowerBound - 4..<chunk.content.upperBound])
        return libdeflate_crc32(0, body.baseAddress, body.count) == number(at: chunk.content.upperBound)
    }

    private func number(at offset: Int) -> UInt32 {
        UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    private static func isName(_ type: UInt32) -> Bool {
        [24, 16, 8, 0].allSatisfy { UInt8(truncatingIfNeeded: type >> $0).isLetter }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
    }
}
