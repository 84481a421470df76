import FoundationEssentials
import Glibc
import WebImage

/// The quality of a written GIF, against the best GIF of the same size or smaller by other programs; the rival is the
/// program that comes closest. gifsicle recompresses all files, so that only the colours are compared. Needs gifsicle
/// and ImageMagick; WEBIMAGE_VERBOSE=1 prints all results.
struct GIFQuality<Sample: GIFSample>: Benchmark {
    static var id: String { "gif-quality-\(Sample.name)" }
    static var what: String { "GIF of a \(Sample.name), PSNR at the rival's size" }

    private struct Attempt {
        let setting: ImageEncodeOptions
        let result: GIFResult
    }

    func run() async throws -> Measurement {
        let frames = try Sample.frames()
        let ours = try Self.settings.map { try Self.attempt($0, frames) }
        let rivals = try GIFRivals(frames: frames).results()
        if getenv("WEBIMAGE_VERBOSE") != nil {
            for result in ours.map(\.result) + rivals {
                print("    \(result.maker): \(result.quality) dB, \(result.byteCount) bytes")
            }
        }
        let pairs = try rivals.map { rival in
            (rival: rival, ours: try Self.best(of: ours, under: rival.byteCount, frames))
        }
        guard let worst = pairs.max(by: { Self.ratio($0) < Self.ratio($1) }) else { throw BenchmarkError("no rival") }
        return Measurement(
            id: Self.id, what: Self.what, ours: worst.ours.quality, unit: "dB", rival: worst.rival.maker,
            rivalValue: worst.rival.quality, ratio: Self.ratio(worst), goal: 1)
    }

    private static func attempt(_ setting: ImageEncodeOptions, _ frames: [Bitmap]) throws -> Attempt {
        let file = try ImageCodersManager.shared.encode(
            frames.map { ImageFrame(bitmap: $0, duration: .milliseconds(100)) }, loopCount: 0, to: .gif,
            options: setting)
        return Attempt(
            setting: setting, result: try GIFRivals.recompressed(file, Self.name(of: setting), of: frames))
    }

    private static func ratio(_ pair: (rival: GIFResult, ours: GIFResult)) -> Double {
        pair.rival.quality / pair.ours.quality
    }

    /// The best with at most `byteCount` bytes, found by reducing the number of colours; the smallest where all are
    /// larger.
    private static func best(
        of attempts: [Attempt], under byteCount: Int, _ frames: [Bitmap]
    ) throws -> GIFResult {
        let fitting = attempts.filter { $0.result.byteCount <= byteCount }
        guard let best = fitting.max(by: { $0.result.quality < $1.result.quality }) else {
            return attempts.map(\.result).min { $0.byteCount < $1.byteCount } ?? attempts[0].result
        }
        let finer = try (1..<colorStep).map { more in
            var setting = best.setting
            setting.maxColorCount = min(256, setting.maxColorCount + more)
            return try attempt(setting, frames).result
        }
        return finer.filter { $0.byteCount <= byteCount }.max { $0.quality < $1.quality } ?? best.result
    }

    private static var strengths: [Double] { [0, 0.25, 0.5, 1] }
    private static var colorStep: Int { 4 }
    private static var colorCounts: [Int] { Array(stride(from: 64, through: 256, by: colorStep)) }

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
