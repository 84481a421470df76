/// The curve from an animation's time to its progress.
///
/// ```swift
/// let curve = TimingFunction.easeIn
/// let spring = TimingFunction.spring(dampingRatio: 0.5)
/// let progresses = [curve.value(at: 0.5), spring.value(at: 0.2)]  // 0.315…, and 1.117…: it swings
/// ```
public struct TimingFunction: Sendable, Equatable {
    private enum Curve: Hashable {
        case bezier(CubicBezier)
        case spring(SpringCurve)
    }

    private let curve: Curve

    private init(_ curve: Curve) { self.curve = curve }

    package init(x1: Double, y1: Double, x2: Double, y2: Double) {
        self.init(.bezier(CubicBezier(x1: x1, y1: y1, x2: x2, y2: y2)))
    }

    /// A cubic Bézier curve from (0, 0) to (1, 1) by its two control points, as in CSS's `cubic-bezier()`. NaN is
    /// replaced by the value of ``linear``.
    ///
    /// - Parameters:
    ///   - x1: The time of the first control point; clamped to 0 to 1, because each time has one progress only.
    ///   - y1: The progress of the first control point, -100 to 100; outside of 0 to 1 the curve overshoots.
    ///   - x2: The time of the second control point, as for the first.
    ///   - y2: The progress of the second control point, as for the first.
    public static func cubicBezier(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> TimingFunction {
        TimingFunction(x1: x1, y1: y1, x2: x2, y2: y2)
    }

    /// A damped spring, with the stiffness that brings it to rest at the end of the animation.
    ///
    /// - Parameters:
    ///   - dampingRatio: 1 does not overshoot; the lower, the longer it oscillates. Clamped to 0.05 to 10.
    ///   - initialVelocity: The speed at the beginning, in whole distances per duration: 1 is that of ``linear``.
    ///     Clamped to -100 to 100.
    public static func spring(dampingRatio: Double = 0.7, initialVelocity: Double = 0) -> TimingFunction {
        TimingFunction(.spring(SpringCurve(dampingRatio: dampingRatio, initialVelocity: initialVelocity)))
    }

    /// Constant speed.
    public static let linear = TimingFunction(x1: 0, y1: 0, x2: 1, y2: 1)
    /// Starts slowly.
    public static let easeIn = TimingFunction(x1: 0.42, y1: 0, x2: 1, y2: 1)
    /// Ends slowly.
    public static let easeOut = TimingFunction(x1: 0, y1: 0, x2: 0.58, y2: 1)
    /// Starts and ends slowly.
    public static let easeInEaseOut = TimingFunction(x1: 0.42, y1: 0, x2: 0.58, y2: 1)
    /// Starts quickly and ends slowly: Core Animation's default, and CSS's `ease`.
    public static let `default` = TimingFunction(x1: 0.25, y1: 0.1, x2: 0.25, y2: 1)

    /// The progress at `fraction` of the time: exactly 0 at the beginning and 1 at the end; times outside of 0 to 1 are
    /// clamped.
    public func value(at fraction: Double) -> Double {
        guard fraction > 0 else { return 0 }
        guard fraction < 1 else { return 1 }
        return switch curve {
        case .bezier(let bezier): bezier.value(at: fraction)
        case .spring(let spring): spring.value(at: fraction)
        }
    }
}
