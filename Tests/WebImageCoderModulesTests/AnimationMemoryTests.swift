import Foundation
import Glibc
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

/// The memory for encoding an animation, under the kernel's limit: each in a process of its own, which has no more than
/// the rule allows.
@Suite("Memory for writing animations", .timeLimit(.minutes(10)))
struct AnimationMemoryTests {
    /// A few bytes in a file: one colour each, with alpha.
    private final class PlainFrames: AnimatedImageProvider {
        let size: PixelSize
        let frameCount: Int
        let loopCount = 0
        private let alpha: UInt8

        init(_ width: Int, _ height: Int, count: Int = 2, alpha: UInt8 = 255) {
            size = PixelSize(width: width, height: height)
            frameCount = count
            self.alpha = alpha
        }

        func frame(at index: Int) throws(WebImageError) -> Bitmap {
            try Bitmap(size: size, format: .rgba8Straight) { [alpha, size] base, bytesPerRow in
                let pixel = [0, 1, 2].map { UInt8(truncatingIfNeeded: index * 90 + $0) } + [alpha]
                let word = pixel.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                let count = size.height * bytesPerRow / 4
                base.bindMemory(to: UInt32.self, capacity: count).update(repeating: word, count: count)
                return alpha == 255
            }
        }

        func duration(at index: Int) -> Duration { .milliseconds(100) }
        func preloadAllFrames() {}
    }

    private static let coders: [(coder: any ImageCoder, format: ImageFormat)] =
        [(ImageCodersManager.shared, .gif), (ImageCodersManager.shared, .png), (ImageCodersManager.shared, .webP)]
        + CoderCase.writable.filter { $0.format != .heic }.map { ($0.coder, $0.format) }

    /// Bytes that may be written, as the kernel counts them for RLIMIT_DATA.
    private static func dataByteCount() throws -> UInt {
        let status = try String(decoding: Data(contentsOf: URL(filePath: "/proc/self/status")), as: UTF8.self)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmData:") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { UInt($0) }) << 10
    }

    /// Encodes to each format with the memory that the rule allows.
    ///
    /// - Returns: The formats that the animation was written to.
    private static func written(
        _ frames: PlainFrames, quality: Double? = nil, isLossless: Bool = false
    ) throws -> [ImageFormat] {
        let image = try Image(animation: frames)
        var options = ImageEncodeOptions()
        options.compressionQuality = quality
        options.isLossless = isLossless
        let allowed = UInt(3 * 4 * frames.size.area + 256 << 20)
        // The poster and the first frame are there already.
        try limitData(to: dataByteCount() + allowed)
        return try coders.compactMap { coder, format in
            do throws(WebImageError) {
                return try coder.encode(image, to: format, options: options).isEmpty ? nil : format
            } catch {
                let isTold = error.reason.contains("MB to encode") || error.reason.contains("16383 a side")
                try #require(error.code == .encodeFailed && isTold, "\(error)")
                return nil
            }
        }
    }

    private static func limitData(to byteCount: UInt) {
        guard !Sanitizer.isActive else { return }
        var limit = rlimit(rlim_cur: byteCount, rlim_max: byteCount)
        setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    }

    @Test("frames of 100 × 50,020 pixels take no more than the canvas, two frames and 256 MB, in any format")
    func tallFrames() async {
        await #expect(processExitsWith: .success) {
            let formats = try Self.written(PlainFrames(100, 50_020, alpha: 200))
            #expect(formats.contains(.gif) && formats.contains(.png))
            #expect(!formats.contains(.webP), "it has 16,383 pixels a side at most")
        }
    }

    @Test("the same without alpha, and lying")
    func wideFrames() async {
        await #expect(processExitsWith: .success) {
            let formats = try Self.written(PlainFrames(50_020, 100))
            #expect(formats.contains(.png))
        }
    }

    @Test("frames of 1920 × 1080 pixels are written to every format within that")
    func usualFrames() async {
        await #expect(processExitsWith: .success) {
            let formats = try Self.written(PlainFrames(1920, 1080, count: 4))
            #expect(formats.count == Self.coders.count)
        }
    }

    @Test("many frames take no more than two")
    func manyFrames() async {
        await #expect(processExitsWith: .success) {
            let frames = PlainFrames(640, 480, count: 60, alpha: 128)
            let formats = try Self.written(frames, quality: 1)
            #expect(formats.count == Self.coders.count)
        }
    }

    @Test(
        "the largest frames that each format takes are written within that, also without loss",
        arguments: [false, true])
    func largeFrames(isLossless: Bool) async {
        if isLossless {
            await #expect(processExitsWith: .success) {
                for (width, height) in [(1500, 1500), (2300, 1000), (3200, 2000)] {
                    _ = try Self.written(PlainFrames(width, height, alpha: 99), isLossless: true)
                }
            }
        } else {
            await #expect(processExitsWith: .success) {
                for (width, height) in [(2000, 1500), (2500, 1600), (2500, 2500)] {
                    _ = try Self.written(PlainFrames(width, height), quality: 1)
                }
            }
        }
    }

    @Test("an animation that would take too much is refused before that, with the size and what to do")
    func refusal() throws {
        for (coder, format) in Self.coders where format != .webP {
            let error = #expect(throws: WebImageError.self) {
                try coder.encode(Image(animation: PlainFrames(5000, 5000)), to: format, options: ImageEncodeOptions())
            }
            #expect(error?.code == .encodeFailed)
            #expect(error?.reason.contains("5000×5000 pixels") == true, "\(String(describing: error))")
            #expect(error?.reason.contains("maxPixelSize") == true)
            var options = ImageEncodeOptions()
            options.maxPixelSize = PixelSize(width: 50, height: 50)
            _ = try coder.encode(Image(animation: PlainFrames(5000, 5000)), to: format, options: options)
        }
    }
}
