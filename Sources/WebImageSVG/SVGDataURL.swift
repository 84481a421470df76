import FoundationEssentials
import WebImage

/// The content of a picture's `data:` URL, parsed strictly: librsvg might read unusual syntax differently.
struct SVGDataURL {
    let content: Data

    private static let types = ["jpeg", "jpg", "pjpeg", "png", "gif", "webp"].map { "image/\($0)" }
    private static let longestHead = 200

    /// - Parameter url: The URL as in an attribute.
    /// - Returns: nil for content that is no picture.
    init?(_ url: some Collection<UInt8>) {
        guard let text = Self.resolved(url), let comma = text.firstIndex(of: UInt8(ascii: ",")),
            comma <= Self.longestHead
        else { return nil }
        let words = String(decoding: text[..<comma], as: UTF8.self).lowercased().split(
            separator: ";", omittingEmptySubsequences: false)
        guard let type = words.first, type.hasPrefix("data:"), Self.types.contains(String(type.dropFirst(5))),
            words.dropFirst().allSatisfy(Self.isPlain)
        else { return nil }
        let body = text[(comma + 1)...].prefix { $0 != UInt8(ascii: "#") }
        let isBase64 = words.count > 1 && words.last == "base64"
        guard let bytes = Self.withoutPercents(body, mayHaveSpace: isBase64),
            let content = isBase64 ? Self.fromBase64(bytes) : Data(bytes)
        else { return nil }
        self.content = content
    }

    private static func isPlain(_ parameter: Substring) -> Bool {
        parameter.utf8.allSatisfy { isLetter($0) || isDigit($0) || "-=".utf8.contains($0) }
    }

    /// Without characters that URLs ignore, and with numeric character references resolved, as which line ends are
    /// often written.
    private static func resolved(_ url: some Collection<UInt8>) -> [UInt8]? {
        var text: [UInt8] = []
        text.reserveCapacity(url.count)
        var rest = url.drop { $0 <= 0x20 }[...]
        while let byte = rest.popFirst() {
            switch byte {
            case 0x09, 0x0A, 0x0D: break
            case 0x80...: return nil
            case UInt8(ascii: "&"):
                let name = rest.prefix(longestName).prefix { $0 != UInt8(ascii: ";") }
                guard let character = character(String(decoding: name, as: UTF8.self)) else { return nil }
                rest = rest.dropFirst(name.count + 1)
                if ![0x09, 0x0A, 0x0D].contains(character) { text.append(character) }
            default: text.append(byte)
            }
        }
        return text
    }

    private static let longestName = 8
    private static let named: [String: UInt8] = ["amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27]

    /// The character for `#10`, `#xA` or `amp`; nil for others, and outside of ASCII.
    private static func character(_ name: String) -> UInt8? {
        let number =
            name.hasPrefix("#x")
            ? UInt8(name.dropFirst(2), radix: 16)
            : name.hasPrefix("#") ? UInt8(name.dropFirst()) : named[name]
        return number.flatMap { $0 < 0x80 ? $0 : nil }
    }

    private static func withoutPercents(_ text: ArraySlice<UInt8>, mayHaveSpace: Bool) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            guard mayHaveSpace || byte > 0x20 else { return nil }
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ isDigit($0) || (0x61...0x66).contains($0 | 0x20) }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            result.append(value)
            rest = rest.dropFirst(2)
        }
        return result
    }

    /// White space is allowed, and the padding at the end may be missing.
    private static func fromBase64(_ text: [UInt8]) -> Data? {
        var letters = text.filter { ![0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }
        while letters.last == UInt8(ascii: "=") { letters.removeLast() }
        guard letters.allSatisfy({ isLetter($0) || isDigit($0) || "+/".utf8.contains($0) }), letters.count % 4 != 1
        else {
            return nil
        }
        letters += [UInt8](repeating: UInt8(ascii: "="), count: -letters.count & 3)
        return Data(base64Encoded: Data(letters))
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
