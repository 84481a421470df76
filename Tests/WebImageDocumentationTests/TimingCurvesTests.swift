import Foundation
import Testing
import WebImage

/// The curves in Docs/Transitions.md are drawn from the timing functions themselves. `WEBIMAGE_DRAW_CURVES=1` draws
/// them again.
@Suite("Documentation of timing")
struct TimingCurvesTests {
    private static let curves: KeyValuePairs<String, TimingFunction> = [
        "linear": .linear, "default": .default, "easeIn": .easeIn, "easeOut": .easeOut,
        "easeInEaseOut": .easeInEaseOut, "spring(1)": .spring(dampingRatio: 1),
        "spring(0.7)": .spring(dampingRatio: 0.7), "spring(0.3)": .spring(dampingRatio: 0.3),
    ]

    /// The pixels of a curve's box, from 0 to 1; a spring overshoots it.
    private static let side = 100.0
    private static let columns = 4

    private static func point(_ timing: TimingFunction, _ step: Int, of steps: Int) -> String {
        let time = Double(step) / Double(steps)
        return String(
            format: "%.1f,%.1f", locale: Locale(identifier: "en_US_POSIX"), time * side,
            (1 - timing.value(at: time)) * side)
    }

    private static func panel(_ name: String, _ timing: TimingFunction, at index: Int) -> String {
        let (x, y) = (20 + index % columns * 135, 50 + index / columns * 185)
        let points = (0...100).map { point(timing, $0, of: 100) }.joined(separator: " ")
        return """
            <g transform="translate(\(x) \(y))">
            <rect width="100" height="100" fill="none" stroke="#999" stroke-width="0.5"/>
            <polyline points="\(points)" fill="none" stroke="#e0533d" stroke-width="2"/>
            <text x="50" y="118" text-anchor="middle">\(name)</text>
            </g>

            """
    }

    private static var drawing: String {
        let panels = curves.enumerated().map { panel($1.key, $1.value, at: $0) }.joined()
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="545" height="370" font-family="sans-serif" font-size="12" \
            fill="#888">
            \(panels)</svg>

            """
    }

    @Test("the page's curves are the library's")
    func curves() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Docs/transitions/timing.svg").standardized
        if ProcessInfo.processInfo.environment["WEBIMAGE_DRAW_CURVES"] != nil {
            try Data(Self.drawing.utf8).write(to: file)
        }
        let isSame = try String(contentsOf: file, encoding: .utf8) == Self.drawing
        #expect(isSame, "the curves have changed; scripts/transition-pictures draws them anew")
    }
}
