/// The font sizes of a document's texts, inherited ones included, as an upper bound.
struct SVGTextSize {
    /// At this size in pixels, a font may have lines of twenty times its size before librsvg 2.54 ends the program.
    static let limit = 100_000.0

    /// Larger than CSS's `xxx-large`.
    private static let initial = 48.0
    private static let texts: Set = ["text", "tspan", "textPath", "tref"]

    private let fonts: [SVGFontSize]
    private var inherited: [Double]

    private init(_ markup: SVGMarkup, styles: [SVGStyle]) {
        fonts = styles.map { markup.fontSize(of: $0) }
        let initial = markup.entityFontSize.resolved(inheriting: Self.initial)
        inherited = Array(repeating: initial, count: fonts.count)
    }

    /// The largest size of a text in pixels: infinite where it is hidden, or grows in a circle of references; 0 without
    /// text.
    static func largest(in markup: SVGMarkup, _ references: [SVGReferences], styles: [SVGStyle]) -> Double {
        let texts = markup.elements.indices.filter { Self.texts.contains(markup.elements[$0].tag.name) }
        guard !texts.isEmpty else { return 0 }
        var sizes = SVGTextSize(markup, styles: styles)
        for _ in 0...SVGWork.maximumReferenceDepth where sizes.passOn(markup.elements, references) {
            return texts.reduce(0) { max($0, sizes.size(of: $1)) }
        }
        return .infinity
    }

    private func size(of index: Int) -> Double { fonts[index].resolved(inheriting: inherited[index]) }

    /// Elements inherit from their parents and from those that refer to them.
    ///
    /// - Returns: Whether all have got what they inherit.
    private mutating func passOn(_ elements: [SVGMarkup.Element], _ references: [SVGReferences]) -> Bool {
        var isDone = true
        for (index, element) in elements.enumerated() {
            if let parent = element.parent { inherited[index] = max(inherited[index], size(of: parent)) }
            let size = size(of: index)
            for reference in references[index].all where inherited[reference] < size {
                inherited[reference] = size
                // Others come later in this pass.
                if reference <= index { isDone = false }
            }
        }
        return isDone
    }
}
