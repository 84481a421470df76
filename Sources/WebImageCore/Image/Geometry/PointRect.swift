/// A rectangle in points: pixels divided by a view's scale factor, y downwards.
public struct PointRect: Sendable, Equatable {
    /// Points from the left edge.
    public var x: Double
    /// Points from the top edge.
    public var y: Double
    /// The width and the height.
    public var size: PointSize

    /// A rectangle of `size` whose top left corner is (`x`, `y`).
    public init(x: Double, y: Double, size: PointSize) {
        self.x = x
        self.y = y
        self.size = size
    }

    /// A rectangle of `width` × `height` points whose top left corner is (`x`, `y`).
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(x: x, y: y, size: PointSize(width: width, height: height))
    }

    /// Points from the left edge to the rectangle's right side.
    package var maxX: Double { x + size.width }
    /// Points from the top edge to the rectangle's lower side.
    package var maxY: Double { y + size.height }

    /// The common part with `other`; nil when there is none.
    package func intersection(_ other: PointRect) -> PointRect? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let size = PointSize(width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - top)
        return size.isEmpty ? nil : PointRect(x: left, y: top, size: size)
    }

    /// The smallest rectangle around both.
    package func union(_ other: PointRect) -> PointRect {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return PointRect(
            x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }

    /// Whether `other` lies within this rectangle, edges included.
    package func contains(_ other: PointRect) -> Bool {
        // Allows half a point, because the two may be rounded separately.
        other.x >= x - 0.5 && other.y >= y - 0.5 && other.maxX <= maxX + 0.5 && other.maxY <= maxY + 0.5
    }
}
