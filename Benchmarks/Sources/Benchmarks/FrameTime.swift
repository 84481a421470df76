import FoundationEssentials
import Glibc

/// A transition whose frames are measured.
protocol MeasuredTransition: Sendable {
    /// As in `webimage transition --effect`.
    static var effect: String { get }
    /// Milliseconds of processor time that a frame may take.
    static var ceiling: Double { get }
}

enum CrossDissolve: MeasuredTransition {
    static let effect = "crossDissolve"
    static let ceiling = 18.0
}

enum Flip: MeasuredTransition {
    static let effect = "flipFromLeft"
    static let ceiling = 14.0
}

enum Curl: MeasuredTransition {
    static let effect = "curlUp"
    static let ceiling = 18.0
}

/// Processor time of the whole process for a frame of 1280 × 800 in a window on a virtual screen, where OpenGL draws in
/// software: the slower of GTK's two renderers against the other one.
struct FrameTime<Transition: MeasuredTransition>: Benchmark {
    static var id: String { "frame-\(Transition.effect)" }
    static var what: String { "a frame of \(Transition.effect), the slower renderer" }

    private static var repetitions: Int { 3 }
    private static var seconds: Int { 3 }

    func run() async throws -> Measurement {
        var times = try ["gl", "cairo"].map { renderer in
            let runs = try (0..<Self.repetitions).map { _ in try Self.milliseconds(renderer) }
            return (renderer: renderer, milliseconds: runs.median)
        }
        times.sort { $0.milliseconds > $1.milliseconds }
        let (slower, faster) = (times[0], times[1])
        return Measurement(
            id: Self.id, what: Self.what, ours: slower.milliseconds, unit: "ms", rival: "\(faster.renderer) renderer",
            rivalValue: faster.milliseconds, ratio: slower.milliseconds / faster.milliseconds,
            ceiling: Transition.ceiling)
    }

    private static func milliseconds(_ renderer: String) throws -> Double {
        try FrameProgram.run("\(seconds) \(Transition.effect)", renderer: renderer)[0]
    }
}
