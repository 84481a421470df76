import WebImage

/// The size and coordinates of an element, as far as the cost of pattern tiles depends on them.
struct SVGGeometry {
    /// The maximum of each length over attributes and styles.
    private(set) var lengths: [String: SVGLength] = [:]
    /// The sum of the offsets of a text's letters.
    private(set) var textReach = SVGLength()
    private(set) var transform: SVGTransform?
    private(set) var viewBox: (width: Double, height: Double)?
    /// Which of its units are `objectBoundingBox`.
    private(set) var isOfBox: [String: Bool] = [:]
    /// The sides of a path's bounding box.
    private(set) var pathSize: (width: Double, height: Double)?
    /// Whether an entity or an escape may hide any of these.
    var isUnknown = false
    /// Whether a filter primitive uses the element's paint as a surface.
    private(set) var takesPaint = false

    private static let names: Set = [
        "width", "height", "r", "rx", "ry", "x1", "x2", "y1", "y2", "markerWidth", "markerHeight", "stroke-width",
        "font-size", "letter-spacing", "word-spacing", "font",
    ]
    private static let units: Set = [
        "patternUnits", "patternContentUnits", "maskContentUnits", "clipPathUnits",
    ]

    /// All attributes that it depends on.
    static let attributes: Set = names.union(units).union([
        "transform", "patternTransform", "viewBox", "d", "points", "x", "y", "dx", "dy", "in", "in2",
    ])

    /// Whether it is empty, as for most styles.
    var isEmpty: Bool { lengths.isEmpty && transform == nil && !isUnknown }

    mutating func readAttribute(_ name: String, _ value: Slice<UnsafeRawBufferPointer>) {
        switch name {
        case "transform", "patternTransform": addTransform(SVGTransform(value))
        case "viewBox":
            isUnknown = isUnknown || value.contains(UInt8(ascii: "&"))
            var numbers = SVGNumbers(value)
            let sides = (0..<4).map { _ in numbers.next() }
            // An unreadable number may be any number.
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
        // In the `font` shorthand, only the size has a unit; the weight before it is read as a size, too.
        let words = name == "font" ? value.split { $0 <= 0x20 || $0 == UInt8(ascii: "/") } : []
        let read = words.isEmpty ? SVGLength(value) : words.map { SVGLength($0) }.reduce(SVGLength()) { $0.union($1) }
        let key = name == "font" ? "font-size" : name
        lengths[key] = (lengths[key] ?? SVGLength()).union(read)
    }

    /// Adds the values of styles; whether a rule is for this element is not known.
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
