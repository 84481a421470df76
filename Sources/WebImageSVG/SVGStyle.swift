/// What declarations of CSS, or presentation attributes, make an element refer to and cost.
struct SVGStyle {
    /// The elements that it refers to, by their ids, for itself alone: filters, masks, what a `use` element shows.
    var references: [String] = []
    /// Those that are drawn for each element within it as well, which inherits them: patterns.
    private(set) var inherited: [String] = []
    /// Those that are drawn at each point of each path within it.
    private(set) var markers: [String] = []
    /// Passes over all pixels that it takes: filters, masks, groups with an opacity; 0 for most elements.
    var effectCount = 0.0
    /// Whether an escape of CSS may hide a reference.
    private(set) var hidesReferences = false

    static let effects: Set = ["filter", "mask", "clip-path", "opacity", "mix-blend-mode"]

    private static let function = Array("url(".utf8)

    /// Reads declarations, or the value of a property. Names of properties and functions may have letters of any case.
    mutating func add(_ text: String, of property: String? = nil) {
        let bytes = Array(text.utf8)
        let names = (property ?? text).lowercased()
        let isMarker = names.contains("marker")
        let isInherited = names.contains("fill") || names.contains("stroke")
        if bytes.contains(UInt8(ascii: "\\")) {
            hidesReferences = hidesReferences || bytes.contains(UInt8(ascii: "("))
            effectCount += 1
        }
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "(")) {
            let name = rest[..<start].suffix(3).map { $0 | 0x20 } + [rest[start]]
            rest = rest[(start + 1)...]
            guard name == Self.function, let id = Self.fragment(rest) else { continue }
            if isMarker {
                markers.append(id)
            } else if isInherited {
                inherited.append(id)
            } else {
                references.append(id)
            }
        }
        guard property == nil else { return }
        for declaration in text.split(separator: ";") {
            let name = declaration.prefix { $0 != ":" }.filter { !$0.isWhitespace }.lowercased()
            if Self.effects.contains(name) { effectCount += 1 }
        }
    }

    var referenceCount: Int { references.count + inherited.count + markers.count }

    mutating func add(_ other: SVGStyle) {
        references += other.references
        inherited += other.inherited
        markers += other.markers
        effectCount += other.effectCount
        hidesReferences = hidesReferences || other.hidesReferences
    }

    /// The id in `#a)`, `'#a')` and the like.
    private static func fragment(_ bytes: ArraySlice<UInt8>) -> String? {
        let address = bytes.drop(while: isAround)
        guard address.first == UInt8(ascii: "#") else { return nil }
        let id = address.dropFirst().prefix { !isAround($0) && $0 != UInt8(ascii: ")") }
        return String(decoding: id, as: UTF8.self)
    }

    private static func isAround(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x22 || byte == 0x27
    }
}
