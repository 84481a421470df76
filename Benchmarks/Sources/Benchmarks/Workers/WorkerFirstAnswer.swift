import FoundationEssentials
import WebImage

/// From a call to the size of a picture of one pixel, by a fresh worker that is forked and locked in for it, and ended
/// after: what a worker costs by itself.
struct WorkerFirstAnswer: Benchmark {
    static let id = "worker-first-answer"
    static let what = "a locked worker from its start to its end, with one answer"
    private static let count = 200

    func run() async throws -> Measurement {
        let file = try SamplePhoto(size: PixelSize(width: 1, height: 1)).encoded(to: .png)
        let ours = try times(file, WorkerCoders.isolated)
        let rival = try times(file, WorkerCoders.inProcess)
        return Measurement(
            id: Self.id, what: Self.what, ours: ours.median, unit: "ms", rival: "in process", rivalValue: rival.median,
            ratio: ours.median / rival.median, ceiling: 0.3,
            notes: "the fastest tenth took up to \(ours.sorted()[Self.count / 10]) ms")
    }

    private func times(_ file: Data, _ coder: ImageCodersManager) throws -> [Double] {
        _ = try coder.properties(of: file, isComplete: true)
        return try (0..<Self.count).map { _ in
            try seconds { _ = try coder.properties(of: file, isComplete: true) } * 1e3
        }
    }
}
