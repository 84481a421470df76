import WebImage

/// What an element says of its size and of the coordinates that it is drawn in, as far as the tiles of patterns depend on it.
struct SVGGeometry {
    /// The largest of what is said of each, by attributes and by styles.
    private(set) var lengths: [String: SVGLength] = [:]
    /// Where the letters of a text stand, all together.
    private(set) var textReach = SVGLength()
    private(set) var transform: SVGTransform?
    private(set) var viewBox: (width: Double, height: Double)?
    /// Which of its units are the box around what it is for.
    private(set) var isOfBox: [String: Bool] = [:]
    /// The sides of the box around a path.
    private(set) var pathSize: (width: Double, height: Double)?
    /// Whether an entity or an escape may hide any of it.
    var isUnknown = false
    /// Whether it asks for what an element is painted with, as a whole surface.
    private(set) var takesPaint = false

    private static let names: Set = [
        "width", "height", "r", "rx", "ry", "x1", "x2", "y1", "y2", "markerWidth", "markerHeight", "stroke-width",
        "font-size", "letter-spacing", "word-spacing", "font",
    ]
    private static let units: Set = [
        "patternUnits", "patternContentUnits", "maskContentUnits", "clipPathUnits",
    ]

    /// All that it may stand in.
    static let attributes: Set = names.union(units).union([
        "transform", "patternTransform", "viewBox", "d", "points", "x", "y", "dx", "dy", "in", "in2",
    ])

    /// Whether it says nothing, as most styles do.
    var isEmpty: Bool { lengths.isEmpty && transform == nil && !isUnknown }

    mutating func readAttribute(_ name: String, _ value: Slice<UnsafeRawBufferPointer>) {
        switch name {
        case "transform", "patternTransform": addTransform(SVGTransform(value))
        case "viewBox":
            isUnknown = isUnknown || value.contains(UInt8(ascii: "&"))
            var numbers = SVGNumbers(value)
            let sides = (0..<4).map { _ in numbers.next() }
            // One that cannot be read may be any.
            viewBox = (sides[2] ?? .leastNonzeroMagnitude, sides[3] ?? .leastNonzeroMagnitude)
        case "d": pathSize = SVGPathBounds(path: value).size
        case "points": pathSize = SVGPathBounds(points: value).size
        case "x", "y", "dx", "dy": addPlaces(value)
        case "in", "in2": takesPaint = takesPaint || value.contains("Paint".utf8)
        default:
            if Self.units.contains(name) {
                isOfBox[name] = value.contains("objectBoundingBox".utf8)
                isUnknown = isUnknown || value.contains(UInt8(ascii: "&"))
            }
            addStyle(name, value)
        }
    }

    mutating func addStyle(_ name: String, _ value: some Collection<UInt8>) {
        if name == "transform" { return addTransform(SVGTransform(value)) }
        guard Self.names.contains(name) else { return }
        // Of the shorthand, only the size is a number with a unit; the weight before it is taken for one too.
        let words = name == "font" ? value.split { $0 <= 0x20 || $0 == UInt8(ascii: "/") } : []
        let read = words.isEmpty ? SVGLength(value) : words.map { SVGLength($0) }.reduce(SVGLength()) { $0.union($1) }
        let key = name == "font" ? "font-size" : name
        lengths[key] = (lengths[key] ?? SVGLength()).union(read)
    }

    /// Adds what styles say; of those in sheets nobody knows whether they are for this element.
    mutating func add(_ style: SVGGeometry) {
        isUnknown = isUnknown || style.isUnknown
        for (name, length) in style.lengths { lengths[name] = (lengths[name] ?? SVGLength()).union(length) }
        if let other = style.transform { transform = (transform ?? .none).union(other) }
    }

    private mutating func addTransform(_ other: SVGTransform) { transform = transform?.union(other) ?? other }

    private mutating func addPlaces(_ value: Slice<UnsafeRawBufferPointer>) {
        for place in value.split(whereSeparator: { $0 <= 0x20 || $0 == UInt8(ascii: ",") }) {
            textReach = textReach + SVGLength(place)
        }
    }
}
