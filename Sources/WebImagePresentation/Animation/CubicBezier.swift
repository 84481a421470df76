import WebImageCore

/// A cubic Bézier curve from (0, 0) to (1, 1), as in CSS's `cubic-bezier()`.
struct CubicBezier: Sendable, Hashable {
    private let x1: Double
    private let y1: Double
    private let x2: Double
    private let y2: Double

    /// Beyond these limits a curve is out of sight most of the time, and finally overflows.
    private static let progresses = -100.0...100.0

    /// Times are clamped to 0 to 1, because a curve must have one progress for each time. NaN is replaced by the value
    /// for linear progress.
    init(x1: Double, y1: Double, x2: Double, y2: Double) {
        self.x1 = x1.clamped(to: 0...1, orElse: 0)
        self.y1 = y1.clamped(to: Self.progresses, orElse: 0)
        self.x2 = x2.clamped(to: 0...1, orElse: 1)
        self.y2 = y2.clamped(to: Self.progresses, orElse: 1)
    }

    /// The progress at a time within 0 to 1.
    func value(at time: Double) -> Double { Self.coordinate(y1, y2, parameter(atTime: time)) }

    /// Smaller than a visible difference in a pixel's colour.
    private static let tolerance = 1e-7

    /// The curve's parameter where its time is `x`: by Newton's method, and by bisection where the curve is too flat
    /// for it.
    private func parameter(atTime x: Double) -> Double {
        var parameter = x
        for _ in 0..<8 {
            let distance = Self.coordinate(x1, x2, parameter) - x
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
            if Self.coordinate(x1, x2, middle) < x { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// One coordinate of the curve with end points 0 and 1.
    private static func coordinate(_ first: Double, _ second: Double, _ t: Double) -> Double {
        let u = 1 - t
        return 3 * u * u * t * first + 3 * u * t * t * second + t * t * t
    }

    private static func slope(_ first: Double, _ second: Double, _ t: Double) -> Double {
        let u = 1 - t
        return 3 * u * u * first + 6 * u * t * (second - first) + 3 * t * t * (1 - second)
    }
}
