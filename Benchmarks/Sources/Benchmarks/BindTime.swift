import FoundationEssentials

/// Binding a list cell to a picture in memory, against GTK showing a texture: processor time of the main thread.
struct BindTime: Benchmark {
    static let id = "bind"
    static let what = "a cell bound to a picture in memory"

    func run() async throws -> Measurement {
        let runs = try (0..<5).map { _ in try FrameProgram.run("2 bind") }
        let ours = runs.map { $0[0] }.median
        let bare = runs.map { $0[1] }.median
        return Measurement(
            id: Self.id, what: Self.what, ours: ours, unit: "µs", rival: "a texture put into a GtkPicture",
            rivalValue: bare, ratio: runs.map { $0[0] / $0[1] }.median, goal: 20)
    }
}
