/// What the elements of a document refer to, by their places in it.
struct SVGReferences {
    /// For the element itself alone.
    private(set) var own: [Int]
    /// Drawn for each element within it.
    private(set) var inherited: [Int]
    /// Drawn at each point within it.
    private(set) var markers: [Int]
    let effectCount: Double

    var all: [Int] { own + inherited + markers }

    /// What is drawn elsewhere than it stands, but painted as where it stands.
    private static let containers: Set = ["pattern", "marker", "mask", "clipPath"]
    /// More would be no document by people.
    private static let maximumCount = 1_000_000

    /// - Returns: nil for more than anybody looks at.
    static func all(in markup: SVGMarkup, styles: [SVGStyle]) -> [SVGReferences]? {
        var places: [String: Int] = [:]
        for (index, element) in markup.elements.enumerated() {
            if let id = element.tag.id, places[id] == nil { places[id] = index }
        }
        var references = styles.map { style in
            SVGReferences(
                own: style.references.compactMap { places[$0] },
                inherited: style.inherited.compactMap { places[$0] },
                markers: style.markers.compactMap { places[$0] }, effectCount: style.effectCount)
        }
        return inherit(markup, &references) ? references : nil
    }

    /// - Returns: Whether that was done, and not too much of it.
    private static func inherit(_ markup: SVGMarkup, _ references: inout [SVGReferences]) -> Bool {
        let written = references
        var count = 0
        for (index, element) in markup.elements.enumerated() {
            var sources: [Int] = []
            if containers.contains(element.tag.name) { sources = [index] }
            // What it shows is painted as where that stands.
            if element.tag.name == "feImage" { sources = written[index].own }
            for source in sources {
                var ancestor = markup.elements[source].parent
                while let place = ancestor {
                    count += 1 + written[place].inherited.count + written[place].markers.count
                    guard count < maximumCount else { return false }
                    references[index].add(paints: written[place])
                    ancestor = markup.elements[place].parent
                }
            }
        }
        return true
    }

    private mutating func add(paints other: SVGReferences) {
        inherited += other.inherited.filter { !inherited.contains($0) }
        markers += other.markers.filter { !markers.contains($0) }
    }
}
