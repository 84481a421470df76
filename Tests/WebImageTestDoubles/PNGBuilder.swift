import FoundationEssentials

/// Builds PNG files chunk by chunk, valid or invalid, so that a test can show its file.
struct PNGBuilder {
    private(set) var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    mutating func append(_ type: String, _ content: [UInt8], damagesCheckSum: Bool = false) {
        let body = Array(type.utf8) + content
        data.append(contentsOf: Self.bigEndian(content.count, bytes: 4) + body)
        let sum = Self.checkSum(body) ^ (damagesCheckSum ? 1 : 0)
        data.append(contentsOf: Self.bigEndian(Int(sum), bytes: 4))
    }

    mutating func appendHeader(
        width: Int, height: Int, bitDepth: Int = 8, colorType: Int = 6, isInterlaced: Bool = false
    ) {
        let size = Self.bigEndian(width, bytes: 4) + Self.bigEndian(height, bytes: 4)
        append("IHDR", size + [UInt8(bitDepth), UInt8(colorType), 0, 0, isInterlaced ? 1 : 0])
    }

    /// Pixels, each row with its filter byte before it.
    mutating func appendPixels(_ filteredRows: [UInt8]) { append("IDAT", Self.zlib(filteredRows)) }

    mutating func appendEnd() { append("IEND", []) }

    /// The same file with correct checksums, so that damage passes their check.
    static func repairingCheckSums(_ data: Data) -> Data {
        var bytes = Array(data)
        var start = 8
        while start + 12 <= bytes.count {
            let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            let end = start + 8 + length
            guard end + 4 <= bytes.count else { break }
            let sum = checkSum(Array(bytes[start + 4..<end]))
            bytes.replaceSubrange(end..<end + 4, with: bigEndian(Int(sum), bytes: 4))
            start = end + 4
        }
        return Data(bytes)
    }

    static func bigEndian(_ value: Int, bytes count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// zlib's format (RFC 1950) with stored blocks.
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            for number in [length, ~length] { result += [UInt8(number & 255), UInt8(number >> 8)] }
            result.insert(rest.isEmpty ? 1 : 0, at: result.count - 4)
            result += block
        } while !rest.isEmpty
        return result + bigEndian(adler32(bytes), bytes: 4)
    }

    private static func adler32(_ bytes: [UInt8]) -> Int {
        let (low, high) = bytes.reduce((1, 0)) { sums, byte in
            let low = (sums.0 + Int(byte)) % 65_521
            return (low, (sums.1 + low) % 65_521)
        }
        return high << 16 | low
    }

    private static func checkSum(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
        }
        return ~sum
    }
}
