import FoundationEssentials
import Glibc
import WebImage

/// A GIF file, and the program that made it.
struct GIFResult {
    let maker: String
    let byteCount: Int
    /// Peak signal-to-noise ratio over all channels of all frames, in dB.
    let quality: Double

    init(_ maker: String, _ file: Data, of frames: [Bitmap]) throws {
        self.maker = maker
        byteCount = file.count
        quality = try Self.quality(try Self.bitmaps(of: file), of: frames)
    }

    static func bitmaps(of file: Data) throws -> [Bitmap] {
        let animation = try ImageCodersManager.shared.makeAnimation(of: file, options: ImageDecodeOptions())
        return try (0..<animation.frameCount).map { try animation.frame(at: $0) }
    }

    private static func quality(_ results: [Bitmap], of frames: [Bitmap]) throws -> Double {
        guard results.count == frames.count else {
            throw BenchmarkError("\(results.count) of \(frames.count) frames came back")
        }
        var sum = 0
        var count = 0
        for (result, frame) in zip(results, frames) {
            result.withUnsafeBytes { mine in
                frame.withUnsafeBytes { theirs in
                    for (a, b) in zip(mine, theirs) { sum += (Int(a) - Int(b)) * (Int(a) - Int(b)) }
                    // Alpha is equal everywhere.
                    count += mine.count / 4 * 3
                }
            }
        }
        return sum == 0 ? 99 : 10 * log10(Double(count) * 65025 / Double(sum))
    }
}

/// Other programs that write GIF files with 256 colours.
struct GIFRivals {
    let frames: [Bitmap]
    private let folder = TemporaryDirectory()

    func results() throws -> [GIFResult] {
        try imageMagick("None") + imageMagick("FloydSteinberg") + imageMagick("Riemersma")
            + gifsicle("diversity") + gifsicle("blend-diversity") + gifsicle("median-cut")
            + gifsicle("diversity", "--dither") + gifsicle("blend-diversity", "--dither")
    }

    private func imageMagick(_ dithering: String) throws -> [GIFResult] {
        let names = try frames.enumerated().map { index, frame in
            let name = folder.path + "/frame\(100 + index).png"
            let file = try ImageCodersManager.shared.encode(
                Image(bitmap: frame), to: .png, options: ImageEncodeOptions())
            try file.write(to: URL(filePath: name))
            return name
        }
        let result = folder.path + "/imagemagick.gif"
        let optimization = frames.count > 1 ? ["-layers", "optimize"] : []
        try Child.run(
            "convert", ["-delay", "10", "-loop", "0"] + names + ["-dither", dithering] + optimization + [result])
        return [try recompressed(result, "ImageMagick, \(dithering)")]
    }

    /// gifsicle writes the tiles with shared colours; they are joined again and keep those colours.
    private func gifsicle(_ method: String, _ dithering: String? = nil) throws -> [GIFResult] {
        let (tiles, result) = (folder.path + "/tiles.gif", folder.path + "/gifsicle.gif")
        let trueColor = TrueColorGIF(frames)
        try trueColor.data.write(to: URL(filePath: tiles))
        try Child.run(
            "gifsicle",
            ["--no-warnings", "--colors", frames.count > 1 ? "255" : "256", "--color-method", method]
                + (dithering.map { [$0] } ?? []) + [tiles, "-o", result])
        var options = ImageDecodeOptions()
        options.limits.maximumFrameCount = trueColor.tileCount * frames.count
        let animation = try ImageCodersManager.shared.makeAnimation(
            of: try Data(contentsOf: URL(filePath: result)), options: options)
        let whole = try (1...frames.count).map {
            ImageFrame(bitmap: try animation.frame(at: $0 * trueColor.tileCount - 1), duration: .milliseconds(100))
        }
        let file = try ImageCodersManager.shared.encode(whole, loopCount: 0, to: .gif, options: ImageEncodeOptions())
        try file.write(to: URL(filePath: result))
        return [
            try recompressed(result, (["gifsicle", method] + (dithering.map { [$0] } ?? [])).joined(separator: " "))
        ]
    }

    private func recompressed(_ path: String, _ maker: String) throws -> GIFResult {
        try Self.recompressed(try Data(contentsOf: URL(filePath: path)), maker, of: frames)
    }

    /// The same pixels, compressed by gifsicle as well as it can.
    static func recompressed(_ file: Data, _ maker: String, of frames: [Bitmap]) throws -> GIFResult {
        let folder = TemporaryDirectory()
        let (path, smaller) = (folder.path + "/file.gif", folder.path + "/smaller.gif")
        try file.write(to: URL(filePath: path))
        try Child.run("gifsicle", ["--no-warnings", "-O3", path, "-o", smaller])
        let result = try Data(contentsOf: URL(filePath: smaller))
        return try GIFResult(maker, result.count < file.count ? result : file, of: frames)
    }
}
