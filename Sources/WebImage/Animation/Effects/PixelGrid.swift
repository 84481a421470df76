/// The device pixels of a view. Parts of a picture that meet must do so at one of their edges: anywhere else, a renderer
/// blends the two parts with what lies behind them, and a seam is seen.
struct PixelGrid {
    private let pixelsPerPoint: Double

    /// - Parameter scale: Device pixels per point; what cannot be one counts as 1.
    init(scale: Double) { pixelsPerPoint = scale.isFinite && scale > 0 ? scale : 1 }

    /// One device pixel, in points.
    var pixel: Double { 1 / pixelsPerPoint }

    /// The edge of a device pixel that lies nearest.
    func snap(_ points: Double) -> Double { (points * pixelsPerPoint).rounded() / pixelsPerPoint }

    /// The smallest rectangle of whole device pixels around `rect`.
    func outset(_ rect: PointRect) -> PointRect {
        let (left, top) = (floor(rect.x), floor(rect.y))
        return PointRect(x: left, y: top, width: ceil(rect.maxX) - left, height: ceil(rect.maxY) - top)
    }

    private func floor(_ points: Double) -> Double { (points * pixelsPerPoint).rounded(.down) / pixelsPerPoint }
    private func ceil(_ points: Double) -> Double { (points * pixelsPerPoint).rounded(.up) / pixelsPerPoint }
}
