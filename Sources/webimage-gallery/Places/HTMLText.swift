/// Text of a page.
nonisolated enum HTMLText {
    private static let named: [Substring: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    ]
    /// Longer ones are no entities.
    private static let longest = 10

    /// The text with its entities resolved; those that are unknown stay.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            let name = rest.dropFirst().prefix(longest).prefix { $0 != ";" }
            let end = name.endIndex
            if end < rest.endIndex, rest[end] == ";", let scalar = scalar(name) {
                result.unicodeScalars.append(scalar)
                rest = rest[rest.index(after: end)...]
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result + rest
    }

    private static func scalar(_ name: Substring) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return named[name] }
        let digits = name.dropFirst()
        let number =
            digits.hasPrefix("x") || digits.hasPrefix("X") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
    }
}
