import FoundationEssentials
import Glibc

/// A measurement of the gallery's scrolling that should be low.
protocol ScrollFigure: Sendable {
    static var id: String { get }
    static var what: String { get }
    static var unit: String { get }
    static var ceiling: Double { get }
    static func value(of report: GalleryReport) -> Double
}

/// The longest time that the library blocks the main thread between two frames.
enum ScrollStall: ScrollFigure {
    static let id = "scroll-stall"
    static let what = "10,000 cells at 4,000 points/s, the longest stall"
    static let unit = "ms"
    static let ceiling = 16.0
    static func value(of report: GalleryReport) -> Double { report.longestStall }
}

/// Cells that become visible with a picture in memory but are first drawn without it.
enum ScrollDelay: ScrollFigure {
    static let id = "scroll-late"
    static let what = "the same, cells in memory not drawn at once"
    static let unit = "%"
    static let ceiling = 10.0
    static func value(of report: GalleryReport) -> Double {
        Double(report.appearances - report.drawnAtOnce) / Double(max(1, report.appearances)) * 100
    }
}

/// The growth of memory in the second half, when all pictures have been visible once.
enum ScrollGrowth: ScrollFigure {
    static let id = "scroll-growth"
    static let what = "the same, growth of memory in the second half"
    static let unit = "MB"
    static let ceiling = 16.0
    static func value(of report: GalleryReport) -> Double { report.memory - report.memoryHalfWay }
}

/// The gallery's report; see its `--report`.
struct GalleryReport: Decodable {
    let longestStall: Double
    let appearances: Int
    let drawnAtOnce: Int
    let memoryHalfWay: Double
    let memory: Double
}

/// The gallery scrolled during loads, on a virtual screen: the worse of GTK's two renderers against the other.
struct GalleryScroll<Figure: ScrollFigure>: Benchmark {
    static var id: String { Figure.id }
    static var what: String { Figure.what }

    func run() async throws -> Measurement {
        var values = try Renderer.allCases.map { (renderer: $0, value: Figure.value(of: try GalleryRun.report($0))) }
        values.sort { $0.value > $1.value }
        let (worse, better) = (values[0], values[1])
        return Measurement(
            id: Self.id, what: Self.what, ours: worse.value, unit: Figure.unit, rival: "\(better.renderer) renderer",
            rivalValue: better.value, ratio: better.value == 0 ? 1 : worse.value / better.value,
            ceiling: Figure.ceiling)
    }
}

/// One run of the gallery for each renderer; all figures come from these two runs.
private enum GalleryRun {
    private static let seconds = 24
    private static let openGL = Result { try measure(.openGL) }
    private static let cairo = Result { try measure(.cairo) }

    static func report(_ renderer: Renderer) throws -> GalleryReport {
        try (renderer == .openGL ? openGL : cairo).get()
    }

    private static func measure(_ renderer: Renderer) throws -> GalleryReport {
        guard let program = getenv("WEBIMAGE_GALLERY").map({ String(cString: $0) }) else {
            throw BenchmarkError("WEBIMAGE_GALLERY does not name the program to measure")
        }
        let folder = TemporaryDirectory()
        let report = folder.path + "/report.json"
        let command = """
            GSK_RENDERER=\(renderer) GTK_A11Y=none xvfb-run -a -s '-screen 0 1400x1000x24' "$0" --cache "$1" \
            --fast --cells 10000 --scroll 4000 --eager --seconds \(seconds) --report "$2"
            """
        try Child.run("sh", ["-c", command, program, folder.path + "/cache", report])
        return try JSONDecoder().decode(GalleryReport.self, from: try Data(contentsOf: URL(filePath: report)))
    }
}
