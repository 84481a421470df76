import WebImageCore

/// Distances from the four edges of a picture, in points.
public struct EdgeInsets: Sendable, Hashable {
    /// From the top edge.
    public var top: Double
    /// From the left edge.
    public var left: Double
    /// From the bottom edge.
    public var bottom: Double
    /// From the right edge.
    public var right: Double

    /// Four distances.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }

    /// The same distance from all edges.
    public init(all distance: Double) { self.init(top: distance, left: distance, bottom: distance, right: distance) }

    var numbers: [Double] { [top, left, bottom, right] }

    /// The picture with a margin, and where the picture lies in it. Nil when a width is negative, infinite or NaN, or the
    /// whole has more pixels than the default ``ImageLimits/maximumPixelCount``.
    func canvas(around picture: PixelSize, scale: Double) -> (size: PixelSize, x: Int, y: Int)? {
        guard numbers.allSatisfy({ $0 >= 0 && $0 * scale < 0x1p31 }) else { return nil }
        let widths = numbers.map { Int(($0 * scale).rounded()) }
        let canvas = PixelSize(
            width: picture.width + widths[1] + widths[3], height: picture.height + widths[0] + widths[2])
        return canvas.area <= ImageLimits().maximumPixelCount ? (canvas, widths[1], widths[0]) : nil
    }
}
