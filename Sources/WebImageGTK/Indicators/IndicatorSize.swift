/// The width and height of a square indicator.
public struct IndicatorSize: Sendable, Hashable {
    /// Points from side to side.
    package let points: Int

    /// `points` from side to side, 1 at least.
    public init(points: Int) { self.points = max(1, points) }

    /// 20 points.
    public static let medium = IndicatorSize(points: 20)
    /// 37 points.
    public static let large = IndicatorSize(points: 37)
}
