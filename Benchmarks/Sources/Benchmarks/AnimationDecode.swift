import CBareCodecs
import CGdkPixbuf
import FoundationEssentials
import WebImage

/// A camera pan over a photograph: every pixel changes in every frame.
enum SampleAnimation {
    static let frameCount = 24
    private static let size = PixelSize(width: 640, height: 480)
    private static let step = 8

    static func gif() throws -> Data {
        let photo = try SamplePhoto(size: PixelSize(width: 1024, height: 768)).bitmap()
        let frames = try (0..<frameCount).map { index in
            ImageFrame(
                bitmap: try photo.part(left: index * step, top: index * step, size: size), duration: .milliseconds(100))
        }
        return try ImageCodersManager.shared.encode(frames, loopCount: 0, to: .gif, options: ImageEncodeOptions())
    }
}

extension Bitmap {
    func part(left: Int, top: Int, size: PixelSize) throws -> Bitmap {
        let pixels = withUnsafeBytes { bytes in
            (top..<top + size.height).flatMap { y in
                let start = y * bytesPerRow + left * 4
                return bytes[start..<start + size.width * 4]
            }
        }
        return try Bitmap(size: size, pixels: pixels)
    }
}

/// All frames of a GIF file, each as its own bitmap, against giflib.
struct GIFAnimation: Benchmark {
    static let id = "gif-animation"
    static let what = "24 frames of 640 × 480 pixels, GIF"

    func run() async throws -> Measurement {
        let file = try SampleAnimation.gif()
        let outcome = try await Turns().compareProcessorTime {
            try Self.play(file)
        } rival: {
            try Self.playBare(file)
        }
        return measurement(outcome, rival: "giflib and a canvas", goal: 1 / 1.2)
    }

    static func play(_ file: Data) throws {
        let animation = try ImageCodersManager.shared.makeAnimation(of: file, options: ImageDecodeOptions())
        guard animation.frameCount == SampleAnimation.frameCount else { throw BenchmarkError("frames are missing") }
        for index in 0..<animation.frameCount { _ = try animation.frame(at: index) }
    }

    private static func playBare(_ file: Data) throws {
        let count = file.withUnsafeBytes { bytes in
            bytes.bindMemory(to: UInt8.self).baseAddress.map { webimage_bare_gif($0, bytes.count) } ?? 0
        }
        guard count == SampleAnimation.frameCount else { throw BenchmarkError("giflib has \(count) frames") }
    }
}

/// The same against gdk-pixbuf, which GTK's image viewers use for animations.
struct GIFAnimationPixbuf: Benchmark {
    static let id = "gif-animation-pixbuf"
    static let what = GIFAnimation.what

    func run() async throws -> Measurement {
        let file = try SampleAnimation.gif()
        let outcome = try await Turns().compareProcessorTime {
            try GIFAnimation.play(file)
        } rival: {
            try Self.playPixbuf(file)
        }
        return measurement(outcome, rival: "gdk-pixbuf", goal: 1)
    }

    private static func playPixbuf(_ file: Data) throws {
        let count = file.withUnsafeBytes {
            webimage_gdk_pixbuf_play($0.baseAddress, $0.count, Int32(SampleAnimation.frameCount))
        }
        guard count == SampleAnimation.frameCount else { throw BenchmarkError("gdk-pixbuf has \(count) frames") }
    }
}
