import Glibc

/// The quarter of a circle at a corner of a ``RoundedRectangle``.
struct CornerArc: Sendable, Hashable {
    /// The circle's centre.
    let x: Double
    let y: Double
    let isLeft: Bool
    let isTop: Bool
    let radius: Double

    /// The minimum distance of the arc from the rectangle's side between two heights.
    func innerIndent(_ upper: Double, _ lower: Double) -> Double { indent(isTop ? y - lower : upper - y) }

    /// The maximum distance.
    func outerIndent(_ upper: Double, _ lower: Double) -> Double { indent(isTop ? y - upper : lower - y) }

    private func indent(_ distance: Double) -> Double { distance > 0 ? radius - reach(distance) : 0 }

    /// The area of a part of a pixel that lies outside of the arc.
    func areaCutOff(columns: (Double, Double), rows: (Double, Double)) -> Double {
        let (u0, u1) = isLeft ? (x - columns.1, x - columns.0) : (columns.0 - x, columns.1 - x)
        let (v0, v1) = isTop ? (y - rows.1, y - rows.0) : (rows.0 - y, rows.1 - y)
        guard u1 > 0, v1 > 0, u1 * u1 + v1 * v1 > radius * radius else { return 0 }
        let (nearU, nearV) = (max(0, u0), max(0, v0))
        return (u1 - nearU) * (v1 - nearV) - areaInside(nearU, u1, nearV, v1)
    }

    /// The area under the circle in a box of its first quadrant. From the left, the circle is above the box up to
    /// `reach(v1)`, crosses it up to `reach(v0)`, and is below it from there.
    private func areaInside(_ u0: Double, _ u1: Double, _ v0: Double, _ v1: Double) -> Double {
        let above = min(max(reach(v1), u0), u1)
        let below = min(max(reach(v0), u0), u1)
        return (above - u0) * (v1 - v0) + (primitive(below) - primitive(above)) - (below - above) * v0
    }

    private func reach(_ distance: Double) -> Double { max(0, radius * radius - distance * distance).squareRoot() }

    /// The integral of √(r² − u²).
    private func primitive(_ u: Double) -> Double {
        (u * reach(u) + radius * radius * asin(min(1, u / radius))) / 2
    }
}
