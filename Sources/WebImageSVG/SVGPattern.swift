/// How large the tile of a pattern is, and how large what is drawn on it becomes.
struct SVGPattern {
    private var width, height: SVGLength?
    private var isOfBox, contentIsOfBox: Bool?
    private var transform: SVGTransform?
    private let isTurned: Bool
    private var viewBox: (width: Double, height: Double)?

    /// Patterns from one to the next, which librsvg follows.
    private static let maximumChainLength = 32

    /// - Parameters:
    ///   - elements: Styles do not size a pattern, only attributes.
    ///   - isTurned: Whether axes may lie otherwise than those of the screen.
    ///   - next: The pattern that another one takes what it does not say from.
    init(_ index: Int, _ elements: [SVGMarkup.Element], isTurned: Bool, next: (Int) -> Int?) {
        self.isTurned = isTurned
        var place: Int? = index
        for _ in 0..<Self.maximumChainLength {
            guard let current = place else { return }
            let geometry = elements[current].tag.geometry
            width = width ?? geometry.lengths["width"]
            height = height ?? geometry.lengths["height"]
            isOfBox = isOfBox ?? geometry.isOfBox["patternUnits"]
            contentIsOfBox = contentIsOfBox ?? geometry.isOfBox["patternContentUnits"]
            transform = transform ?? (geometry.isUnknown ? .unknown : geometry.transform)
            viewBox = viewBox ?? geometry.viewBox
            place = next(current)
        }
    }

    private var norm: Double { SVGDrawing.norm(transform ?? .none, isTurned: isTurned) }

    /// What is held, and what is drawn, when all that `painted` stands for is painted with it.
    ///
    /// - Parameters:
    ///   - content: What is drawn on the tile.
    ///   - count: How many elements are painted.
    func tiles(
        painting painted: SVGTiles, content: SVGTiles, count: Double, length: (SVGLength, Bool) -> Double
    ) -> (held: Double, passed: Double) {
        let isOfBox = isOfBox ?? true
        let sides = (length(width ?? SVGLength(), isOfBox), length(height ?? SVGLength(), isOfBox))
        let area = sides.0.times(sides.1).times(norm.times(norm))
        guard area > 0 else { return (0, 0) }
        let scale = scale(of: painted, sides: sides, isOfBox: isOfBox)
        return (
            area.times(isOfBox ? painted.boxArea : painted.leafScale) + content.held.times(scale),
            area.times(isOfBox ? painted.boxAreaSum : painted.leafScaleSum) + content.passed.times(scale).times(count)
        )
    }

    /// Device pixels for each of the content's own, but for what is above.
    private func scale(of painted: SVGTiles, sides: (Double, Double), isOfBox: Bool) -> Double {
        let own = norm.times(norm)
        // Boxes have no proportions here, which count then.
        let side = isTurned ? Double.infinity : painted.boxSide
        guard let viewBox else { return own.times(contentIsOfBox ?? false ? side : painted.leafScale) }
        let ratio = SVGDrawing.norm(
            sides.0.over(viewBox.width), sides.1.over(viewBox.height), isTurned: isTurned)
        return own.times(ratio.times(ratio)).times(isOfBox ? side : painted.leafScale)
    }
}
