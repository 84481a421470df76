import FoundationEssentials

/// Finds the first element of an XML document: after a byte order mark, white space, the XML declaration, comments and
/// a document type (XML 1.0 §2.8). Comments may contain licences and editors' notes of any length.
enum XMLProlog {
    /// The maximum length of a prolog.
    private static let maximumByteCount = 1 << 16

    /// The name of the first element in lower case and without its prefix; nil when there is none, or it is incomplete.
    static func rootElement(of data: Data) -> String? {
        guard data.first.map(mayBegin) == true else { return nil }
        var text = ascii(data.prefix(maximumByteCount))[...]
        while true {
            text = text.drop(while: isSpace)
            guard text.first == UInt8(ascii: "<") else { return nil }
            text = text.dropFirst()
            if text.starts(with: "!--".utf8) {
                text = rest(of: text.dropFirst(3), behind: "-->")
            } else if text.first == UInt8(ascii: "?") {
                text = rest(of: text, behind: "?>")
            } else if text.first == UInt8(ascii: "!") {
                text = restBehindDocumentType(text)
            } else {
                return name(text)
            }
        }
    }

    private static func name(_ text: ArraySlice<UInt8>) -> String? {
        let name = text.prefix { !isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        guard name.count < text.count else { return nil }
        return String(decoding: name, as: UTF8.self).lowercased().split(separator: ":").last.map(String.init)
    }

    /// `<!DOCTYPE svg … [ … ]>`: declarations within the brackets contain angle brackets of their own.
    private static func restBehindDocumentType(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var isInBrackets = false
        for (index, byte) in zip(text.indices, text) {
            switch byte {
            case UInt8(ascii: "["): isInBrackets = true
            case UInt8(ascii: "]"): isInBrackets = false
            case UInt8(ascii: ">") where !isInBrackets: return text[(index + 1)...]
            default: break
            }
        }
        return []
    }

    private static func rest(of text: ArraySlice<UInt8>, behind end: String) -> ArraySlice<UInt8> {
        text.firstRange(of: Array(end.utf8)).map { text[$0.upperBound...] } ?? []
    }

    /// The document as ASCII: without a byte order mark, and for UTF-16 the bytes with ASCII.
    private static func ascii(_ data: Data) -> [UInt8] {
        if data.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(data.dropFirst(3)) }
        if data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) {
            return data.dropFirst(2).filter { $0 != 0 }
        }
        return Array(data)
    }

    private static func mayBegin(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "<") || isSpace(byte) || [0xEF, 0xFE, 0xFF].contains(byte)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
