/// The gallery's first screen from the disk with the decoders in processes of their own that the gallery has, against none: the
/// helper starts meanwhile.
struct WorkerFirstScreen: Benchmark {
    static let id = "worker-first-screen"
    static let what = "24 visible cells from the disk, with isolation as the gallery"

    func run() async throws -> Measurement {
        let folder = TemporaryDirectory()
        _ = try FrameProgram.run("first-screen fill \(folder.path)")
        func milliseconds(_ isolation: String?) throws -> Double {
            try FrameProgram.run("first-screen disk \(folder.path)", isolation: isolation)[0]
        }
        let outcome = try await Turns(count: 15).compare {
            try milliseconds("helper")
        } rival: {
            try milliseconds(nil)
        }
        let all = try (0..<5).map { _ in try milliseconds("all") }.median
        var measurement = measurement(outcome, rival: "in process", goal: 1.03)
        measurement.notes = "\(all) ms where workers decode all of them, too"
        return measurement
    }
}
