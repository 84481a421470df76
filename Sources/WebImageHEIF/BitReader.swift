import FoundationEssentials

/// Reads bit fields. Beyond the end it reads zeros, as decoders do.
struct BitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// - Parameter count: At most 32.
    mutating func bits(_ count: Int) -> Int {
        var result = 0
        for _ in 0..<count {
            let bit = position >> 3 < bytes.count ? bytes[position >> 3] >> (7 - UInt8(position & 7)) & 1 : 0
            result = result << 1 | Int(bit)
            position += 1
        }
        return result
    }

    mutating func bit() -> Bool { bits(1) == 1 }

    mutating func skip(_ count: Int) { position += count }

    /// An Exp-Golomb number: it begins with as many zeros as it has bits after its first 1 (ISO/IEC 23008-2 §9.2). Nil
    /// for more than 32.
    mutating func exponentialGolomb() -> Int? {
        var zeros = 0
        while !bit() {
            zeros += 1
            guard zeros <= 32 else { return nil }
        }
        return 1 << zeros - 1 + bits(zeros)
    }
}
