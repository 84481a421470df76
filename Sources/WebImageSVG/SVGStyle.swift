/// What declarations of CSS, or presentation attributes, make an element refer to and cost.
struct SVGStyle {
    /// The elements that it refers to, by their ids, for itself alone: filters, masks, what a `use` element shows.
    private(set) var references: [String] = []
    /// Those that are drawn for each element within it as well, which inherits them: patterns.
    private(set) var inherited: [String] = []
    /// Those that are drawn at each point of each path within it.
    private(set) var markers: [String] = []
    /// Passes over all pixels that it takes: filters, masks, groups with an opacity; 0 for most elements.
    var effectCount = 0.0
    /// Sizes and transformations.
    var geometry = SVGGeometry()
    /// Whether an escape may hide a reference.
    private(set) var hidesReferences = false

    static let effects: Set = ["filter", "mask", "clip-path", "opacity", "mix-blend-mode"]

    private static let function = Array("url(".utf8)

    var referenceCount: Int { references.count + inherited.count + markers.count }

    /// Reads declarations: those of a style attribute, or of a rule.
    mutating func add(_ text: String) {
        hidesReferences = hidesReferences || Self.hasDoubtfulComments(text)
        for declaration in Self.declarations(Self.withoutComments(text)) {
            let colon = declaration.firstIndex(of: ":")
            let property = colon.map { Self.id(declaration[..<$0]).lowercased() }
            add(declaration, of: property)
            if let property, let colon {
                geometry.addStyle(property, Array(declaration[declaration.index(after: colon)...].utf8))
            }
            if let property, Self.effects.contains(property) { effectCount += 1 }
        }
    }

    /// Reads the value of a property; nil for one that is not known, which may be any.
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
            // An element of another document; fonts, which are not loaded, have no mark in their address.
            hidesReferences = hidesReferences || address.contains(UInt8(ascii: "#"))
        }
    }

    /// Adds what `fragment`, which follows the `#` of an address, refers to.
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
        hidesReferences = hidesReferences || other.hidesReferences
    }

    /// Bytes as a character each, so that nothing combines with a mark of punctuation; lines end in one way.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte == 0x0D ? 0x20 : byte)) }
        return String(text)
    }

    /// The same for all ways in which white space may stand around and in it.
    static func id(_ text: some StringProtocol) -> String { String(text.filter { !$0.isWhitespace }) }

    static func withoutComments(_ text: String) -> String {
        var parts = text.split(separator: "/*", omittingEmptySubsequences: false)
        let first = parts.removeFirst()
        let rest = parts.map { part in
            part.firstRange(of: "*/").map { String(part[$0.upperBound...]) } ?? ""
        }
        return ([String(first)] + rest).joined(separator: " ")
    }

    /// Semicolons in quotes and brackets end nothing.
    private static func declarations(_ text: String) -> [String] {
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

    /// Whether what looks like a comment may be none, but the end of text in quotes and what follows it.
    static func hasDoubtfulComments(_ text: String) -> Bool {
        text.split(separator: "/*", omittingEmptySubsequences: false).dropFirst().contains { part in
            guard let end = part.firstRange(of: "*/") else { return true }
            let comment = part[..<end.lowerBound]
            let hasQuotes = comment.contains { "'\"".contains($0) }
            return comment.first { "{}".contains($0) } == "}" || hasQuotes && comment.contains(";")
                || comment.lowercased().contains("url(")
        }
    }

    /// The `#a` in `#a)`, `'#a')` and the like.
    private static func address(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let address = bytes.drop { $0 <= 0x20 }
        let isQuoted = address.first == 0x22 || address.first == 0x27
        let end = isQuoted ? address.first : UInt8(ascii: ")")
        return (isQuoted ? address.dropFirst() : address).prefix { $0 != end }.drop { $0 <= 0x20 }
    }
}
