import Foundation
import Testing
import WebImageCoders
import WebImageCore
import WebImageIsolation
import WebImageTestSupport
import WebImageVideo

/// Videos that `webimage-decoder` decodes, for a manager that is set so.
@Suite(
    "Videos from decoder processes", .timeLimit(.minutes(5)), .needs("vp8enc", "webmmux", "pngdec"),
    .disabled(if: Sanitizer.isActive, "a sanitizer's own code needs more system calls than decoding"))
struct IsolatedVideoTests {
    private let maker: VideoMaker
    private let here = ImageCodersManager(coders: [VideoCoder()])
    private let apart = ImageCodersManager(coders: [])

    init() throws {
        maker = try VideoMaker()
        apart.isolation = .helper
    }

    private static func areSame(_ first: Bitmap, _ second: Bitmap) -> Bool { first.bytes == second.bytes }

    private func check(_ data: Data) throws {
        for box in [nil, PixelSize(width: 40, height: 40)] {
            var options = ImageDecodeOptions()
            options.thumbnailPixelSize = box
            let (expected, found) = try (here.decode(data, options: options), apart.decode(data, options: options))
            #expect(Self.areSame(found.bitmap, expected.bitmap) && found.metadata == expected.metadata)
            let frames = try (#require(expected.animation), #require(found.animation))
            #expect(frames.0.frameCount == frames.1.frameCount)
            for index in Array(0..<frames.0.frameCount) + [0, 7, 3] {
                #expect(try Self.areSame(frames.0.frame(at: index), frames.1.frame(at: index)), "frame \(index)")
                #expect(frames.0.duration(at: index) == frames.1.duration(at: index))
            }
        }
        #expect(
            try apart.properties(of: data, isComplete: true) == here.properties(of: data, isComplete: true))
    }

    @Test("WebM: the same frames and durations as in this process")
    func webM() throws { try check(maker.webM()) }

    @Test("WebM of VP9", .needs("vp9enc"))
    func vp9() throws { try check(maker.make(VideoMaker.vp9, "webmmux")) }

    @Test("WebM of AV1", .needs("av1enc", "av1parse", "av1dec"))
    func av1() throws {
        try check(maker.make("video/x-raw,format=I420 ! av1enc cpu-used=8 ! av1parse", "webmmux", count: 8))
    }

    @Test("MP4 of H.264", .needs("x264enc", "h264parse", "mp4mux", "avdec_h264"))
    func h264() throws { try check(maker.make(VideoMaker.h264, "mp4mux")) }

    @Test("MP4 of H.265", .needs("x265enc", "h265parse", "mp4mux", "avdec_h265"))
    func h265() throws {
        try check(maker.make("video/x-raw,format=I420 ! x265enc key-int-max=6 ! h265parse", "mp4mux"))
    }

    @Test("QuickTime of single JPEG pictures", .needs("jpegenc", "qtmux", "jpegdec"))
    func pictures() throws { try check(maker.make("video/x-raw,format=I420 ! jpegenc quality=95", "qtmux")) }

    @Test("sound is left out", .needs("vorbisenc"))
    func sound() throws {
        try check(
            maker.make(
                VideoMaker.vp8,
                "mux. audiotestsrc num-buffers=52 ! audioconvert ! vorbisenc ! mux. webmmux name=mux"))
    }

    @Test("what is damaged fails as in this process, and the next video is there")
    func damage() throws {
        let whole = try maker.webM()
        let noise = whole.prefix(64) + Data((64..<whole.count).map { UInt8(truncatingIfNeeded: $0 * 7919 >> 3) })
        for damaged in [whole.dropLast(), whole.prefix(whole.count / 2), noise] {
            let expected = #expect(throws: WebImageError.self) {
                try here.decode(damaged, options: ImageDecodeOptions())
            }
            let found = #expect(throws: WebImageError.self) {
                try apart.decode(damaged, options: ImageDecodeOptions())
            }
            // The thread of GStreamer's that finds the damage first is not always the same.
            #expect(found?.code == expected?.code && found?.kind == expected?.kind, "\(found?.reason ?? "")")
        }
        try check(whole)
    }

    @Test("several videos are decoded at once")
    func several() async throws {
        let data = try maker.webM()
        let expected = try here.decode(data, options: ImageDecodeOptions()).bitmap
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { [apart] in
                    let found = try? apart.decode(data, options: ImageDecodeOptions())
                    #expect(found.map { Self.areSame($0.bitmap, expected) } == true)
                }
            }
        }
    }
}
