import Glibc
import WebImageCore

/// A weight on a damped spring that is released at 0 and comes to rest at 1.
///
/// The closed form of the damped oscillator. The stiffness is chosen so that the weight comes to rest at time 1.
struct SpringCurve: Sendable, Hashable {
    /// 1 is critical damping; less oscillates, more is slower.
    private let dampingRatio: Double
    /// In whole distances per whole duration, at the beginning.
    private let initialVelocity: Double
    /// The undamped angular frequency in radians per whole duration.
    private let frequency: Double

    /// The remaining distance at which the weight counts as resting: less than a pixel in most views.
    static let tolerance = 0.001
    /// Below this range a spring would oscillate some twenty times; above it, it would hardly move for most of the
    /// time.
    private static let dampingRatios = 0.05...10.0
    private static let velocities = -100.0...100.0

    init(dampingRatio: Double, initialVelocity: Double) {
        self.dampingRatio = dampingRatio.clamped(to: Self.dampingRatios, orElse: 1)
        self.initialVelocity = initialVelocity.clamped(to: Self.velocities, orElse: 0)
        frequency = Self.frequency(self.dampingRatio, self.initialVelocity)
    }

    /// The progress at a time within 0 to 1; beyond 1 where the weight overshoots.
    func value(at time: Double) -> Double {
        let (cosine, sine) = Self.oscillation(dampingRatio, frequency, time)
        return 1 - cosine - (dampingRatio * frequency - initialVelocity) * sine
    }

    /// The two solutions of x'' + 2ζωx' + ω²x = 0 that start with (1, -ζω) and (0, 1): value and speed.
    ///
    /// The exponentials are multiplied before they are added, because one of them alone overflows.
    private static func oscillation(_ ratio: Double, _ frequency: Double, _ time: Double) -> (Double, Double) {
        let decay = -ratio * frequency * time
        let discriminant = ratio * ratio - 1
        let rate = frequency * abs(discriminant).squareRoot()
        if abs(discriminant) < 1e-9 { return (exp(decay), time * exp(decay)) }
        if discriminant < 0 { return (exp(decay) * cos(rate * time), exp(decay) * sin(rate * time) / rate) }
        let (slow, fast) = (exp(decay + rate * time), exp(decay - rate * time))
        return ((slow + fast) / 2, (slow - fast) / (2 * rate))
    }

    /// The lowest frequency, found by doubling and bisection, at which the oscillation has died down at time 1.
    private static func frequency(_ ratio: Double, _ velocity: Double) -> Double {
        var high = 1.0
        while amplitude(ratio, high, velocity) > tolerance { high *= 2 }
        var low = high / 2
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if amplitude(ratio, middle, velocity) > tolerance { low = middle } else { high = middle }
        }
        return high
    }

    /// An upper bound of the distance from 1 at time 1, independent of the phase.
    private static func amplitude(_ ratio: Double, _ frequency: Double, _ velocity: Double) -> Double {
        let push = abs(ratio * frequency - velocity)
        guard ratio < 1 else {
            let (cosine, sine) = oscillation(ratio, frequency, 1)
            return cosine + push * sine
        }
        let rate = frequency * (1 - ratio * ratio).squareRoot()
        return exp(-ratio * frequency) * (1 + push * min(1, 1 / rate))
    }
}
