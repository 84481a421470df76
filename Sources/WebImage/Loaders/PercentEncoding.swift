/// Percent-encoded bytes (RFC 3986 §2.1).
enum PercentEncoding {
    /// The decoded bytes; nil when a `%` is not followed by two hexadecimal digits.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The text with escapes in place of all bytes but unreserved ones, delimiters within a component (RFC 3986 §2.2 and
    /// §2.3), those in `others`, and the escapes that it has.
    static func encode(_ text: ArraySlice<UInt8>, keeping others: String.UTF8View) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        for (index, byte) in zip(text.indices, text) {
            if isPlain(byte) || others.contains(byte) || beginsEscape(text[index...]) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return bytes
    }

    /// Whether ``encode(_:keeping:)`` returns the text as it is.
    static func isEncoded(_ text: UnsafeRawBufferPointer, keeping others: String.UTF8View) -> Bool {
        text.allSatisfy { isPlain($0) || others.contains($0) }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~!$&'()*+,;=".utf8.contains(byte)
        }
    }

    private static func beginsEscape(_ text: ArraySlice<UInt8>) -> Bool {
        let escape = text.prefix(3)
        guard escape.count == 3, escape.first == UInt8(ascii: "%") else { return false }
        return escape.dropFirst().allSatisfy { digit($0) != nil }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
