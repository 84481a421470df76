import Glibc

/// A weight on a damped spring that is let go at 0 and comes to rest at 1.
///
/// The closed form of the damped oscillator. Its stiffness follows from the rest: at time 1 the weight has settled.
struct SpringCurve: Sendable, Hashable {
    /// 1 just does not swing; less swings, more creeps.
    private let dampingRatio: Double
    /// The whole way per whole time, at the beginning.
    private let initialVelocity: Double
    /// Radians per whole time that the spring would swing without damping.
    private let frequency: Double

    /// What is left of the way when the weight counts as settled: less than a pixel of most views.
    static let tolerance = 0.001
    /// Below, a spring would swing some twenty times; above, it would stand still for most of the time.
    private static let dampingRatios = 0.05...10.0
    private static let velocities = -100.0...100.0

    init(dampingRatio: Double, initialVelocity: Double) {
        self.dampingRatio = dampingRatio.clamped(to: Self.dampingRatios, orElse: 1)
        self.initialVelocity = initialVelocity.clamped(to: Self.velocities, orElse: 0)
        frequency = Self.frequency(self.dampingRatio, self.initialVelocity)
    }

    /// The progress at a time within 0 to 1; beyond 1 where the weight swings.
    func value(at time: Double) -> Double {
        let (cosine, sine) = Self.oscillation(dampingRatio, frequency, time)
        return 1 - cosine - (dampingRatio * frequency - initialVelocity) * sine
    }

    /// The two solutions of x'' + 2ζωx' + ω²x = 0 that start with (1, -ζω) and (0, 1): value and speed.
    ///
    /// The exponentials are multiplied before they are added: alone, one is too large for a number.
    private static func oscillation(_ ratio: Double, _ frequency: Double, _ time: Double) -> (Double, Double) {
        let decay = -ratio * frequency * time
        let discriminant = ratio * ratio - 1
        let rate = frequency * abs(discriminant).squareRoot()
        if abs(discriminant) < 1e-9 { return (exp(decay), time * exp(decay)) }
        if discriminant < 0 { return (exp(decay) * cos(rate * time), exp(decay) * sin(rate * time) / rate) }
        let (slow, fast) = (exp(decay + rate * time), exp(decay - rate * time))
        return ((slow + fast) / 2, (slow - fast) / (2 * rate))
    }

    /// The lowest frequency found, by doubling and halving, at which the swings have died down at time 1.
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

    /// No less than the distance from 1 at time 1, wherever in its swing the weight is then.
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
