import CBareCodecs
import CVips
import FoundationEssentials
import Synchronization
import WebImage

/// A JPEG file of a gigapixel, 32,768 × 32,768, of about 100 MB, which is made once.
enum LargePicture {
    static let side = 32_768
    private static let rowCount = 512
    private static let quality: Int32 = 62
    private static let made = Mutex<TemporaryDirectory?>(nil)

    static func path() throws -> String {
        try made.withLock { made in
            if let made { return made.path + "/gigapixel.jpg" }
            let directory = TemporaryDirectory()
            let path = directory.path + "/gigapixel.jpg"
            let strip = try SamplePhoto(size: PixelSize(width: side, height: rowCount)).bitmap()
            let isWritten = strip.withUnsafeBytes { bytes in
                webimage_large_jpeg(
                    path, bytes.bindMemory(to: UInt8.self).baseAddress, UInt32(side), UInt32(rowCount), UInt32(side),
                    quality)
            }
            guard isWritten else { throw BenchmarkError("\(path) cannot be written") }
            made = directory
            return path
        }
    }

    /// A screen of 1920 × 1080 at a place that is different for each number.
    static func screen(_ number: Int, scale: Double) -> PointRect {
        let (width, height) = (1920 / scale, 1080 / scale)
        let (across, down) = (Double(side) - width, Double(side) - height)
        return PointRect(
            x: Double(number &* 7919 % 1009) / 1009 * across, y: Double(number &* 104_729 % 997) / 997 * down,
            width: width, height: height)
    }

    /// Waits until all tiles of a screen are there.
    static func show(_ rect: PointRect, scale: Double, of picture: TiledImage) async {
        let (tiles, continuation) = AsyncStream.makeStream(of: TileKey.self)
        picture.onTile = { continuation.yield($0) }
        picture.setVisible(rect, scale: scale)
        if picture.missingTiles(for: rect, scale: scale).isEmpty { return }
        for await _ in tiles where picture.missingTiles(for: rect, scale: scale).isEmpty { break }
    }

    /// Opens a file, and looks at screens at every scale.
    static func browse(_ path: String) async throws {
        let picture = try await open(path)
        for number in 0..<40 {
            let scale = [1, 0.5, 0.25, 0.125, 0.06][number % 5]
            await show(screen(number, scale: scale), scale: scale, of: picture)
        }
    }

    static func open(_ path: String) async throws -> TiledImage {
        try await TiledImage.open(URL(filePath: path), manager: WebImageManager(cache: cache))
    }

    private static let folder = Mutex(TemporaryDirectory())
    static let cache = ImageCache(directory: folder.withLock { $0.path })
}

/// From a file to its base, in elapsed time, against a thumbnail of the base's size.
struct TilesBase: Benchmark {
    static let id = "tiles-base"
    static let what = "base of a gigapixel JPEG, elapsed"

    func run() async throws -> Measurement {
        let path = try LargePicture.path()
        let outcome = try await Turns(count: 3, warmUp: 1).compare {
            await LargePicture.cache.clear(.all)
            let start = ContinuousClock.now
            let picture = try await LargePicture.open(path)
            let time = (ContinuousClock.now - start).milliseconds
            picture.close()
            return time
        } rival: {
            let start = ContinuousClock.now
            var options = ImageDecodeOptions()
            options.thumbnailPixelSize = PixelSize(width: 2048, height: 2048)
            _ = try ImageCodersManager.shared.decode(try Data(contentsOf: URL(filePath: path)), options: options)
            return (ContinuousClock.now - start).milliseconds
        }
        return measurement(outcome, rival: "a thumbnail of 2048 px", goal: 1.1)
    }
}

/// From a look at another part to its first tile, with the index of an earlier visit, against vips for the same part.
struct TilesLatency: Benchmark {
    static let id = "tiles-latency"
    static let what = "a new tile of a gigapixel JPEG, median"

    func run() async throws -> Measurement {
        let path = try LargePicture.path()
        let first = try await LargePicture.open(path)
        await LargePicture.show(LargePicture.screen(0, scale: 1), scale: 1, of: first)
        var times: [Double] = []
        for number in 1...60 {
            let scale = [1, 0.5, 0.25][number % 3]
            let (tiles, continuation) = AsyncStream.makeStream(of: TileKey.self)
            first.onTile = { continuation.yield($0) }
            let start = ContinuousClock.now
            first.setVisible(LargePicture.screen(number, scale: scale), scale: scale)
            for await _ in tiles { break }
            times.append((ContinuousClock.now - start).milliseconds)
            // A late tile of this look would be taken for the first one of the next.
            await LargePicture.show(LargePicture.screen(number, scale: scale), scale: scale, of: first)
        }
        let start = ContinuousClock.now
        let middle = Int32(LargePicture.side / 2)
        guard webimage_vips_region(path, middle, middle, 512) > 0 else { throw BenchmarkError("vips cannot read it") }
        let vips = (ContinuousClock.now - start).milliseconds
        return Measurement(
            id: Self.id, what: Self.what, ours: times.median, unit: "ms", rival: "vips_crop in the middle",
            rivalValue: vips, ratio: times.median / vips, ceiling: 60,
            notes: "the slowest of 60 took \(Int(times.max() ?? 0)) ms")
    }
}

/// A process that opens the file and looks at forty screens at five scales.
struct TilesMemory: Benchmark {
    static let id = "tiles-memory"
    static let what = "browsing a gigapixel JPEG, peak memory of a process"

    func run() async throws -> Measurement {
        let path = try LargePicture.path()
        let ours = try Child.peakMegabytes(["tiles-peak", path])
        let pixels = Double(LargePicture.side * LargePicture.side * 4) / 1_048_576
        return Measurement(
            id: Self.id, what: Self.what, ours: ours, unit: "MB", rival: "its pixels", rivalValue: pixels,
            ratio: ours / pixels, ceiling: 300)
    }
}

extension Duration {
    fileprivate var milliseconds: Double { Double(components.seconds) * 1e3 + Double(components.attoseconds) * 1e-15 }
}
