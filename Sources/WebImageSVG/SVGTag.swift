import WebImage

/// The parts of an element's tag that determine its cost.
struct SVGTag {
    /// `<g/>`, without content.
    let isEmpty: Bool
    /// Without the namespace prefix, which may be any.
    let name: String
    private(set) var id: String?
    private(set) var classes: [String] = []
    /// The references and the cost of its attributes.
    private(set) var style = SVGStyle()
    /// The maximum number of a path's points.
    private(set) var pointCount = 1.0
    /// Passes over all pixels for each pixel that a unit of the document is enlarged to.
    private(set) var effectCountPerPixel = 0.0
    /// The sizes and transformations in its attributes, styles excluded.
    private(set) var geometry = SVGGeometry()
    /// Whether a filter has numbers on which librsvg 2.54 crashes or hangs.
    private(set) var isImpossible = false
    /// The pictures in its `data:` URLs.
    private(set) var pictures: [SVGPicture] = []
    /// `data:` URLs that have something else, or stand where no picture belongs.
    private(set) var omissions: [SVGOmission] = []
    /// Whether a name or a reference is written by an entity, which this look does not resolve.
    private(set) var hidesReferences = false

    /// Elements whose address is a picture.
    private static let showing: Set = ["image", "feImage"]
    /// Elements whose address is not loaded.
    private static let leading: Set = ["a", "script"]
    /// Attributes that may refer to elements.
    private static let referring: Set = [
        "fill", "stroke", "filter", "mask", "clip-path", "marker", "marker-start", "marker-mid", "marker-end",
    ]

    private static let maximumOctaveCount = 32.0
    /// The number of elements of a list that librsvg reads.
    private static let maximumKernelSize = 1000.0
    /// With as many numbers librsvg 2.54 takes a kernel for one of no numbers, and ends the program.
    private static let maximumKernelCount = 400
    /// Passes for each pixel of a radius, as measured.
    private static let passesPerRadius = 8.0

    /// - Parameter bytes: The text between `<` and `>`.
    init(_ bytes: Slice<UnsafeRawBufferPointer>) {
        isEmpty = bytes.last == UInt8(ascii: "/")
        name = Self.localName(bytes.prefix { !Self.isSpace($0) && $0 != UInt8(ascii: "/") })
        let isPrimitive = name.hasPrefix("fe")
        var rest = bytes.drop { !Self.isSpace($0) }
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            let name = Self.localName(rest[rest.startIndex..<equals])
            let quoted = rest[(equals + 1)...].drop(while: Self.isSpace)
            guard let quote = quoted.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
            else { break }
            let value = quoted.dropFirst().prefix { $0 != quote }
            read(name, value)
            geometry.readAttribute(name, value)
            if name == "font-size" { style.fontSize.readAttribute(Self.text(value)) }
            if isPrimitive { readNumbers(name, value) }
            rest = rest[min(value.endIndex + 1, rest.endIndex)...]
        }
    }

    private mutating func read(_ name: String, _ value: Slice<UnsafeRawBufferPointer>) {
        switch name {
        case "id":
            id = SVGStyle.id(Self.text(value))
            hidesReferences = hidesReferences || value.contains(UInt8(ascii: "&"))
        case "class":
            classes = Self.text(value).split(whereSeparator: \.isWhitespace).map(String.init)
            hidesReferences = hidesReferences || value.contains(UInt8(ascii: "&"))
        case "href": readAddress(value)
        case "style": readStyle(value)
        case "d", "points": pointCount += Double(value.count / 2)
        default:
            let mayRefer = Self.referring.contains(name) && value.contains(UInt8(ascii: "&"))
            if mayRefer || value.contains(UInt8(ascii: "(")) { readStyle(value, of: name) }
            if SVGStyle.effects.contains(name) { style.effectCount += 1 }
        }
    }

    private mutating func readAddress(_ value: Slice<UnsafeRawBufferPointer>) {
        switch SVGAddress(value) {
        case .elsewhere: readReference(Self.text(value))
        case .hidden where Self.showing.contains(name): omissions.append(SVGOmission(value, of: name))
        case .hidden: hidesReferences = true
        case .data where Self.leading.contains(name): break
        case .data:
            if Self.showing.contains(name), let picture = SVGPicture(value) {
                pictures.append(picture)
            } else {
                omissions.append(SVGOmission(value, of: name))
            }
        }
    }

    private mutating func readReference(_ address: String) {
        if address.first == "#" { style.addReference(address.dropFirst(), of: "href") }
        // In the address of another file, `&amp;` does not matter.
        hidesReferences =
            hidesReferences || "#&".contains(address.first ?? " ") && address.contains("&")
    }

    /// Reads references in attributes and in a style: url(#a), url('#a').
    private mutating func readStyle(
        _ value: Slice<UnsafeRawBufferPointer>, of property: String? = nil
    ) {
        let text = Self.text(value)
        if let property { style.add(text, of: property) } else { style.add(text) }
        guard text.contains("&") else { return }
        hidesReferences = hidesReferences || text.contains("(") || text.contains("&#")
        style.geometry.isUnknown = true
        // Some old writers use entities for styles.
        style.effectCount += 1
    }

    private mutating func readKernel(_ value: Slice<UnsafeRawBufferPointer>) {
        var numbers = SVGNumbers(value)
        var count = 0
        while count < Self.maximumKernelCount, numbers.next() != nil { count += 1 }
        isImpossible = isImpossible || count == Self.maximumKernelCount || value.contains(UInt8(ascii: "&"))
    }

    private mutating func readNumbers(_ name: String, _ value: Slice<UnsafeRawBufferPointer>) {
        if name == "kernelMatrix" { return readKernel(value) }
        let numbers = Self.text(value).split { $0.isWhitespace || $0 == "," }.prefix(2).map(Self.number)
        guard let first = numbers.first, let last = numbers.last else { return }
        switch name {
        case "numOctaves":
            isImpossible = isImpossible || first > Self.maximumOctaveCount
            style.effectCount += min(first, Self.maximumOctaveCount) * SVGFilterCost.octave
        case "order":
            let size = first * last
            isImpossible = isImpossible || size > Self.maximumKernelSize
            style.effectCount += min(size, Self.maximumKernelSize)
        case "radius": effectCountPerPixel += max(first, last) * Self.passesPerRadius
        default: break
        }
    }

    /// An unreadable number may be any; a negative one is 0, so that it does not offset others.
    private static func number(_ text: Substring) -> Double {
        guard let number = Double(text), !number.isNaN else {
            return .greatestFiniteMagnitude.squareRoot()
        }
        return max(0, min(number, .greatestFiniteMagnitude.squareRoot()))
    }

    private static func localName(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let name = text(bytes)
        return name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    /// Without white space around it.
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        var words = bytes.drop(while: isSpace)
        while let last = words.last, isSpace(last) { words = words.dropLast() }
        return SVGStyle.text(words)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
