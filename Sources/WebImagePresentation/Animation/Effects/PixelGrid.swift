import WebImageCore

/// The device pixels of a view. Adjacent parts of a picture must meet at a pixel's edge: anywhere else, a renderer
/// blends both parts with what is behind them, which makes a seam visible.
package struct PixelGrid {
    private let pixelsPerPoint: Double

    /// - Parameter scale: Device pixels per point; an invalid value counts as 1.
    package init(scale: Double) { pixelsPerPoint = scale.isFinite && scale > 0 ? scale : 1 }

    /// The nearest edge of a device pixel.
    package func snap(_ points: Double) -> Double { (points * pixelsPerPoint).rounded() / pixelsPerPoint }

    /// The smallest rectangle of whole device pixels around `rect`.
    package func outset(_ rect: PointRect) -> PointRect {
        let (left, top) = (floor(rect.x), floor(rect.y))
        return PointRect(x: left, y: top, width: ceil(rect.maxX) - left, height: ceil(rect.maxY) - top)
    }

    /// The largest rectangle of whole device pixels within `rect`; nil for none.
    package func inset(_ rect: PointRect) -> PointRect? {
        let (left, top) = (ceil(rect.x), ceil(rect.y))
        let size = PointSize(width: floor(rect.maxX) - left, height: floor(rect.maxY) - top)
        return size.isEmpty ? nil : PointRect(x: left, y: top, size: size)
    }

    private func floor(_ points: Double) -> Double { (points * pixelsPerPoint).rounded(.down) / pixelsPerPoint }
    private func ceil(_ points: Double) -> Double { (points * pixelsPerPoint).rounded(.up) / pixelsPerPoint }
}
