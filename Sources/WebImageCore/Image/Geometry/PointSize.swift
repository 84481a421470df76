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

    /// Whether nothing of this size is visible; also for NaN.
    public var isEmpty: Bool { !(width > 0 && height > 0) }
}
