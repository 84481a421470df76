import CVips
import FoundationEssentials
import WebImage

/// A 12-megapixel JPEG to 300 pixels in process, one thread, against libvips.
struct ThumbnailDecode: Benchmark {
    static let id = "jpeg-thumbnail"
    static let what = "12-megapixel JPEG to 300 px"

    func run() async throws -> Measurement {
        let file = try SamplePhoto.twelveMegapixels.jpeg()
        let outcome = try await Turns().compareProcessorTime {
            try Self.ours(file)
        } rival: {
            try Self.vips(file)
        }
        return measurement(outcome, rival: "vips_thumbnail_buffer", goal: 0.8)
    }

    static func ours(_ file: Data, by coder: any ImageCoder = ImageCodersManager.shared) throws {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 300, height: 300)
        let image = try coder.decode(file, options: options)
        precondition(image.pixelSize == PixelSize(width: 300, height: 225), "the thumbnail has the wrong size")
    }

    static func vips(_ file: Data) throws {
        let size = file.withUnsafeBytes { webimage_vips_thumbnail($0.baseAddress, $0.count, 300) }
        guard size > 0 else { throw BenchmarkError("vips could not decode the picture") }
    }
}

/// The same measured by memory, in a process for each, since a peak never falls. Everything counts, including pages of
/// system libraries that are shared with other processes.
struct ThumbnailMemory: Benchmark {
    static let id = "jpeg-thumbnail-memory"
    static let what = "12-megapixel JPEG to 300 px, peak memory of a process"

    func run() async throws -> Measurement {
        let file = TemporaryDirectory()
        let path = file.path + "/photo.jpg"
        try SamplePhoto.twelveMegapixels.jpeg().write(to: URL(filePath: path))
        let turns = Turns(count: 3, warmUp: 0)
        let outcome = try await turns.compare {
            try Child.peakMegabytes(ofProgram: "ThumbnailProgram", [path])
        } rival: {
            try Child.peakMegabytes(["thumbnail-vips", path])
        }
        return measurement(outcome, unit: "MB", rival: "vips_thumbnail_buffer", goal: 0.6)
    }
}
