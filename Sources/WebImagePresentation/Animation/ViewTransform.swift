/// The transform of a picture in its view: scaled, then rotated, both around the view's centre, then translated. With a
/// NaN or infinite number the picture is invisible.
///
/// ```swift
/// let upsideDown = ViewTransform(rotation: .pi)
/// let aside = ViewTransform(scale: 0.5, x: 20)  // half as large, and 20 points to the right
/// ```
public struct ViewTransform: Sendable, Equatable {
    /// Radians, clockwise.
    public var rotation: Double
    /// The scale factor; 1 changes nothing, and negative values mirror along both axes.
    public var scale: Double
    /// Points to the right.
    public var x: Double
    /// Points down.
    public var y: Double

    /// A clockwise rotation by `rotation` radians, a scale, and a translation by (`x`, `y`) points.
    public init(rotation: Double = 0, scale: Double = 1, x: Double = 0, y: Double = 0) {
        self.rotation = rotation
        self.scale = scale
        self.x = x
        self.y = y
    }

    /// No change.
    public static let identity = ViewTransform()

    /// The interpolation to another transform: none at 0, all of it at 1, and beyond for other values. Each number is
    /// interpolated linearly, so that a rotation by more than half a turn keeps its direction.
    package func moved(to other: ViewTransform, by progress: Double) -> ViewTransform {
        func mix(_ start: Double, _ end: Double) -> Double { start + (end - start) * progress }
        return ViewTransform(
            rotation: mix(rotation, other.rotation), scale: mix(scale, other.scale), x: mix(x, other.x),
            y: mix(y, other.y))
    }
}
