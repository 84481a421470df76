import FoundationEssentials
import Glibc
import WebImage

/// How near the written pixels are to the picture, against the best that others make of it in no more bytes; the rival is
/// the one who comes nearest to ours. All files are compressed again by gifsicle, so that it is the colours that are
/// compared. Needs gifsicle and ImageMagick; with WEBIMAGE_VERBOSE=1 it prints what everybody made.
struct GIFQuality<Sample: GIFSample>: Benchmark {
    static var id: String { "gif-quality-\(Sample.name)" }
    static var what: String { "GIF of a \(Sample.name), PSNR at the rival's size" }

    func run() async throws -> Measurement {
        let frames = try Sample.frames()
        let ours = try Self.settings.map { setting in
            let file = try GIFCoder().encode(
                frames.map { ImageFrame(bitmap: $0, duration: 0.1) }, loopCount: 0, to: .gif, options: setting)
            return try GIFRivals.recompressed(
                file, Self.name(of: setting), of: frames)
        }
        let rivals = try GIFRivals(frames: frames).results()
        if getenv("WEBIMAGE_VERBOSE") != nil {
            for result in ours + rivals {
                print("    \(result.maker): \(result.quality) dB, \(result.byteCount) bytes")
            }
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

    /// The best that is no larger than `byteCount`; the smallest where all are.
    private static func best(of results: [GIFResult], under byteCount: Int) -> GIFResult {
        let fitting = results.filter { $0.byteCount <= byteCount }
        return fitting.max { $0.quality < $1.quality } ?? results.min { $0.byteCount < $1.byteCount } ?? results[0]
    }

    private static var strengths: [Double] { [0, 0.25, 0.5, 1] }
    private static var colorCounts: [Int] { Array(stride(from: 64, through: 256, by: 4)) }

    private static var settings: [ImageEncodeOptions] {
        strengths.flatMap { strength in
            colorCounts.flatMap { count in
                [false, true].map { sharesColors in
                    var options = ImageEncodeOptions()
                    options.ditheringStrength = strength
                    options.maxColorCount = count
                    options.sharesColors = sharesColors
                    return options
                }
            }
        }
    }

    private static func name(of setting: ImageEncodeOptions) -> String {
        "ours, \(setting.ditheringStrength), \(setting.maxColorCount) colours"
            + (setting.sharesColors ? " for all frames" : "")
    }
}
