import FoundationEssentials
import WebImage

/// How long after the limit of its time a decode ends that would take for ever. Elapsed time, which other work on the machine
/// makes longer.
struct WorkerLateness: Benchmark {
    static let id = "worker-lateness"
    static let what = "an error after the limit of a decode's time"
    private static let count = 20
    private static let limit = Duration.milliseconds(200)

    func run() async throws -> Measurement {
        let times = try (0..<Self.count).map { _ in try lateness() }
        let ours = times.median
        return Measurement(
            id: Self.id, what: Self.what, ours: ours, unit: "ms", rival: "the limit", rivalValue: 200,
            ratio: ours / 200, ceiling: 50, notes: "the longest of \(Self.count) took \(times.max() ?? 0) ms")
    }

    private func lateness() throws -> Double {
        var options = ImageDecodeOptions()
        options.limits.maximumDecodeDuration = Self.limit
        let elapsed = try seconds {
            do {
                _ = try WorkerCoders.perPicture.decode(Data(Self.endless.utf8), options: options)
            } catch let error as WebImageError {
                guard error.code == .limitExceeded else { throw error }
                return
            }
            throw BenchmarkError("the drawing took less than its limit")
        }
        return elapsed * 1e3 - 200
    }

    /// Each of ten groups draws the one before it twelve times.
    private static let endless: String = {
        let groups = (1...10).map { level in
            "<g id=\"g\(level)\">" + String(repeating: "<use href=\"#g\(level - 1)\" x=\"1\"/>", count: 12) + "</g>"
        }
        return
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"99\" height=\"99\"><rect id=\"g0\" width=\"9\" height=\"9\"/>"
            + groups.joined() + "</svg>"
    }()
}
