import FoundationEssentials
import Glibc
import WebImage

/// The pages that belong to a worker alone, which waits between two frames of an animation. Only root may look at them.
struct WorkerMemory: Benchmark {
    static let id = "worker-memory"
    static let what = "an idle worker's own memory"

    func run() async throws -> Measurement {
        let animation = try WorkerCoders.perPicture.makeAnimation(of: try film(), options: ImageDecodeOptions())
        _ = try animation.frame(at: 0)
        let ours = try megabytes("Private_Clean:", "Private_Dirty:")
        let whole = try megabytes("Rss:")
        return try withExtendedLifetime(animation) {
            guard ours > 0 else { throw BenchmarkError("no worker's memory can be read; measure as root") }
            return Measurement(
                id: Self.id, what: Self.what, ours: ours, unit: "MB", rival: "with all that it shares",
                rivalValue: whole, ratio: ours / whole, ceiling: 3)
        }
    }

    private func film() throws -> Data {
        let photo = SamplePhoto(size: PixelSize(width: 64, height: 64))
        let frames = try (0..<2).map { _ in ImageFrame(bitmap: try photo.bitmap(), duration: .seconds(1)) }
        return try WorkerCoders.inProcess.encode(frames, loopCount: 0, to: .gif, options: ImageEncodeOptions())
    }

    /// Of the worker that has most: spares have done nothing. Workers are children of the only child.
    private func megabytes(_ fields: String...) throws -> Double {
        let workers = try children(of: String(getpid())).flatMap { try children(of: $0) }
        let sums = workers.map { worker in
            // A worker may end meanwhile.
            let lines = (try? text("/proc/\(worker)/smaps_rollup"))?.split(separator: "\n") ?? []
            let counts = lines.filter { line in fields.contains { line.hasPrefix($0) } }.compactMap {
                $0.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
            }
            return counts.reduce(0, +) / 1024
        }
        guard let most = sums.max() else { throw BenchmarkError("there is no worker") }
        return most
    }

    private func children(of process: String) throws -> [String] {
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        return try tasks.flatMap { task in
            try text("/proc/\(process)/task/\(task)/children").split(separator: " ").map { String($0) }
        }
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }
}
