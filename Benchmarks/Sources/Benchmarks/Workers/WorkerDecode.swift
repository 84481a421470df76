import FoundationEssentials
import WebImage
import WebImageAVIF

/// Pictures that are decoded by workers.
protocol WorkerPicture: Sendable {
    static var name: String { get }
    static var what: String { get }
    static var goal: Double { get }
    static var repeats: Int { get }
    static func files() throws -> [Data]
}

/// Decoding by workers, one for each picture, against the same in this process: elapsed time, since a worker's processor
/// time is not ours. A picture is released before the next one is decoded, so that pooled buffers and malloc's memory are
/// used again alike.
struct WorkerDecode<Picture: WorkerPicture>: Benchmark {
    static var id: String { "worker-\(Picture.name)" }
    static var what: String { "\(Picture.what) by workers, elapsed" }

    func run() async throws -> Measurement {
        let files = try Picture.files()
        let outcome = try await Turns(count: 15).compare {
            try Self.milliseconds(files, by: WorkerCoders.isolated)
        } rival: {
            try Self.milliseconds(files, by: WorkerCoders.inProcess)
        }
        return measurement(outcome, rival: "in process", goal: Picture.goal)
    }

    private static func milliseconds(_ files: [Data], by coder: ImageCodersManager) throws -> Double {
        let time = try seconds {
            for _ in 0..<Picture.repeats {
                for file in files { _ = try coder.decode(file, options: ImageDecodeOptions()) }
            }
        }
        return time * 1e3 / Double(Picture.repeats)
    }
}

enum WorkerJPEG: WorkerPicture {
    static let name = "jpeg-12mp"
    static let what = "12-megapixel JPEG"
    static let goal = 0.85
    static let repeats = 1
    static func files() throws -> [Data] { [try SamplePhoto.twelveMegapixels.jpeg()] }
}

enum WorkerAVIF: WorkerPicture {
    static let name = "avif-12mp"
    static let what = "12-megapixel AVIF"
    static let goal = 0.85
    static let repeats = 1
    static func files() throws -> [Data] { [try SamplePhoto.twelveMegapixels.encoded(to: .avif, by: .avif)] }
}

enum WorkerSmallJPEG: WorkerPicture {
    static let name = "jpeg-small"
    static let what = "0.3-megapixel JPEG"
    static let goal = 1.05
    static let repeats = 20
    static func files() throws -> [Data] { [try SamplePhoto(size: PixelSize(width: 640, height: 480)).jpeg()] }
}

/// The icons of a theme, in the order of their paths.
enum WorkerIcons: WorkerPicture {
    static let name = "svg-icons"
    static let what = "200 SVG icons of Adwaita"
    static let goal = 1.3
    static let repeats = 1
    private static let theme = "/usr/share/icons/Adwaita"
    private static let count = 200

    static func files() throws -> [Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: theme).filter { $0.hasSuffix(".svg") }.sorted()
        guard paths.count >= count else { throw BenchmarkError("\(theme) has no \(count) icons") }
        return try paths.prefix(count).map { try Data(contentsOf: URL(filePath: "\(theme)/\($0)")) }
    }
}
