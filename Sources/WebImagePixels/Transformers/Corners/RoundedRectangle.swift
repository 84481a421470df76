import WebImageCore

/// A rectangle with quarter circles as corners, in pixels from a picture's top left, and the exact area of each pixel
/// within it, so that straight edges on whole pixels are sharp and arcs are smooth.
struct RoundedRectangle: Sendable, Hashable {
    private let left: Double
    private let top: Double
    private let right: Double
    private let bottom: Double
    private let radius: Double
    private let arcs: [CornerArc]

    /// Nil when `inset` leaves nothing. The maximum radius is half of the shorter side.
    init?(inset: Double, in size: PixelSize, radius: Double, corners: RectCorner) {
        (left, top) = (inset, inset)
        (right, bottom) = (Double(size.width) - inset, Double(size.height) - inset)
        guard right > left, bottom > top else { return nil }
        let radius = min(radius, (right - left) / 2, (bottom - top) / 2)
        self.radius = radius
        let (near, far) = (inset + radius, (x: right - radius, y: bottom - radius))
        let all: [(RectCorner, CornerArc)] = [
            (.topLeft, CornerArc(x: near, y: near, isLeft: true, isTop: true, radius: radius)),
            (.topRight, CornerArc(x: far.x, y: near, isLeft: false, isTop: true, radius: radius)),
            (.bottomLeft, CornerArc(x: near, y: far.y, isLeft: true, isTop: false, radius: radius)),
            (.bottomRight, CornerArc(x: far.x, y: far.y, isLeft: false, isTop: false, radius: radius)),
        ]
        arcs = radius > 0 ? all.filter { corners.contains($0.0) }.map(\.1) : []
    }

    /// Whether any corner is rounded.
    var hasArcs: Bool { !arcs.isEmpty }

    /// The rows between the corners, which are all alike.
    var alikeRows: Range<Int> {
        let first = Int((top + radius).rounded(.up))
        return first..<max(first, Int((bottom - radius).rounded(.down)))
    }

    /// The columns of row `y` that are at least partly inside.
    func touchedColumns(ofRow y: Int) -> Range<Int> {
        let (upper, lower) = (max(top, Double(y)), min(bottom, Double(y + 1)))
        guard upper < lower else { return 0..<0 }
        let start = left + indent(isLeft: true) { $0.innerIndent(upper, lower) }
        let end = right - indent(isLeft: false) { $0.innerIndent(upper, lower) }
        return Int(start.rounded(.down))..<Int(end.rounded(.up))
    }

    /// The columns of row `y` that are completely inside; an empty range after the touched ones when there are none.
    func fullColumns(ofRow y: Int) -> Range<Int> {
        let (upper, lower) = (Double(y), Double(y + 1))
        let end = touchedColumns(ofRow: y).upperBound
        guard top <= upper, lower <= bottom else { return end..<end }
        let first = Int((left + indent(isLeft: true) { $0.outerIndent(upper, lower) }).rounded(.up))
        let last = Int((right - indent(isLeft: false) { $0.outerIndent(upper, lower) }).rounded(.down))
        return first < last ? first..<last : end..<end
    }

    /// The area of a pixel within the rectangle, 0 to 1.
    func coverage(x: Int, y: Int) -> Double {
        let columns = (max(left, Double(x)), min(right, Double(x + 1)))
        let rows = (max(top, Double(y)), min(bottom, Double(y + 1)))
        guard columns.0 < columns.1, rows.0 < rows.1 else { return 0 }
        let area = (columns.1 - columns.0) * (rows.1 - rows.0)
        return max(0, arcs.reduce(area) { $0 - $1.areaCutOff(columns: columns, rows: rows) })
    }

    private func indent(isLeft: Bool, _ indent: (CornerArc) -> Double) -> Double {
        arcs.lazy.filter { $0.isLeft == isLeft }.map(indent).max() ?? 0
    }
}
