/// The heights of a document's texts, as upper bounds: the font sizes, inherited ones included, times the lines and all that
/// enlarges them.
struct SVGTextSize {
    /// At this height in pixels, a font may have lines of twenty times its size before librsvg 2.54 ends the program.
    static let limit = 100_000.0

    /// Larger than CSS's `xxx-large`.
    private static let initial = 48.0
    /// The elements whose letters are drawn. Those of links are, too, within these.
    static let texts: Set = ["text", "tspan", "textPath", "tref"]

    private let fonts: [SVGFontSize]
    private var inherited: [Double]
    /// The factors by which the letters of all elements grow, at least 1.
    private var scales: [Double]
    private let drawing: SVGDrawing

    private init(_ markup: SVGMarkup, styles: [SVGStyle], _ drawing: SVGDrawing) {
        fonts = styles.map { markup.fontSize(of: $0) }
        let initial = markup.entityFontSize.resolved(inheriting: Self.initial)
        inherited = Array(repeating: initial, count: fonts.count)
        scales = Array(repeating: 1, count: fonts.count)
        scales[0] = max(1, drawing.rootTextNorm)
        self.drawing = drawing
    }

    /// The height of the highest text in pixels, all of its lines together: infinite where its size is hidden, or grows in
    /// a circle of references; 0 without text.
    static func largest(
        in markup: SVGMarkup, _ references: [SVGReferences], styles: [SVGStyle], _ drawing: SVGDrawing
    ) -> Double {
        let texts = indices(in: markup.elements)
        guard !texts.isEmpty else { return 0 }
        var sizes = SVGTextSize(markup, styles: styles, drawing)
        for _ in 0...SVGWork.maximumReferenceDepth where sizes.passOn(markup.elements, references) {
            return texts.reduce(0) { largest, index in
                max(largest, sizes.size(of: index).times(markup.elements[index].lineCount).times(sizes.scales[index]))
            }
        }
        return .infinity
    }

    /// The indices of the elements whose letters are drawn.
    private static func indices(in elements: [SVGMarkup.Element]) -> [Int] {
        var isText = [Bool](repeating: false, count: elements.count)
        for (index, element) in elements.enumerated() {
            let isLink = element.tag.name == "a" && element.parent.map { isText[$0] } ?? false
            isText[index] = isLink || texts.contains(element.tag.name)
        }
        return elements.indices.filter { isText[$0] }
    }

    private func size(of index: Int) -> Double { fonts[index].resolved(inheriting: inherited[index]) }

    /// Elements inherit from their parents and from those that refer to them.
    ///
    /// - Returns: Whether all have got what they inherit.
    private mutating func passOn(_ elements: [SVGMarkup.Element], _ references: [SVGReferences]) -> Bool {
        var isDone = true
        for (index, element) in elements.enumerated() {
            if let parent = element.parent { _ = passOn(from: parent, to: index, elements) }
            for reference in references[index].all {
                let isNew = passOn(from: index, to: reference, elements)
                // Others come later in this pass.
                if isNew, reference <= index { isDone = false }
            }
        }
        return isDone
    }

    /// - Returns: Whether `index` has got more than before.
    private mutating func passOn(from user: Int, to index: Int, _ elements: [SVGMarkup.Element]) -> Bool {
        let former = (inherited[index], scales[index])
        inherited[index] = max(inherited[index], size(of: user))
        // What is drawn only where it is referenced is not enlarged by the elements around it.
        if elements[index].parent != user || !SVGDrawing.hidden.contains(elements[index].tag.name) {
            let scale = scales[user].times(drawing.textNorm(of: index, in: user))
            // Not ">": NaN counts as too much.
            if !(scale <= scales[index]) { scales[index] = scale.isNaN ? .infinity : scale }
        }
        return former != (inherited[index], scales[index])
    }
}
