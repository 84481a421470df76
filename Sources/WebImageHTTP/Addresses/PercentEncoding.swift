/// Percent-encoded bytes (RFC 3986 §2.1).
package enum PercentEncoding {
    /// The decoded bytes; nil when a `%` is not followed by two hexadecimal digits.
    package static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        let sign = UInt8(ascii: "%")
        var index = 0
        // By numbers: an iterator over megabytes takes seconds without the optimizer.
        while index < text.count {
            let byte = text[index]
            if byte == sign {
                guard let escaped = escapedByte(in: text, at: index) else { return nil }
                bytes.append(escaped)
                index += 3
            } else {
                bytes.append(byte)
                index += 1
            }
        }
        return bytes
    }

    /// The byte that the escape at `index` stands for; nil where there is none.
    private static func escapedByte(in text: UnsafeRawBufferPointer, at index: Int) -> UInt8? {
        guard index + 2 < text.count, text[index] == UInt8(ascii: "%"), let high = digit(text[index + 1]),
            let low = digit(text[index + 2])
        else { return nil }
        return high << 4 | low
    }

    /// The text with escapes in place of all bytes but unreserved ones, delimiters within a component (RFC 3986 §2.2 and
    /// §2.3), those in `others`, and the escapes that it has.
    package static func encode(_ text: ArraySlice<UInt8>, keeping others: String.UTF8View) -> [UInt8] {
        var isKept = isPlain
        for byte in others { isKept[Int(byte)] = true }
        return text.withUnsafeBytes { text in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(text.count)
            var index = 0
            while index < text.count {
                let byte = text[index]
                if isKept[Int(byte)] || escapedByte(in: text, at: index) != nil {
                    bytes.append(byte)
                } else {
                    bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                }
                index += 1
            }
            return bytes
        }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// By the byte.
    private static let isPlain: [Bool] = {
        var isPlain = [Bool](repeating: false, count: 256)
        for range in [UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z")] {
            for byte in range { isPlain[Int(byte)] = true }
        }
        for byte in "0123456789-._~!$&'()*+,;=".utf8 { isPlain[Int(byte)] = true }
        return isPlain
    }()

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
