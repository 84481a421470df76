/// One start tag of a document.
struct SVGStartTag {
    /// An attribute: offsets into the document.
    struct Attribute {
        let name: Range<Int>
        /// Without the prefix of its namespace.
        let localName: String
        /// Between its quotes.
        let value: Range<Int>
    }

    /// The element's name without the prefix of its namespace, which may be any.
    let name: String
    private let text: SVGMarkup
    private let rest: Range<Int>

    /// - Parameter range: What stands between the angle brackets.
    init(_ text: SVGMarkup, _ range: Range<Int>) {
        let end = text.bytes[range].firstIndex { Self.isSpace($0) || $0 == UInt8(ascii: "/") } ?? range.upperBound
        name = Self.localName(text.string(in: range.lowerBound..<end))
        rest = end..<range.upperBound
        self.text = text
    }

    /// Those before the first that is not well-formed, at which librsvg's parser ends the document.
    var attributes: [Attribute] {
        var result: [Attribute] = []
        var place = rest.lowerBound
        while let equals = text.index(of: UInt8(ascii: "="), from: place), equals < rest.upperBound,
            !text.bytes[place..<equals].contains(where: Self.isQuote),
            let start = text.bytes[(equals + 1)..<rest.upperBound].firstIndex(where: { !Self.isSpace($0) }),
            Self.isQuote(text.bytes[start]), let end = text.index(of: text.bytes[start], from: start + 1),
            end < rest.upperBound
        {
            let name = withoutSpace(place..<equals)
            result.append(
                Attribute(name: name, localName: Self.localName(text.string(in: name)), value: (start + 1)..<end))
            place = end + 1
        }
        return result
    }

    private func withoutSpace(_ range: Range<Int>) -> Range<Int> {
        let bytes = text.bytes[range]
        guard let first = bytes.firstIndex(where: { !Self.isSpace($0) }),
            let last = bytes.lastIndex(where: { !Self.isSpace($0) })
        else { return range.lowerBound..<range.lowerBound }
        return first..<(last + 1)
    }

    private static func localName(_ name: String) -> String {
        name.split(separator: ":").last.map(String.init) ?? name
    }

    static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
