import FoundationEssentials
import Glibc
import WebImage

/// How near the written pixels are to the picture, against the best that others make of it in no more bytes; the rival is
/// the one who comes nearest to ours. Needs gifsicle and ImageMagick.
struct GIFQuality<Sample: GIFSample>: Benchmark {
    static var id: String { "gif-quality-\(Sample.name)" }
    static var what: String { "GIF of a \(Sample.name), PSNR at the rival's size" }

    func run() async throws -> Measurement {
        let frames = try Sample.frames()
        let ours = try [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1].map { strength in
            var options = ImageEncodeOptions()
            options.ditheringStrength = strength
            let file = try GIFCoder().encode(
                frames.map { ImageFrame(bitmap: $0, duration: 0.1) }, loopCount: 0, to: .gif, options: options)
            return try GIFResult("ours, \(strength)", file, of: frames)
        }
        let rivals = try GIFRivals(frames: frames).results()
        if getenv("WEBIMAGE_VERBOSE") != nil {
            for result in ours + rivals { print("    \(result.maker): \(result.quality) dB, \(result.byteCount) bytes") }
        }
        let pairs = rivals.map { rival in (rival: rival, ours: Self.best(of: ours, under: rival.byteCount)) }
        guard let worst = pairs.max(by: { Self.ratio($0) < Self.ratio($1) }) else { throw BenchmarkError("no rival") }
        return Measurement(
            id: Self.id, what: Self.what, ours: worst.ours.quality, unit: "dB", rival: worst.rival.maker,
            rivalValue: worst.rival.quality, ratio: Self.ratio(worst), goal: 1)
    }

    private static func ratio(_ pair: (rival: GIFResult, ours: GIFResult)) -> Double {
        pair.rival.quality / pair.ours.quality
    }

    /// What is smaller than `byteCount`, or else the smallest there is, which then has to be as much better as a bit a
    /// pixel is worth: 6 dB for twice the bytes.
    private static func best(of results: [GIFResult], under byteCount: Int) -> GIFResult {
        let fitting = results.filter { $0.byteCount <= byteCount }
        if let best = fitting.max(by: { $0.quality < $1.quality }) { return best }
        let smallest = results.min { $0.byteCount < $1.byteCount } ?? results[0]
        return smallest.fined(for: Double(smallest.byteCount) / Double(byteCount))
    }
}

extension GIFResult {
    private init(maker: String, byteCount: Int, quality: Double) {
        self.maker = maker
        self.byteCount = byteCount
        self.quality = quality
    }

    /// The same with the quality that it would have at a size that is so many times smaller.
    fileprivate func fined(for excess: Double) -> GIFResult {
        GIFResult(maker: maker, byteCount: byteCount, quality: quality - 6 * log2(excess))
    }
}
