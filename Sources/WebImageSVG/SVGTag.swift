/// What matters of an element's tag for the work that it makes.
struct SVGTag {
    /// `<g/>`, without content.
    let isEmpty: Bool
    private(set) var id: String?
    /// The elements that it refers to, by their ids.
    private(set) var references: [String] = []
    /// Passes over all pixels that it takes: filters, masks, groups with an opacity; 0 for most elements.
    private(set) var effectCount = 0.0
    /// Passes for each pixel that a length in the document becomes.
    private(set) var effectCountPerPixel = 0.0
    /// Numbers in a filter that librsvg 2.54 ends the process or never comes back for.
    private(set) var isImpossible = false
    /// Whether a reference is written as an entity.
    private(set) var hidesReferences = false

    private static let effects: Set = ["filter", "mask", "clip-path", "opacity", "mix-blend-mode"]
    private static let maximumOctaveCount = 32.0
    /// librsvg reads a thousand numbers of a list.
    private static let maximumKernelSize = 1000.0
    /// Passes for each pixel of a radius, as long as measured.
    private static let passesPerRadius = 8.0

    /// - Parameter bytes: What stands between `<` and `>`.
    init(_ bytes: Slice<UnsafeRawBufferPointer>) {
        isEmpty = bytes.last == UInt8(ascii: "/")
        let isPrimitive = bytes.starts(with: "fe".utf8)
        var rest = bytes.drop { !Self.isSpace($0) }
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            let name = Self.text(rest[rest.startIndex..<equals])
            let quoted = rest[(equals + 1)...].drop(while: Self.isSpace)
            guard let quote = quoted.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { break }
            let value = quoted.dropFirst().prefix { $0 != quote }
            read(name, value)
            if isPrimitive { readNumbers(name, value) }
            rest = rest[min(value.endIndex + 1, rest.endIndex)...]
        }
    }

    private mutating func read(_ name: String, _ value: Slice<UnsafeRawBufferPointer>) {
        switch name {
        case "id": id = Self.text(value)
        case "href", "xlink:href":
            if value.first == UInt8(ascii: "#") { references.append(Self.text(value.dropFirst())) }
            hidesReferences = hidesReferences || value.first == UInt8(ascii: "&")
        default:
            // Functions in attributes and in a style: url(#a), url('#a').
            guard value.count < 1 << 16, value.contains(UInt8(ascii: "(")) || name == "style" else { break }
            readFunctions(Self.text(value))
        }
        if Self.effects.contains(name) { effectCount += 1 }
    }

    private mutating func readFunctions(_ text: String) {
        for part in text.split(separator: "url(", omittingEmptySubsequences: false).dropFirst() {
            let address = part.prefix { $0 != ")" }.drop { " '\"".contains($0) }
            hidesReferences = hidesReferences || address.first == "&"
            guard address.first == "#" else { continue }
            references.append(String(address.dropFirst().prefix { !" '\"".contains($0) }))
        }
        for property in text.split(separator: ";") {
            let name = property.split(separator: ":").first.map { $0.filter { $0 != " " } } ?? ""
            if Self.effects.contains(name) { effectCount += 1 }
        }
    }

    private mutating func readNumbers(_ name: String, _ value: Slice<UnsafeRawBufferPointer>) {
        let numbers = Self.text(value).split { " ,\t\r\n".contains($0) }.prefix(2).map { Double($0) ?? .infinity }
        guard let first = numbers.first else { return }
        switch name {
        case "numOctaves":
            isImpossible = isImpossible || first > Self.maximumOctaveCount
            effectCount += min(first, Self.maximumOctaveCount)
        case "order":
            let size = first * (numbers.last ?? first)
            isImpossible = isImpossible || size > Self.maximumKernelSize
            effectCount += min(size, Self.maximumKernelSize)
        case "radius": effectCountPerPixel += max(first, numbers.last ?? first) * Self.passesPerRadius
        default: break
        }
    }

    /// Without white space around it.
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        var words = bytes.drop(while: isSpace)
        while let last = words.last, isSpace(last) { words = words.dropLast() }
        return String(decoding: words, as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
