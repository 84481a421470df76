import WebImage

/// The elements of a document and what they refer to, read before librsvg gets it.
///
/// Tags only; whether they match, and what they mean, is librsvg's to say.
struct SVGMarkup {
    /// One element.
    struct Element {
        /// The element that it stands in; nil for the first.
        let parent: Int?
        let tag: SVGTag
    }

    private(set) var elements: [Element] = []
    private(set) var maximumDepth = 0
    /// Whether an entity has elements in it, or a reference is written as one: that hides both from this look.
    private(set) var hidesElements = false
    /// The elements that are open where the scan is.
    private var open: [Int] = []

    /// Scans a document in UTF-8 or another encoding that leaves ASCII as it is.
    ///
    /// - Parameter maximumElementCount: No more are read.
    init(_ bytes: UnsafeRawBufferPointer, maximumElementCount: Int) {
        var rest = bytes[...]
        while elements.count <= maximumElementCount, let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            switch rest.first {
            case UInt8(ascii: "!") where rest.starts(with: "!--".utf8): Self.skip(&rest, behind: "-->")
            case UInt8(ascii: "!") where rest.starts(with: "![CDATA[".utf8): Self.skip(&rest, behind: "]]>")
            case UInt8(ascii: "!") where rest.starts(with: "!ENTITY".utf8): readEntity(&rest)
            case UInt8(ascii: "!"), UInt8(ascii: "?"): break
            case UInt8(ascii: "/"): _ = open.popLast()
            default: readElement(&rest)
            }
        }
    }

    /// Whether all elements are closed, as in a document that is whole.
    var isWhole: Bool { open.isEmpty && !elements.isEmpty }

    private mutating func readElement(_ rest: inout Slice<UnsafeRawBufferPointer>) {
        let end = Self.endOfTag(rest)
        let tag = SVGTag(rest[rest.startIndex..<end])
        hidesElements = hidesElements || tag.hidesReferences
        elements.append(Element(parent: open.last, tag: tag))
        open.append(elements.count - 1)
        maximumDepth = max(maximumDepth, open.count)
        if tag.isEmpty { open.removeLast() }
        rest = rest[end...]
    }

    private mutating func readEntity(_ rest: inout Slice<UnsafeRawBufferPointer>) {
        let end = Self.endOfTag(rest)
        hidesElements = hidesElements || rest[rest.startIndex..<end].contains(UInt8(ascii: "<"))
        rest = rest[end...]
    }

    /// Where the tag's `>` is, those in quotes passed over; the end of the document when there is none.
    private static func endOfTag(_ rest: Slice<UnsafeRawBufferPointer>) -> Int {
        var quote: UInt8?
        for index in rest.indices {
            let byte = rest[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index
            }
        }
        return rest.endIndex
    }

    private static func skip(_ rest: inout Slice<UnsafeRawBufferPointer>, behind end: StaticString) {
        while let start = rest.firstIndex(of: end.utf8Start.pointee) {
            rest = rest[start...]
            let isEnd = end.withUTF8Buffer { rest.starts(with: $0) }
            rest = rest.dropFirst(isEnd ? end.utf8CodeUnitCount : 1)
            if isEnd { return }
        }
        rest = rest.suffix(0)
    }
}
