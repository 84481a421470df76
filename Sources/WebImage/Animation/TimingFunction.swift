/// How an animation's progress follows its time: a cubic Bézier curve from (0, 0) to (1, 1).
///
/// ```swift
/// let fractions = [
///     TimingFunction.easeInEaseOut.value(at: 0.5),  // 0.5
///     TimingFunction.easeIn.value(at: 0.5),         // 0.315…
/// ]
/// ```
public struct TimingFunction: Sendable, Hashable {
    /// The first control point's time, 0 to 1.
    public let x1: Double
    /// The first control point's progress; outside 0 to 1 the curve overshoots.
    public let y1: Double
    /// The second control point's time, 0 to 1.
    public let x2: Double
    /// The second control point's progress; outside 0 to 1 the curve overshoots.
    public let y2: Double

    /// A curve of two control points, as in CSS's `cubic-bezier()`. Times outside 0 to 1 become 0 or 1, because a
    /// curve must have one progress for each time.
    public init(x1: Double, y1: Double, x2: Double, y2: Double) {
        self.x1 = min(1, max(0, x1))
        self.y1 = y1
        self.x2 = min(1, max(0, x2))
        self.y2 = y2
    }

    /// Even speed.
    public static let linear = TimingFunction(x1: 0, y1: 0, x2: 1, y2: 1)
    /// Starts slowly.
    public static let easeIn = TimingFunction(x1: 0.42, y1: 0, x2: 1, y2: 1)
    /// Ends slowly.
    public static let easeOut = TimingFunction(x1: 0, y1: 0, x2: 0.58, y2: 1)
    /// Starts and ends slowly.
    public static let easeInEaseOut = TimingFunction(x1: 0.42, y1: 0, x2: 0.58, y2: 1)
    /// Starts quickly and ends slowly: Core Animation's default, and CSS's `ease`.
    public static let `default` = TimingFunction(x1: 0.25, y1: 0.1, x2: 0.25, y2: 1)

    /// The progress when `fraction` of the time, 0 to 1, has passed; times outside count as the ends.
    public func value(at fraction: Double) -> Double {
        guard fraction > 0 else { return 0 }
        guard fraction < 1 else { return 1 }
        return Self.bezier(y1, y2, parameter(atTime: fraction))
    }

    /// Closer than a pixel's colour can tell.
    private static let tolerance = 1e-7

    /// The curve's parameter where its time is `x`: Newton's steps first, halving where the curve is too flat for them.
    private func parameter(atTime x: Double) -> Double {
        var parameter = x
        for _ in 0..<8 {
            let distance = Self.bezier(x1, x2, parameter) - x
            if abs(distance) < Self.tolerance { return parameter }
            let slope = Self.slope(x1, x2, parameter)
            guard abs(slope) > 1e-6 else { break }
            parameter -= distance / slope
        }
        return parameterByHalving(atTime: x)
    }

    private func parameterByHalving(atTime x: Double) -> Double {
        var low = 0.0
        var high = 1.0
        while high - low > Self.tolerance {
            let middle = (low + high) / 2
            if Self.bezier(x1, x2, middle) < x { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// One coordinate of the curve whose end points are 0 and 1.
    private static func bezier(_ first: Double, _ second: Double, _ t: Double) -> Double {
        let u = 1 - t
        return 3 * u * u * t * first + 3 * u * t * t * second + t * t * t
    }

    private static func slope(_ first: Double, _ second: Double, _ t: Double) -> Double {
        let u = 1 - t
        return 3 * u * u * first + 6 * u * t * (second - first) + 3 * t * t * (1 - second)
    }
}
