import CBareCodecs
import FoundationEssentials
import Glibc
import WebImage

extension SamplePhoto {
    /// A JPEG in ten scans, the default of common encoders.
    func progressiveJPEG() throws -> Data {
        let image = try bitmap()
        return try image.withUnsafeBytes { pixels in
            var bytes: UnsafeMutablePointer<UInt8>?
            let count = pixels.bindMemory(to: UInt8.self).baseAddress.map {
                webimage_progressive_jpeg($0, UInt32(size.width), UInt32(size.height), &bytes)
            }
            guard let bytes, let count, count > 0 else { throw BenchmarkError("libjpeg could not write the picture") }
            defer { free(bytes) }
            return Data(bytes: bytes, count: count)
        }
    }
}

/// A 12-megapixel progressive JPEG to 300 pixels, exactly, against libvips.
struct ProgressiveThumbnail: Benchmark {
    static let id = "jpeg-progressive-thumbnail"
    static let what = "12-megapixel progressive JPEG to 300 px, exactly"

    func run() async throws -> Measurement {
        let file = try SamplePhoto.twelveMegapixels.progressiveJPEG()
        let outcome = try await Turns().compareProcessorTime {
            try ThumbnailDecode.ours(file)
        } rival: {
            try ThumbnailDecode.vips(file)
        }
        return measurement(outcome, rival: "vips_thumbnail_buffer", goal: 1)
    }
}

/// The same from only the necessary scans, against the exact one.
struct ProgressivePreview: Benchmark {
    static let id = "jpeg-progressive-preview"
    static let what = "12-megapixel progressive JPEG to 300 px, as a preview"

    func run() async throws -> Measurement {
        let file = try SamplePhoto.twelveMegapixels.progressiveJPEG()
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 300, height: 300)
        options.decodesPreview = true
        let outcome = try await Turns().compareProcessorTime {
            _ = try ImageCodersManager.shared.decode(file, options: options)
        } rival: {
            try ThumbnailDecode.ours(file)
        }
        return measurement(outcome, rival: "the exact thumbnail", goal: 0.2)
    }
}

/// All partial pictures of a progressive JPEG at screen width, the last one included, against one decode.
struct ProgressivePartials: Benchmark {
    static let id = "jpeg-partials"
    static let what = "12-megapixel progressive JPEG to 1000 px, every partial picture"

    func run() async throws -> Measurement {
        let file = try SamplePhoto.twelveMegapixels.progressiveJPEG()
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 1000, height: 1000)
        let outcome = try await Turns().compareProcessorTime {
            try Self.partials(of: file, options)
        } rival: {
            _ = try ImageCodersManager.shared.decode(file, options: options)
        }
        return measurement(outcome, rival: "the whole at once", goal: 1.25)
    }

    private static func partials(of file: Data, _ options: ImageDecodeOptions) throws {
        let decoder = ImageCodersManager.shared.makeProgressiveDecoder(options: options)
        // The size of libcurl's pieces.
        let length = 16 << 10
        var count = 0
        for start in stride(from: 0, to: file.count, by: length) {
            if try decoder.update(file.dropFirst(start).prefix(length)) != nil { count += 1 }
        }
        // The first scan and the complete picture. The budget, which is processor time, decides whether there are more.
        guard count >= 2 else { throw BenchmarkError("only \(count) partial pictures") }
    }
}

/// Thumbnails on two threads, against one.
struct ThumbnailThreads: Benchmark {
    static let id = "jpeg-thumbnail-threads"
    static let what = "12-megapixel JPEG to 300 px, two threads"

    func run() async throws -> Measurement {
        let file = try SamplePhoto.twelveMegapixels.jpeg()
        // Needs both processors to be idle for a moment: the best turns count.
        let best = try await Turns(count: 20).compare {
            try await seconds {
                try await withThrowingTaskGroup { group in
                    for _ in 0..<2 { group.addTask { for _ in 0..<4 { try ThumbnailDecode.ours(file) } } }
                    try await group.waitForAll()
                }
            } * 1e3 / 8
        } rival: {
            try seconds { for _ in 0..<4 { try ThumbnailDecode.ours(file) } } * 1e3 / 4
        }.best
        return Measurement(
            id: Self.id, what: Self.what, ours: best.ours, unit: "ms", rival: "one thread",
            rivalValue: best.rival,
            ratio: best.ours / best.rival, goal: 1 / 1.9)
    }
}

/// A file's properties, without its pixels.
struct HeaderInformation: Benchmark {
    static let id = "info"
    static let what = "size, depth and orientation of a 12-megapixel JPEG"

    func run() async throws -> Measurement {
        let file = try SamplePhoto.twelveMegapixels.jpeg()
        let rounds = 1000
        let outcome = try await Turns().compare {
            try seconds {
                for _ in 0..<rounds { _ = try ImageCodersManager.shared.properties(of: file, isComplete: true) }
            } * 1e6 / Double(rounds)
        } rival: {
            try seconds { try ThumbnailDecode.ours(file) } * 1e6
        }
        return measurement(outcome, unit: "µs", rival: "a thumbnail", goal: 0.001)
    }
}
