/// The cost of pattern tiles within an element, and the properties that determine it. Areas are in square units of the
/// element's coordinates; its ancestors scale them.
struct SVGTiles {
    /// The maximum area of tiles held at the same time.
    private(set) var held = 0.0
    /// The area of all tiles, with repetitions.
    private(set) var passed = 0.0
    /// The maximum area of a shape's bounding box.
    private(set) var boxArea = 0.0
    /// The maximum area of the square over the longer side of a bounding box.
    private(set) var boxSide = 0.0
    private(set) var boxAreaSum = 0.0
    /// The maximum area of the unit square of a shape's coordinates; 0 without any shape.
    private(set) var leafScale = 0.0
    private(set) var leafScaleSum = 0.0
    /// The length of all letters in a row.
    private(set) var textSide = 0.0
    /// Whether a filter uses the element's paint.
    private(set) var takesPaint = false

    init() {}

    /// Adds the content of the element.
    ///
    /// - Parameter norm: The maximum factor by which lines grow.
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

    /// Adds the element itself, if it is a shape.
    mutating func add(width: Double, height: Double) {
        let side = max(width, height)
        boxArea = max(boxArea, width.times(height))
        boxSide = max(boxSide, side.times(side))
        boxAreaSum += width.times(height)
        leafScale = max(leafScale, 1)
        leafScaleSum += 1
    }

    /// Adds the letters of a text to those of the texts within it.
    mutating func add(textSide side: Double) {
        textSide += side
        add(width: textSide, height: textSide)
    }

    mutating func addFilter(takesPaint: Bool) {
        guard takesPaint else { return }
        // The bounding box of all filtered content is not computed here.
        add(width: .infinity, height: .infinity)
    }

    mutating func noteThatItTakesPaint() { takesPaint = true }

    mutating func add(_ tiles: (held: Double, passed: Double)) {
        held += tiles.held
        passed += tiles.passed
    }
}
