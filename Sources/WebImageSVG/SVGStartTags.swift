/// The start tags of a document, one after the other (XML 1.0, section 2). What only looks like one is passed over: in
/// comments, CDATA sections, instructions, and quotes of the document type.
struct SVGStartTags: Sequence, IteratorProtocol {
    private let text: SVGMarkup
    private var place = 0

    private static let sections: [(start: StaticString, end: StaticString)] = [
        ("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>"),
    ]

    init(of text: SVGMarkup) { self.text = text }

    mutating func next() -> SVGStartTag? {
        while let bracket = text.index(of: UInt8(ascii: "<"), from: place) {
            let start = bracket + 1
            if let section = Self.sections.first(where: { text.hasPrefix($0.start, at: start) }) {
                place = text.end(of: section.end, from: start + section.start.utf8CodeUnitCount)
                continue
            }
            let isDeclaration = text.hasPrefix("!", at: start)
            place = endOfTag(from: start, mayOpen: isDeclaration)
            if !isDeclaration, !text.hasPrefix("/", at: start) { return SVGStartTag(text, start..<place) }
        }
        return nil
    }

    /// The place of the `>`, those in quotes passed over; the end of the document if there is none.
    ///
    /// - Parameter mayOpen: Whether a `[` ends it as well: behind it, the document type has declarations of its own.
    private func endOfTag(from start: Int, mayOpen: Bool) -> Int {
        var place = start
        while place < text.bytes.count {
            switch text.bytes[place] {
            case UInt8(ascii: ">"): return place
            case UInt8(ascii: "[") where mayOpen: return place
            case let quote where SVGStartTag.isQuote(quote):
                guard let end = text.index(of: quote, from: place + 1) else { return text.bytes.count }
                place = end
            default: break
            }
            place += 1
        }
        return place
    }
}
