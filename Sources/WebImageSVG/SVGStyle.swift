/// The references and the cost of an element's CSS declarations or presentation attributes.
struct SVGStyle {
    /// Ids of elements used by the element itself only: filters, masks, the content of a `use` element.
    private(set) var references: [String] = []
    /// Ids of elements drawn for each element within it, which inherits them: patterns.
    private(set) var inherited: [String] = []
    /// Ids of elements drawn at each point of each path within it.
    private(set) var markers: [String] = []
    /// The number of passes over all pixels: for filters, masks, and groups with an opacity; 0 for most elements.
    var effectCount = 0.0
    /// Sizes and transformations.
    var geometry = SVGGeometry()
    var fontSize = SVGFontSize()
    /// Whether an escape may hide a reference.
    private(set) var hidesReferences = false

    static let effects: Set = ["filter", "mask", "clip-path", "opacity", "mix-blend-mode"]

    private static let function = Array("url(".utf8)

    var referenceCount: Int { references.count + inherited.count + markers.count }

    /// Reads the declarations of a style attribute or a rule.
    mutating func add(_ text: String) {
        hidesReferences = hidesReferences || Self.hasDoubtfulComments(text)
        let text = Self.withoutComments(text)
        fontSize.readStyle(text)
        for declaration in Self.declarations(text) {
            let colon = declaration.firstIndex(of: ":")
            let property = colon.map { Self.id(declaration[..<$0]).lowercased() }
            add(declaration, of: property)
            if let property, let colon {
                geometry.addStyle(property, Array(declaration[declaration.index(after: colon)...].utf8))
            }
            if let property, Self.effects.contains(property) { effectCount += 1 }
        }
    }

    /// Reads the value of a property; nil for an unknown property, which may be any.
    mutating func add(_ value: some StringProtocol, of property: String?) {
        let bytes = value.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        if bytes.contains(UInt8(ascii: "\\")) {
            hidesReferences = hidesReferences || bytes.contains(UInt8(ascii: "("))
            effectCount += 1
            geometry.isUnknown = true
        }
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "(")) {
            let name = rest[..<start].suffix(3).map { $0 | 0x20 } + [rest[start]]
            rest = rest[(start + 1)...]
            if name == Self.function { addAddress(rest, of: property) }
        }
    }

    private mutating func addAddress(_ bytes: ArraySlice<UInt8>, of property: String?) {
        let address = Self.address(bytes)
        if address.first == UInt8(ascii: "#") {
            addReference(Self.text(address.dropFirst()), of: property)
        } else if case .data = SVGAddress(address) {
            // An element of another document; fonts, which are not loaded, have no `#` in their address.
            hidesReferences = hidesReferences || address.contains(UInt8(ascii: "#"))
        }
    }

    /// Adds the reference to `fragment`, the text after the `#` of an address.
    mutating func addReference(_ fragment: some StringProtocol, of property: String?) {
        hidesReferences = hidesReferences || fragment.contains("%")
        let id = Self.id(fragment)
        guard let property else { return markers.append(id) }
        if property.hasPrefix("marker") {
            markers.append(id)
        } else if property == "fill" || property == "stroke" {
            inherited.append(id)
        } else {
            references.append(id)
        }
    }

    mutating func add(_ other: SVGStyle) {
        references += other.references
        inherited += other.inherited
        markers += other.markers
        effectCount += other.effectCount
        geometry.add(other.geometry)
        fontSize.add(other.fontSize)
        hidesReferences = hidesReferences || other.hidesReferences
    }

    /// One character per byte, so that no combining character hides punctuation; with uniform line ends.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte == 0x0D ? 0x20 : byte)) }
        return String(text)
    }

    /// The id without white space, which may surround it and occur in it in several ways.
    static func id(_ text: some StringProtocol) -> String { String(text.filter { !$0.isWhitespace }) }

    /// With characters in place of XML's own entities.
    static func withCharacters(_ text: String) -> String {
        entities.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    /// Whether `name` is one of XML's own entities.
    static func isCharacter(_ name: some StringProtocol) -> Bool { entities.contains { $0.0 == "&\(name);" } }

    private static let entities = [
        ("&quot;", "\""), ("&apos;", "'"), ("&gt;", ">"), ("&lt;", "<"), ("&amp;", "&"),
    ]

    static func withoutComments(_ text: String) -> String {
        var parts = text.split(separator: "/*", omittingEmptySubsequences: false)
        let first = parts.removeFirst()
        let rest = parts.map { part in
            part.firstRange(of: "*/").map { String(part[$0.upperBound...]) } ?? ""
        }
        return ([String(first)] + rest).joined(separator: " ")
    }

    /// Splits at semicolons outside of quotes and brackets.
    static func declarations(_ text: String) -> [String] {
        var result = [""]
        var quote: Character?
        var depth = 0
        for character in text {
            if let open = quote {
                if character == open { quote = nil }
            } else if "'\"".contains(character) {
                quote = character
            } else if character == "(" {
                depth += 1
            } else if character == ")" {
                depth -= 1
            } else if character == ";", depth <= 0 {
                result.append("")
                continue
            }
            result[result.count - 1].append(character)
        }
        return result
    }

    /// Whether an apparent comment may in fact be quoted text and what follows it.
    static func hasDoubtfulComments(_ text: String) -> Bool {
        text.split(separator: "/*", omittingEmptySubsequences: false).dropFirst().contains { part in
            guard let end = part.firstRange(of: "*/") else { return true }
            let comment = part[..<end.lowerBound]
            let hasQuotes = comment.contains { "'\"".contains($0) }
            return comment.first { "{}".contains($0) } == "}" || hasQuotes && comment.contains(";")
                || comment.lowercased().contains("url(")
        }
    }

    /// The `#a` of `#a)`, `'#a')` and the like.
    private static func address(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let address = bytes.drop { $0 <= 0x20 }
        let isQuoted = address.first == 0x22 || address.first == 0x27
        let end = isQuoted ? address.first : UInt8(ascii: ")")
        return (isQuoted ? address.dropFirst() : address).prefix { $0 != end }.drop { $0 <= 0x20 }
    }
}
