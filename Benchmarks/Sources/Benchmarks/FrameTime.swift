import FoundationEssentials
import Glibc

/// A transition with a limit for its frames.
protocol MeasuredTransition: Sendable {
    /// As in `webimage transition --effect`.
    static var effect: String { get }
    /// The maximum processor time per frame, in times of a frame of GTK alone.
    static var goal: Double { get }
}

enum CrossDissolve: MeasuredTransition {
    static let effect = "crossDissolve"
    static let goal = 1.15
}

enum Flip: MeasuredTransition {
    static let effect = "flipFromLeft"
    static let goal = 1.15
}

enum Curl: MeasuredTransition {
    static let effect = "curlUp"
    static let goal = 1.15
}

enum Zoom: MeasuredTransition {
    static let effect = "zoom"
    static let goal = 1.15
}

/// Processor time of the whole process per frame of 1280 × 800, in a window on a virtual screen with OpenGL in
/// software: for the slower of GTK's two renderers, against the minimum there, GTK alone drawing a picture whole.
struct FrameTime<Transition: MeasuredTransition>: Benchmark {
    static var id: String { "frame-\(Transition.effect)" }
    static var what: String { "a frame of \(Transition.effect), the slower renderer" }

    private static var repetitions: Int { 3 }
    private static var seconds: Int { 3 }

    private struct Cost {
        let renderer: Renderer
        let ours: Double
        let bare: Double
        let ratio: Double
    }

    func run() async throws -> Measurement {
        let costs = try Renderer.allCases.map { try Self.cost($0) }.sorted { $0.ours > $1.ours }
        let (slower, faster) = (costs[0], costs[1])
        let other = "\(faster.renderer): \(Self.short(faster.ours)) and \(Self.short(faster.bare))"
        return Measurement(
            id: Self.id, what: Self.what, ours: slower.ours, unit: "ms",
            rival: "bare GTK by \(slower.renderer) (\(other))", rivalValue: slower.bare, ratio: slower.ratio,
            goal: Transition.goal)
    }

    private static func cost(_ renderer: Renderer) throws -> Cost {
        let runs = try (0..<repetitions).map { _ in
            try FrameProgram.run("\(seconds) \(Transition.effect)", renderer: renderer)
        }
        return Cost(
            renderer: renderer, ours: runs.map { $0[0] }.median, bare: runs.map { $0[1] }.median,
            ratio: runs.map { $0[0] / $0[1] }.median)
    }

    private static func short(_ milliseconds: Double) -> String { "\((milliseconds * 10).rounded() / 10)" }
}
