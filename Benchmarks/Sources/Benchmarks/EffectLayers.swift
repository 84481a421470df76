import WebImage

/// Computing the layers of one frame of the most expensive effect, at half of its progress, against constructing as
/// many layers.
struct EffectLayers: Benchmark {
    static let id = "effect-layers"
    static let what = "one frame of a transition, its layers, dearest effect"

    private static let rounds = 2000
    private static let scene = TransitionScene(size: PointSize(width: 1280, height: 800), scale: 2)
    private static let effects: [TransitionEffect] = [
        .crossDissolve, .flipFromLeft, .flipFromRight, .flipFromTop, .flipFromBottom, .curlUp, .curlDown, .pushFromLeft,
        .pushFromRight, .pushFromTop, .pushFromBottom, .revealFromTop, .revealFromBottom, .zoom, .blurToSharp,
    ]
    private static let progresses = [0.1, 0.2, 0.3, 0.45, 0.6, 0.7, 0.8, 0.9]

    func run() async throws -> Measurement {
        let effects = Self.effects.map { effect in (effect: effect, cost: microsecondsPerFrame(effect)) }
        guard let dearest = effects.max(by: { $0.cost < $1.cost })?.effect else {
            throw BenchmarkError("there is no effect")
        }
        let count = Self.progresses.map { dearest.layers(at: $0, in: Self.scene).count }.reduce(0, +)
        let layer = TransitionLayer(.old, source: Self.scene.bounds)
        let plain = TransitionEffect("plain") { _, _ in
            var layers: [TransitionLayer] = []
            for _ in 0..<(count / Self.progresses.count) { layers.append(layer) }
            return layers
        }
        let outcome = await Turns().compare {
            microsecondsPerFrame(dearest)
        } rival: {
            microsecondsPerFrame(plain)
        }
        return Measurement(
            id: Self.id, what: "\(Self.what) (\(dearest.name))", ours: outcome.ours, unit: "µs",
            rival: "as many layers, nothing computed", rivalValue: outcome.rival, ratio: outcome.ratio, goal: 3.5)
    }

    private func microsecondsPerFrame(_ effect: TransitionEffect) -> Double {
        var layers = 0
        let time = threadSeconds {
            for _ in 0..<Self.rounds {
                for progress in Self.progresses { layers += effect.layers(at: progress, in: Self.scene).count }
            }
        }
        precondition(layers > 0, "nothing was drawn")
        return time * 1e6 / Double(Self.rounds * Self.progresses.count)
    }
}
