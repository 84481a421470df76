import WebImage

/// The elements of a document and their references, read before librsvg gets it.
///
/// Reads tags only; matching and interpreting them is left to librsvg.
struct SVGMarkup {
    /// One element.
    struct Element {
        /// The parent element; nil for the first.
        let parent: Int?
        let tag: SVGTag
        /// The number of bytes between its two tags.
        fileprivate(set) var contentCount = 0
        /// The number of elements that take as long to draw as its own letters.
        fileprivate(set) var letterCost = 0.0
        /// The number of lines of its own letters, at most.
        fileprivate(set) var lineCount = 1.0
    }

    private(set) var elements: [Element] = []
    /// The content of all style elements.
    private(set) var sheet = SVGStyleSheet()
    private(set) var maximumDepth = 0
    private(set) var declaresEntities = false
    /// The font sizes that entities declare.
    private(set) var entityFontSize = SVGFontSize()
    /// Whether an entity may enlarge what it styles.
    private(set) var entitiesScale = false
    /// Whether an entity may be the beginning of a declaration.
    private var hasOpenEntities = false
    /// Whether an entity, a default attribute or an escape hides elements or references from this scan.
    private(set) var hidesElements = false
    /// Addresses that librsvg must not get, in their order.
    private(set) var omissions: [SVGOmission] = []
    /// The elements that are open where the scan is.
    private var open: [Int] = []
    /// The start of each open element's content.
    private var contentStarts: [Int] = []
    private var letters = SVGLetters()
    private static let elementsBetweenChecks = 256

    /// Scans a document in UTF-8 or another encoding that leaves ASCII as it is.
    ///
    /// - Parameter options: The scan stops at its limit on elements.
    init(_ bytes: UnsafeRawBufferPointer, options: ImageDecodeOptions) throws(WebImageError) {
        var rest = bytes[...]
        var count = 0
        while elements.count <= options.limits.maximumElementCount, let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            if count % Self.elementsBetweenChecks == 0 { try options.checkCancellation() }
            count += 1
            letters.add(rest[..<start])
            rest = rest[(start + 1)...]
            switch rest.first {
            case UInt8(ascii: "!") where rest.starts(with: "!--".utf8): Self.skip(&rest, behind: "-->")
            case UInt8(ascii: "!") where rest.starts(with: "![CDATA[".utf8):
                letters.add(Self.skip(&rest, behind: "]]>"))
            case UInt8(ascii: "!") where rest.starts(with: "!ENTITY".utf8): readEntity(&rest)
            case UInt8(ascii: "!") where rest.starts(with: "!ATTLIST".utf8): readDefaults(&rest)
            case UInt8(ascii: "?"): readInstruction(&rest)
            // What looks like a tag in one of its literals is none. Behind a bracket, the document type has declarations.
            case UInt8(ascii: "!"): rest = rest[Self.endOfTag(rest, mayOpen: true)...]
            case UInt8(ascii: "/"): close(at: start)
            default: readElement(&rest)
            }
        }
        letters.add(rest)
        endLetters()
    }

    /// Whether all elements are closed, as in a complete document.
    var isWhole: Bool { open.isEmpty && !elements.isEmpty }

    /// A tag separates letters; a comment does not.
    private mutating func endLetters() {
        let lineCount = letters.lineCount
        let cost = letters.end(in: open.last.map { elements[$0].tag.name })
        guard let index = open.last else { return }
        elements[index].letterCost += cost
        elements[index].lineCount = max(elements[index].lineCount, lineCount)
    }

    private mutating func readElement(_ rest: inout Slice<UnsafeRawBufferPointer>) {
        endLetters()
        let end = Self.endOfTag(rest)
        let tag = SVGTag(rest[rest.startIndex..<end])
        hidesElements = hidesElements || tag.hidesReferences || tag.style.hidesReferences
        omissions += tag.omissions
        elements.append(Element(parent: open.last, tag: tag))
        open.append(elements.count - 1)
        maximumDepth = max(maximumDepth, open.count)
        contentStarts.append(end)
        if tag.isEmpty { close(at: end) }
        rest = rest[end...]
        if tag.name == "style", !tag.isEmpty { readSheet(rest.dropFirst()) }
    }

    private mutating func close(at place: Int) {
        endLetters()
        guard let index = open.popLast(), let start = contentStarts.popLast() else { return }
        elements[index].contentCount = place - start
    }

    /// Reads the content of a style element; the scan continues inside it, in case it contains markup.
    private mutating func readSheet(_ rest: Slice<UnsafeRawBufferPointer>) {
        // A nested style element is part of the outer one, and would be read repeatedly.
        guard !open.dropLast().contains(where: { elements[$0].tag.name == "style" }) else { return }
        var rest = rest
        var text: [UInt8] = []
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            text += rest[..<start]
            rest = rest[(start + 1)...]
            if rest.starts(with: "!--".utf8) {
                Self.skip(&rest, behind: "-->")
            } else if rest.starts(with: "![CDATA[".utf8) {
                let before = rest
                Self.skip(&rest, behind: "]]>")
                text += before[before.startIndex..<rest.startIndex].dropFirst("![CDATA[".utf8.count)
                    .dropLast(3)
            } else if rest.first == UInt8(ascii: "/") {
                break
            } else {
                // Elements must not occur here, nor instructions inside the text.
                hidesElements = true
            }
        }
        sheet.add(SVGStyle.text(text))
        hidesElements = hidesElements || sheet.hidesReferences
    }

    /// Its address may contain a style sheet.
    private mutating func readInstruction(_ rest: inout Slice<UnsafeRawBufferPointer>) {
        let start = rest
        Self.skip(&rest, behind: "?>")
        guard start.starts(with: "?xml-stylesheet".utf8) else { return }
        let words = SVGStyle.id(SVGStyle.text(start[..<rest.startIndex])).lowercased()
        hidesElements = hidesElements || words.contains("data:") || words.contains("&")
    }

    private mutating func readEntity(_ rest: inout Slice<UnsafeRawBufferPointer>) {
        let end = Self.endOfTag(rest)
        let text = rest[rest.startIndex..<end]
        declaresEntities = true
        letters.addEntity(text)
        readEntityStyle(SVGStyle.text(text))
        // Styles by old writers and namespace URLs contain no elements, functions or character references.
        hidesElements =
            hidesElements || text.contains { "<(".utf8.contains($0) } || text.contains("&#".utf8)
        rest = rest[end...]
    }

    private mutating func readEntityStyle(_ text: String) {
        guard let quote = text.firstIndex(where: { "'\"".contains($0) }) else { return }
        let value = text[text.index(after: quote)...].prefix { $0 != text[quote] }
        entityFontSize.readStyle(String(value))
        let scaled = value.lowercased().replacing("stroke-width", with: "")
        entitiesScale = entitiesScale || ["transform", "width", "height", "\\"].contains { scaled.contains($0) }
        let isAddress = value.hasPrefix("http") && !value.contains(";")
        hasOpenEntities = hasOpenEntities || !isAddress && value.last { !$0.isWhitespace } != ";"
    }

    /// The font size that a style declares in this document.
    func fontSize(of style: SVGStyle) -> SVGFontSize {
        var size = style.fontSize
        if size.joinsEntities && hasOpenEntities { size.hide() }
        return size
    }

    /// Default attributes of elements: only namespaces are accepted.
    private mutating func readDefaults(_ rest: inout Slice<UnsafeRawBufferPointer>) {
        let end = Self.endOfTag(rest)
        var text = SVGStyle.text(rest[rest.startIndex..<end])
        for keyword in ["#FIXED", "#IMPLIED", "#REQUIRED"] { text = text.replacing(keyword, with: "") }
        let hasValue = text.contains { "'\"".contains($0) }
        let words = text.split { $0.isWhitespace || "'\"".contains($0) }
        let isHarmless = words.contains { $0.hasPrefix("xmlns") } && words.allSatisfy(Self.isHarmlessDefault)
        hidesElements = hidesElements || hasValue && !isHarmless
        rest = rest[end...]
    }

    private static func isHarmlessDefault(_ word: Substring) -> Bool {
        let name = word.split(separator: ":").last.map(String.init) ?? ""
        return !word.contains { "(#&".contains($0) } && !word.lowercased().hasPrefix("data:")
            && !SVGStyle.effects.union([
                "numOctaves", "order", "radius", "kernelMatrix", "class", "style", "id", "href",
            ]).contains(name)
            && !SVGGeometry.attributes.contains(name)
    }

    /// Where the tag's `>` is, those in quotes passed over; the end of the document when there is none.
    ///
    /// - Parameter mayOpen: Whether a `[` ends it as well.
    private static func endOfTag(_ rest: Slice<UnsafeRawBufferPointer>, mayOpen: Bool = false) -> Int {
        var quote: UInt8?
        for index in rest.indices {
            let byte = rest[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") || mayOpen && byte == UInt8(ascii: "[") {
                return index
            }
        }
        return rest.endIndex
    }

    /// - Returns: What is passed over.
    @discardableResult
    private static func skip(
        _ rest: inout Slice<UnsafeRawBufferPointer>, behind end: StaticString
    ) -> Slice<UnsafeRawBufferPointer> {
        let passed = rest
        while let start = rest.firstIndex(of: end.utf8Start.pointee) {
            rest = rest[start...]
            let isEnd = end.withUTF8Buffer { rest.starts(with: $0) }
            rest = rest.dropFirst(isEnd ? end.utf8CodeUnitCount : 1)
            if isEnd { return passed[..<rest.startIndex] }
        }
        rest = rest.suffix(0)
        return passed
    }
}
