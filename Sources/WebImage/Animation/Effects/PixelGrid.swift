/// The device pixels of a view. Adjacent parts of a picture must meet at a pixel's edge: anywhere else, a renderer
/// blends both parts with what is behind them, which makes a seam visible.
package struct PixelGrid {
    private let pixelsPerPoint: Double

    /// - Parameter scale: Device pixels per point; an invalid value counts as 1.
    package init(scale: Double) { pixelsPerPoint = scale.isFinite && scale > 0 ? scale : 1 }

    /// One device pixel, in points.
    var pixel: Double { 1 / pixelsPerPoint }

    /// The nearest edge of a device pixel.
    package func snap(_ points: Double) -> Double { (points * pixelsPerPoint).rounded() / pixelsPerPoint }

    /// The positions where a line of `length` points is cut into `count` parts of equal length, rounded to whole device
    /// pixels: a part that is also whole pixels of the picture needs none of its neighbours. The two halves mirror each
    /// other. Parts of short lines may be empty.
    func cut(_ index: Int, of count: Int, length: Double) -> Double {
        guard 2 * index <= count else { return length - cut(count - index, of: count, length: length) }
        return 2 * index == count ? length / 2 : snap(length * Double(index) / Double(count))
    }

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
