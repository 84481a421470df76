/// How a picture is turned, enlarged and moved from where it lies in its view: first enlarged, then turned, both around
/// the view's middle, then moved. Nothing is seen of a picture whose transform has a number that is none.
///
/// ```swift
/// let upsideDown = ViewTransform(rotation: .pi)
/// let aside = ViewTransform(scale: 0.5, x: 20)  // half as large, and 20 points to the right
/// ```
public struct ViewTransform: Sendable, Hashable {
    /// Radians, clockwise.
    public var rotation: Double
    /// How many times as large; 1 changes nothing, and negative values mirror both ways.
    public var scale: Double
    /// Points to the right.
    public var x: Double
    /// Points down.
    public var y: Double

    /// A turn by `rotation` radians clockwise, `scale` times as large, and (`x`, `y`) points away.
    public init(rotation: Double = 0, scale: Double = 1, x: Double = 0, y: Double = 0) {
        self.rotation = rotation
        self.scale = scale
        self.x = x
        self.y = y
    }

    /// Changes nothing.
    public static let identity = ViewTransform()

    /// A part of the way to another one: none at 0, all of it at 1, and beyond for others. Each number changes evenly, so
    /// that a turn by more than half a turn is one.
    package func moved(to other: ViewTransform, by progress: Double) -> ViewTransform {
        func mix(_ start: Double, _ end: Double) -> Double { start + (end - start) * progress }
        return ViewTransform(
            rotation: mix(rotation, other.rotation), scale: mix(scale, other.scale), x: mix(x, other.x),
            y: mix(y, other.y))
    }
}
