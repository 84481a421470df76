/// The references of a document's elements, as indices.
struct SVGReferences {
    /// Used by the element itself only.
    private(set) var own: [Int]
    /// Drawn for each element within it.
    private(set) var inherited: [Int]
    /// Drawn at each point within it.
    private(set) var markers: [Int]
    let effectCount: Double

    var all: [Int] { own + inherited + markers }

    /// Elements whose content is drawn elsewhere, with paint inherited from their own ancestors.
    private static let containers: Set = ["pattern", "marker", "mask", "clipPath"]
    /// More than any document made by a person has.
    private static let maximumCount = 1_000_000

    /// - Returns: nil for too many references.
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

    /// - Returns: Whether the number of references stayed within the limit.
    private static func inherit(_ markup: SVGMarkup, _ references: inout [SVGReferences]) -> Bool {
        let written = references
        var count = 0
        for (index, element) in markup.elements.enumerated() {
            var sources: [Int] = []
            if containers.contains(element.tag.name) { sources = [index] }
            // The element that it shows inherits paint from that element's own ancestors.
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
