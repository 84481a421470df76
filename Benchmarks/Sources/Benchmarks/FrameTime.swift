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

    /// `scripts/bench` builds it; nil on a machine without GTK.
    static var program: String? { getenv("WEBIMAGE_FRAMES").map { String(cString: $0) } }

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
        guard let program else { throw BenchmarkError("WEBIMAGE_FRAMES does not name the program to measure") }
        let folder = TemporaryDirectory()
        let report = folder.path + "/frames"
        let command = """
            GSK_RENDERER=\(renderer) GTK_A11Y=none \
            xvfb-run -a -s '-screen 0 1400x900x24' "$0" \(seconds) \(Transition.effect) > "$1"
            """
        try Child.run("sh", ["-c", command, program, report])
        let line = String(decoding: try Data(contentsOf: URL(filePath: report)), as: UTF8.self)
        guard let number = line.split(separator: " ").dropFirst().first, let time = Double(number) else {
            throw BenchmarkError("\(program) printed \"\(line)\" instead of an effect and its milliseconds")
        }
        return time
    }
}
