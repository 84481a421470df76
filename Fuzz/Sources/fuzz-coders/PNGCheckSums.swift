import FoundationEssentials

/// Corrects the checksums of a PNG file's chunks: mutation does not produce valid ones, and libpng stops at an invalid
/// one.
enum PNGCheckSums {
    static func repaired(_ file: Data) -> Data {
        var bytes = [UInt8](file)
        var start = 8
        while start + 12 <= bytes.count {
            let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - start - 12 else { break }
            let end = start + 8 + length
            let sum = checkSum(bytes[start + 4..<end])
            for place in 0..<4 { bytes[end + place] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * UInt32(place))) }
            start = end + 4
        }
        return Data(bytes)
    }

    private static let table: [UInt32] = (0..<256).map { (index: UInt32) -> UInt32 in
        var value = index
        for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ (value >> 1) }
        return value
    }

    private static func checkSum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var value = UInt32.max
        for byte in bytes { value = table[Int((value ^ UInt32(byte)) & 255)] ^ (value >> 8) }
        return ~value
    }
}
