/// The edges of a page or of its picture, in device pixels.
struct PageEdges {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double

    init(_ rect: PointRect) { (left, top, right, bottom) = (rect.x, rect.y, rect.maxX, rect.maxY) }

    /// The edges of a picture on a page; those that are the page's own are out of reach, because only one of the two is
    /// smoothed.
    init(of picture: PointRect, on page: PointRect) {
        let (slack, away) = (1e-3, 1e9)
        left = picture.x <= page.x + slack ? -away : picture.x
        top = picture.y <= page.y + slack ? -away : picture.y
        right = picture.maxX >= page.maxX - slack ? away : picture.maxX
        bottom = picture.maxY >= page.maxY - slack ? away : picture.maxY
    }

    /// The share of a pixel that shows what is within the edges.
    ///
    /// - Parameters:
    ///   - x: The point of the page in the pixel's middle.
    ///   - y: Its vertical position.
    ///   - width: The page's length that a pixel shows, horizontally.
    ///   - height: The same vertically.
    @inline(__always)
    func share(x: Double, y: Double, width: Double, height: Double) -> Double {
        let across = min(x - left, right - x) / width
        let down = min(y - top, bottom - y) / height
        return min(1, max(0, min(across, down) + 0.5))
    }
}

/// The share of the pixel from `start` to `start` + 1 that lies in an interval.
@inline(__always)
func share(ofPixel start: Int, in interval: Extent) -> Double {
    max(0, min(Double(start + 1), interval.end) - max(Double(start), interval.start))
}
