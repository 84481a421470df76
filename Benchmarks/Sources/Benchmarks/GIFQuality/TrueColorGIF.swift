import FoundationEssentials
import WebImage

/// Pictures in all their colours as a GIF file, the input format of gifsicle: tiles of 256 pixels, each with its own
/// colour table. Only a picture's last tile has a duration. Codes are not compressed.
struct TrueColorGIF {
    static let tileSide = 16

    private(set) var data = Data("GIF89a".utf8)
    /// The number of tiles of one picture.
    let tileCount: Int

    init(_ frames: [Bitmap]) {
        let size = frames[0].size
        func tiles(_ length: Int) -> Int { (length + Self.tileSide - 1) / Self.tileSide }
        tileCount = tiles(size.width) * tiles(size.height)
        appendNumber(size.width)
        appendNumber(size.height)
        data.append(contentsOf: [0x70, 0, 0])
        data.append(contentsOf: [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0])
        for frame in frames { append(frame) }
        data.append(0x3B)
    }

    private mutating func append(_ frame: Bitmap) {
        var remaining = tileCount
        for top in stride(from: 0, to: frame.size.height, by: Self.tileSide) {
            for left in stride(from: 0, to: frame.size.width, by: Self.tileSide) {
                remaining -= 1
                let width = min(Self.tileSide, frame.size.width - left)
                let height = min(Self.tileSide, frame.size.height - top)
                data.append(contentsOf: [0x21, 0xF9, 4, 1 << 2, remaining == 0 ? 10 : 0, 0, 0, 0, 0x2C])
                for number in [left, top, width, height] { appendNumber(number) }
                appendPixels(of: frame, left..<left + width, top..<top + height)
            }
        }
    }

    private mutating func appendPixels(of frame: Bitmap, _ columns: Range<Int>, _ rows: Range<Int>) {
        data.append(0x87)
        var table = [UInt8](repeating: 0, count: 768)
        var indices: [UInt8] = []
        var known: [UInt32: UInt8] = [:]
        frame.withUnsafeBytes { bytes in
            for y in rows {
                for x in columns {
                    let pixel = Array(bytes[y * frame.bytesPerRow + x * 4..<y * frame.bytesPerRow + x * 4 + 3])
                    let color = pixel.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                    let index = known[color] ?? UInt8(known.count)
                    if known.updateValue(index, forKey: color) == nil {
                        table.replaceSubrange(Int(index) * 3..<Int(index) * 3 + 3, with: pixel)
                    }
                    indices.append(index)
                }
            }
        }
        data.append(contentsOf: table)
        appendCodes(indices)
    }

    /// Nine bits for each code, with clear codes often enough that it stays nine.
    private mutating func appendCodes(_ indices: [UInt8]) {
        var codes = indices.enumerated().flatMap { $0.isMultiple(of: 200) ? [256, Int($1)] : [Int($1)] }
        codes.append(257)
        var packed: [UInt8] = []
        var bits = 0
        var bitCount = 0
        for code in codes {
            bits |= code << bitCount
            bitCount += 9
            while bitCount >= 8 {
                packed.append(UInt8(bits & 0xFF))
                bits >>= 8
                bitCount -= 8
            }
        }
        packed.append(UInt8(bits & 0xFF))
        data.append(8)
        for start in stride(from: 0, to: packed.count, by: 255) {
            let block = packed[start..<min(start + 255, packed.count)]
            data.append(UInt8(block.count))
            data.append(contentsOf: block)
        }
        data.append(0)
    }

    private mutating func appendNumber(_ number: Int) {
        data.append(contentsOf: [UInt8(number & 0xFF), UInt8(number >> 8)])
    }
}
