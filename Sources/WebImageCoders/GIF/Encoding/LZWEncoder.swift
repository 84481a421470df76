/// Encodes pixels as GIF's LZW codes (GIF89a appendix F), cut into sub-blocks.
struct LZWEncoder {
    private static let maximumCode = 4095
    private static let slotCount = 1 << 14

    private var writer = CodeWriter()
    /// A hash table from a string and the next byte to the code of both; 0 for an empty slot.
    private var slots = [UInt32](repeating: 0, count: slotCount)

    /// - Parameters:
    ///   - indices: All under `1 << minimumCodeSize`; at least one.
    ///   - minimumCodeSize: 2 to 8.
    mutating func encode(_ indices: [UInt8], minimumCodeSize: Int) -> [UInt8] {
        let clearCode = 1 << minimumCodeSize
        writer = CodeWriter()
        var codeSize = minimumCodeSize + 1
        var nextCode = clearCode + 2
        writer.append(clearCode, size: codeSize)
        restart()
        var prefix = Int(indices[0])
        for index in 1..<max(1, indices.count) {
            let byte = Int(indices[index])
            let slot = self.slot(prefix, byte)
            if slots[slot] != 0 {
                prefix = Int(slots[slot] & 0xFFF)
                continue
            }
            writer.append(prefix, size: codeSize)
            if nextCode <= Self.maximumCode {
                slots[slot] = Self.entry(prefix, byte, nextCode)
                // The decoder is one code behind, so its code size grows one code later.
                if nextCode == 1 << codeSize { codeSize += 1 }
                nextCode += 1
            } else {
                writer.append(clearCode, size: codeSize)
                restart()
                (codeSize, nextCode) = (minimumCodeSize + 1, clearCode + 2)
            }
            prefix = byte
        }
        writer.append(prefix, size: codeSize)
        // The last code may have made the code size grow.
        if nextCode == 1 << codeSize, codeSize < 12 { codeSize += 1 }
        writer.append(clearCode + 1, size: codeSize)
        return writer.finish()
    }

    private mutating func restart() { for slot in slots.indices { slots[slot] = 0 } }

    /// Twelve bits of the prefix, eight of the byte and twelve of the code; never 0, since no string has code 0.
    private static func entry(_ prefix: Int, _ byte: Int, _ code: Int) -> UInt32 {
        UInt32(prefix << 20 | byte << 12 | code)
    }

    /// The string's slot, or the empty slot where it belongs.
    private func slot(_ prefix: Int, _ byte: Int) -> Int {
        let key = UInt32(prefix << 8 | byte)
        var slot = Int((key &* 2_654_435_761) >> 18)
        while slots[slot] != 0, slots[slot] >> 12 != key { slot = (slot + 1) & (Self.slotCount - 1) }
        return slot
    }
}

/// Packs codes, the lowest bits first.
private struct CodeWriter {
    private var bytes: [UInt8] = []
    private var bits: UInt32 = 0
    private var bitCount = 0

    mutating func append(_ code: Int, size: Int) {
        bits |= UInt32(code) << UInt32(bitCount)
        bitCount += size
        while bitCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }

    /// All codes in sub-blocks, with the terminator.
    mutating func finish() -> [UInt8] {
        if bitCount > 0 { bytes.append(UInt8(truncatingIfNeeded: bits)) }
        var blocks: [UInt8] = []
        blocks.reserveCapacity(bytes.count + bytes.count / 255 + 2)
        for start in stride(from: 0, to: bytes.count, by: 255) {
            let end = min(start + 255, bytes.count)
            blocks.append(UInt8(end - start))
            blocks += bytes[start..<end]
        }
        blocks.append(0)
        return blocks
    }
}
