/// What the tiles of patterns take where an element is drawn, and what of the element decides that. Areas are in squares of
/// the coordinates that it stands in: what is around it scales them.
struct SVGTiles {
    /// Of tiles that are there at the same time, at most.
    private(set) var held = 0.0
    /// Of all tiles, as often as they are drawn.
    private(set) var passed = 0.0
    /// Of the box around one shape, at most.
    private(set) var boxArea = 0.0
    /// Of the square on the longer side of a box, at most.
    private(set) var boxSide = 0.0
    private(set) var boxAreaSum = 0.0
    /// Of the coordinates' unit where a shape stands, at most; 0 without any shape.
    private(set) var leafScale = 0.0
    private(set) var leafScaleSum = 0.0
    /// Of all letters, in a row.
    private(set) var textSide = 0.0
    /// Whether a filter takes what the element is painted with.
    private(set) var takesPaint = false

    init() {}

    /// Adds what is drawn within the element.
    ///
    /// - Parameter norm: How much longer a line becomes.
    mutating func add(_ other: SVGTiles, norm: Double) {
        let scale = norm.times(norm)
        held = max(held, other.held.times(scale))
        passed += other.passed.times(scale)
        boxArea = max(boxArea, other.boxArea.times(scale))
        boxSide = max(boxSide, other.boxSide.times(scale))
        boxAreaSum += other.boxAreaSum.times(scale)
        leafScale = max(leafScale, other.leafScale.times(scale))
        leafScaleSum += other.leafScaleSum.times(scale)
        textSide += other.textSide
        takesPaint = takesPaint || other.takesPaint
    }

    /// Adds the element itself, when it is a shape.
    mutating func add(width: Double, height: Double) {
        let side = max(width, height)
        boxArea = max(boxArea, width.times(height))
        boxSide = max(boxSide, side.times(side))
        boxAreaSum += width.times(height)
        leafScale = max(leafScale, 1)
        leafScaleSum += 1
    }

    /// Adds the letters of the element, when it is a text, to those of the texts within it.
    mutating func add(textSide side: Double) {
        textSide += side
        add(width: textSide, height: textSide)
    }

    mutating func addFilter(takesPaint: Bool) {
        guard takesPaint else { return }
        // Of the box around all that is filtered, which nobody adds up here.
        add(width: .infinity, height: .infinity)
    }

    mutating func noteThatItTakesPaint() { takesPaint = true }

    mutating func add(_ tiles: (held: Double, passed: Double)) {
        held += tiles.held
        passed += tiles.passed
    }
}
