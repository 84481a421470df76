/// A width and a height in points: pixels divided by a picture's ``Image/scale``.
public struct PointSize: Sendable, Hashable {
    /// Points from left to right.
    public var width: Double
    /// Points from top to bottom.
    public var height: Double

    /// A size of `width` × `height` points.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// True when nothing of this size could be seen, as of a side that is no number.
    public var isEmpty: Bool { !(width > 0 && height > 0) }
}
