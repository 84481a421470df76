/// The tags of a page, one after the other, however broken it is. One pass over the bytes; scripts and styles are skipped.
nonisolated struct HTMLTags: Sequence, IteratorProtocol {
    struct Tag: Equatable {
        /// In small letters.
        let name: String
        var isEnd = false
        /// Those that matter here, without entities; the first of a name counts.
        var attributes: [String: String] = [:]
    }

    private let bytes: [UInt8]
    private var position = 0

    private static let open = UInt8(ascii: "<")
    private static let close = UInt8(ascii: ">")
    private static let slash = UInt8(ascii: "/")
    private static let equals = UInt8(ascii: "=")
    private static let caseBit = UInt8(ascii: "a") ^ UInt8(ascii: "A")

    /// A longer value is no address.
    private static let valueLimit = 64 << 10
    /// A longer name is no name that matters.
    private static let nameLimit = 24
    private static let kept: Set<String> = [
        "src", "srcset", "data-src", "data-srcset", "data-original", "data-lazy-src", "href", "type", "media",
        "property", "name", "content",
    ]
    private static let raw: Set<String> = ["script", "style", "textarea", "title", "xmp", "iframe"]

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    mutating func next() -> Tag? {
        while position < bytes.count {
            guard bytes[position] == Self.open else {
                position += 1
                continue
            }
            position += 1
            if let tag = tag() { return tag }
        }
        return nil
    }

    /// The tag after a `<`; nil where there is none.
    private mutating func tag() -> Tag? {
        guard let first = current else { return nil }
        if first == UInt8(ascii: "!") || first == UInt8(ascii: "?") {
            skipDeclaration()
            return nil
        }
        let isEnd = first == Self.slash
        if isEnd { position += 1 }
        guard let letter = current, Self.isLetter(letter) else { return nil }
        var tag = Tag(name: word { Self.isSpace($0) || $0 == Self.slash || $0 == Self.close }, isEnd: isEnd)
        readAttributes(into: &tag)
        if !isEnd, Self.raw.contains(tag.name) { skipText(of: tag.name) }
        return tag
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipDeclaration() {
        if bytes[position...].starts(with: "!--".utf8) {
            position += 3
            skip(past: "-->")
        } else {
            skip(past: ">")
        }
    }

    /// Skips to the end of the next `mark`; to the end of the page without one.
    private mutating func skip(past mark: String) {
        let mark = Array(mark.utf8)
        while position < bytes.count, !bytes[position...].starts(with: mark) { position += 1 }
        position = Swift.min(bytes.count, position + mark.count)
    }

    /// Skips text that has no tags, to its end tag.
    private mutating func skipText(of name: String) {
        let name = Array(name.utf8)
        while position < bytes.count {
            if bytes[position] == Self.open, position + 1 < bytes.count, bytes[position + 1] == Self.slash {
                let found = bytes[(position + 2)...].prefix(name.count)
                if found.elementsEqual(name, by: { $0 | Self.caseBit == $1 }) { return }
            }
            position += 1
        }
    }

    // MARK: Attributes

    private mutating func readAttributes(into tag: inout Tag) {
        while let byte = current {
            if byte == Self.close {
                position += 1
                return
            }
            if Self.isSpace(byte) || byte == Self.slash {
                position += 1
                continue
            }
            readAttribute(into: &tag)
        }
    }

    private mutating func readAttribute(into tag: inout Tag) {
        let start = position
        let name = word { Self.isSpace($0) || [Self.slash, Self.close, Self.equals].contains($0) }
        // A stray equals sign.
        if position == start { position += 1 }
        skipSpace()
        guard current == Self.equals else { return }
        position += 1
        skipSpace()
        let value = value()
        guard Self.kept.contains(name), tag.attributes[name] == nil, value.count <= Self.valueLimit else { return }
        tag.attributes[name] = HTMLText.decoded(value)
    }

    private mutating func value() -> ArraySlice<UInt8> {
        guard let quote = current else { return [] }
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return take { Self.isSpace($0) || $0 == Self.close }
        }
        position += 1
        let value = take { $0 == quote }
        position = Swift.min(bytes.count, position + 1)
        return value
    }

    /// In small letters; empty for one that is longer than those that matter.
    private mutating func word(until isEnd: (UInt8) -> Bool) -> String {
        let word = take(until: isEnd)
        guard word.count <= Self.nameLimit else { return "" }
        return String(decoding: word, as: UTF8.self).lowercased()
    }

    private mutating func take(until isEnd: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, !isEnd(bytes[position]) { position += 1 }
        return bytes[start..<position]
    }

    private mutating func skipSpace() { _ = take { !Self.isSpace($0) } }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
    }
    /// In either case: a capital letter and its small one differ in one bit.
    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | caseBit)
    }
}
