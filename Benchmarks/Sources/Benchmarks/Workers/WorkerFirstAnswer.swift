import FoundationEssentials
import Glibc
import WebImage

/// From a call to the size of a picture of one pixel, by a fresh worker, which is ended after. While a picture is shown, the
/// next one's worker is forked and locked in; so each call comes some milliseconds after the last one.
struct WorkerFirstAnswer: Benchmark {
    static let id = "worker-first-answer"
    static let what = "the first answer of a fresh locked worker"
    private static let count = 200
    private static let pause = 10_000 as useconds_t

    func run() async throws -> Measurement {
        let file = try SamplePhoto(size: PixelSize(width: 1, height: 1)).encoded(to: .png)
        let ours = try times(file, WorkerCoders.perPicture, pause: Self.pause)
        let rival = try times(file, WorkerCoders.inProcess, pause: Self.pause)
        let fast = try times(file, WorkerCoders.perPicture, pause: 0)
        return Measurement(
            id: Self.id, what: Self.what, ours: ours.median, unit: "ms", rival: "in process", rivalValue: rival.median,
            ratio: ours.median / rival.median, ceiling: 0.3,
            notes: "nine tenths took up to \(ours.sorted()[Self.count * 9 / 10]) ms, "
                + "and one call after the other \(fast.median) ms at the median")
    }

    private func times(_ file: Data, _ coder: ImageCodersManager, pause: useconds_t) throws -> [Double] {
        _ = try coder.properties(of: file, isComplete: true)
        return try (0..<Self.count).map { _ in
            if pause > 0 { usleep(pause) }
            return try seconds { _ = try coder.properties(of: file, isComplete: true) } * 1e3
        }
    }
}
