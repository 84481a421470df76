/// The size of a pattern's tile, and the scale of the content drawn on it.
struct SVGPattern {
    private var width, height: SVGLength?
    private var isOfBox, contentIsOfBox: Bool?
    private var transform: SVGTransform?
    private let isTurned: Bool
    private var viewBox: (width: Double, height: Double)?

    /// The maximum number of patterns in a chain of references; librsvg follows such chains.
    private static let maximumChainLength = 32

    /// - Parameters:
    ///   - elements: Only attributes size a pattern, styles do not.
    ///   - isTurned: Whether axes may be rotated or skewed.
    ///   - next: The pattern that another one inherits missing attributes from.
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

    /// The pixels held and drawn when all shapes in `painted` are painted with the pattern.
    ///
    /// - Parameters:
    ///   - content: The cost of the tile's content.
    ///   - count: The number of painted elements.
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

    /// Device pixels per unit of the content, without the scale of the surroundings.
    private func scale(of painted: SVGTiles, sides: (Double, Double), isOfBox: Bool) -> Double {
        let own = norm.times(norm)
        // `boxSide` does not know the proportions of a box, which matter under rotation.
        let side = isTurned ? Double.infinity : painted.boxSide
        guard let viewBox else { return own.times(contentIsOfBox ?? false ? side : painted.leafScale) }
        let ratio = SVGDrawing.norm(
            sides.0.over(viewBox.width), sides.1.over(viewBox.height), isTurned: isTurned)
        return own.times(ratio.times(ratio)).times(isOfBox ? side : painted.leafScale)
    }
}
