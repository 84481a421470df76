import Foundation
import Testing
import WebImagePresentation

@Suite("Springs")
struct SpringTests {
    private static let ratios = [0.05, 0.2, 0.5, 0.7, 0.999, 1, 1.001, 1.5, 4, 10]
    private static let velocities = [-20, -1, 0, 1, 5, 100.0]

    /// Every damping with every initial speed.
    static let springs = ratios.flatMap { ratio in velocities.map { (ratio, $0) } }

    /// Progress, sampled densely enough for an oscillation of the stiffest spring.
    private static func samples(_ timing: TimingFunction, count: Int = 20_000) -> [Double] {
        (0...count).map { timing.value(at: Double($0) / Double(count)) }
    }

    @Test("TRN-5 a spring starts at 0 and rests at 1 at the end of its time", arguments: springs)
    func ends(ratio: Double, velocity: Double) {
        let timing = TimingFunction.spring(dampingRatio: ratio, initialVelocity: velocity)
        #expect(timing.value(at: 0) == 0)
        #expect(timing.value(at: 1) == 1)
        #expect(timing.value(at: -1) == 0)
        #expect(timing.value(at: 2) == 1)
        #expect(abs(timing.value(at: 1.0.nextDown) - 1) <= 0.001001)
        #expect(timing.value(at: 1e-9).magnitude < 1e-3)
    }

    /// The differential equation itself, not its solution: x'' + 2ζωx' + ω²(x - 1) = 0 with the same ω at all times.
    @Test("a spring obeys the law of the damped oscillator, from its initial speed on", arguments: springs)
    func law(ratio: Double, velocity: Double) {
        let timing = TimingFunction.spring(dampingRatio: ratio, initialVelocity: velocity)
        let step = 1e-5
        func derivatives(at time: Double) -> (value: Double, first: Double, second: Double) {
            let (before, now, after) = (
                timing.value(at: time - step), timing.value(at: time), timing.value(at: time + step)
            )
            return (now, (after - before) / (2 * step), (after - 2 * now + before) / (step * step))
        }
        #expect(abs(timing.value(at: 1e-8) / 1e-8 - velocity) < 0.01 * max(1, abs(velocity)))
        // Determines ω from two times: the equation is linear in (2ζω, ω²), and both must give the same ω.
        for times in [(0.004, 0.009), (0.02, 0.035)] {
            let (a, b) = (derivatives(at: times.0), derivatives(at: times.1))
            let determinant = a.first * (b.value - 1) - b.first * (a.value - 1)
            guard abs(determinant) > 1e-3 else { continue }
            let damping = (-a.second * (b.value - 1) + b.second * (a.value - 1)) / determinant
            let stiffness = (-a.first * b.second + b.first * a.second) / determinant
            #expect(stiffness > 0)
            #expect(abs(damping - 2 * ratio * stiffness.squareRoot()) < 0.03 * damping, "at \(times)")
        }
    }

    @Test("a spring with less damping than 1 overshoots as in theory; others do not")
    func overshoot() {
        for ratio in [0.2, 0.5, 0.7] {
            let peak = Self.samples(.spring(dampingRatio: ratio)).max() ?? 0
            let theory = exp(-ratio * .pi / (1 - ratio * ratio).squareRoot())
            #expect(abs(peak - 1 - theory) < 1e-4)
        }
        for ratio in [1, 1.5, 4] {
            let samples = Self.samples(.spring(dampingRatio: ratio))
            #expect(samples.allSatisfy { (0...1).contains($0) })
            #expect(zip(samples, samples.dropFirst()).allSatisfy { $0 <= $1 + 1e-12 })
        }
    }

    @Test("the weaker the damping, the more often a spring swings through its end")
    func swings() {
        let counts = [0.1, 0.3, 0.6, 1].map { ratio in
            let samples = Self.samples(.spring(dampingRatio: ratio)).dropLast()
            return zip(samples, samples.dropFirst()).count { ($0 < 1) != ($1 < 1) }
        }
        #expect(counts == counts.sorted(by: >))
        #expect(counts[0] > 15)
        #expect(counts[3] == 0)
    }

    @Test("a spring changes smoothly with its damping, also where the formula changes")
    func continuity() {
        for time in [0.1, 0.3, 0.6] {
            let values = [0.9999, 0.999999, 1, 1.000001, 1.0001].map {
                TimingFunction.spring(dampingRatio: $0).value(at: time)
            }
            #expect((values.max() ?? 1) - (values.min() ?? 0) < 1e-3)
        }
    }

    @Test("an impossible spring becomes the nearest possible one")
    func badInput() {
        #expect(TimingFunction.spring(dampingRatio: 0) == .spring(dampingRatio: 0.05))
        #expect(TimingFunction.spring(dampingRatio: -3) == .spring(dampingRatio: 0.05))
        #expect(TimingFunction.spring(dampingRatio: .infinity) == .spring(dampingRatio: 10))
        #expect(TimingFunction.spring(dampingRatio: .nan) == .spring(dampingRatio: 1))
        #expect(TimingFunction.spring(initialVelocity: 1e300) == .spring(initialVelocity: 100))
        #expect(TimingFunction.spring(initialVelocity: .nan) == .spring(initialVelocity: 0))
        #expect(TimingFunction.spring() != .spring(dampingRatio: 0.5))
        #expect(TimingFunction.spring(dampingRatio: 1).value(at: .nan) == 0)
    }
}
