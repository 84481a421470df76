/// A list or grid whose first screen is loaded.
protocol MeasuredScreen: Sendable {
    /// The number of visible cells.
    static var cells: Int { get }
    static var run: Result<FirstScreenRun, any Error> { get }
}

/// A `GtkListView`.
enum TenRows: MeasuredScreen {
    static let cells = 10
    static let run = Result { try FirstScreenRun(network: cells) }
}

/// A `GtkGridView` that has bound four hundred cells.
enum TwoDozenCells: MeasuredScreen {
    static let cells = 24
    static let run = Result { try FirstScreenRun(network: cells) }
}

/// The figures of one way to a first screen: the median of three runs, or the worse renderer's.
struct FirstScreenRun {
    let figure: Double
    let count: Double

    /// Seconds, and pictures fetched.
    init(network cells: Int) throws {
        let runs = try (0..<3).map { _ in try FrameProgram.run("first-screen network \(cells)") }
        figure = runs.map { $0[0] }.median
        count = runs.map { $0[1] }.max() ?? 0
    }

    /// Milliseconds, and pictures decoded too early.
    init(disk renderer: Renderer) throws {
        let folder = TemporaryDirectory()
        _ = try FrameProgram.run("first-screen fill \(folder.path)", renderer: renderer)
        let runs = try (0..<5).map { _ in
            try FrameProgram.run("first-screen disk \(folder.path)", renderer: renderer)
        }
        figure = runs.map { $0[0] }.median
        count = runs.map { $0[1] }.max() ?? 0
    }

    static let openGL = Result { try FirstScreenRun(disk: .openGL) }
    static let cairo = Result { try FirstScreenRun(disk: .cairo) }
}

/// The time from the call to the frame with the last visible picture, from a server that takes 0.3 s for each, over six
/// connections: against the rounds that this takes, and one more.
struct FirstScreenNetwork<Screen: MeasuredScreen>: Benchmark {
    static var id: String { "first-screen-network-\(Screen.cells)" }
    static var what: String { "\(Screen.cells) visible cells, 0.3 s an answer, the last drawn" }

    func run() async throws -> Measurement {
        let seconds = try Screen.run.get().figure
        let rounds = (Screen.cells + 5) / 6 + 1
        let limit = 0.3 * Double(rounds)
        return Measurement(
            id: Self.id, what: Self.what, ours: seconds, unit: "s", rival: "\(rounds) rounds of six",
            rivalValue: limit, ratio: seconds / limit, goal: 1)
    }
}

/// The pictures that are fetched for a first screen that stays as it is: the larger number of both screens.
struct FirstScreenFetched: Benchmark {
    static let id = "first-screen-fetched"
    static let what = "the same, screens of pictures fetched in all"

    func run() async throws -> Measurement {
        let screens =
            [
                try TenRows.run.get().count / Double(TenRows.cells),
                try TwoDozenCells.run.get().count / Double(TwoDozenCells.cells),
            ].max() ?? 0
        return Measurement(
            id: Self.id, what: Self.what, ours: screens, unit: "", rival: "what is visible", rivalValue: 1,
            ratio: screens, ceiling: try Thresholds.ceiling(of: Self.id))
    }
}

/// The time from the first frame to the one with all visible pictures, which come from the disk: the slower renderer.
struct FirstScreenDisk: Benchmark {
    static let id = "first-screen-disk"
    static let what = "24 visible cells of 400 from the disk, all drawn"

    func run() async throws -> Measurement {
        let (openGL, cairo) = (try FirstScreenRun.openGL.get().figure, try FirstScreenRun.cairo.get().figure)
        return Measurement(
            id: Self.id, what: Self.what, ours: max(openGL, cairo), unit: "ms",
            rival: "\(openGL > cairo ? Renderer.cairo : .openGL) renderer", rivalValue: min(openGL, cairo),
            ratio: max(openGL, cairo) / min(openGL, cairo), ceiling: 100)
    }
}

/// The invisible pictures whose decode begins before the last visible one has arrived.
struct FirstScreenUnseen: Benchmark {
    static let id = "first-screen-unseen"
    static let what = "the same, invisible pictures decoded before that"

    func run() async throws -> Measurement {
        let count = max(try FirstScreenRun.openGL.get().count, try FirstScreenRun.cairo.get().count)
        return Measurement(
            id: Self.id, what: Self.what, ours: count, unit: "", rival: "none", rivalValue: 0, ratio: 1,
            ceiling: try Thresholds.ceiling(of: Self.id))
    }
}

/// The visible cells that the first frame shows without the picture that memory has.
struct FirstScreenMemory: Benchmark {
    static let id = "first-screen-memory"
    static let what = "24 visible cells from memory, late in the first frame"

    func run() async throws -> Measurement {
        let counts = try Renderer.allCases.map { try FrameProgram.run("first-screen memory", renderer: $0)[0] }
        return Measurement(
            id: Self.id, what: Self.what, ours: counts.max() ?? 0, unit: "", rival: "none", rivalValue: 0, ratio: 1,
            ceiling: try Thresholds.ceiling(of: Self.id))
    }
}
