import Foundation
import Testing
import WebImageCoders
import WebImageCore
import WebImageVideo

@Suite("Videos as animations", .timeLimit(.minutes(5)), .needs("vp8enc", "webmmux", "pngdec"))
struct VideoCoderTests {
    private let maker: VideoMaker

    init() throws { maker = try VideoMaker() }

    /// Lossy, at half the resolution of colours.
    private static let least = 27.0

    private func check(_ data: Data, format: ImageFormat, count: Int = 12) throws {
        let image = try VideoCoder().decode(data, options: ImageDecodeOptions())
        #expect(image.metadata.format == format && image.metadata.frameCount == count && image.metadata.loopCount == 0)
        #expect(try image.bitmap.likeness(to: VideoMaker.frame(0)) > Self.least)
        let animation = try #require(image.animation)
        #expect(animation.frameCount == count && animation.loopCount == 0)
        for index in 0..<count {
            let milliseconds = animation.duration(at: index) / .milliseconds(1)
            #expect(abs(milliseconds - 100) < 5, "frame \(index) lasts \(milliseconds) ms")
        }
        // Forward, over the end to the start, backward, and at random.
        for index in Array(0..<count) + [0, 1, count - 1, count - 2, 7, 3, 9, 9, 2, 5, 6, 11, 0] {
            let frame = try animation.frame(at: index)
            let likeness = try frame.likeness(to: VideoMaker.frame(index))
            #expect(likeness > Self.least, "frame \(index): \(likeness) dB")
        }
        #expect(animation.animatedImageData == data)
        #expect(throws: WebImageError.self) { try animation.frame(at: count) }
    }

    @Test("WebM: each frame, its duration, and frames in any order")
    func webM() throws { try check(maker.webM(), format: .webM) }

    @Test("WebM of VP9, with frames that are never shown", .needs("vp9enc"))
    func vp9() throws { try check(maker.make(VideoMaker.vp9, "webmmux"), format: .webM) }

    @Test("WebM of VP8 with frames that are never shown")
    func hiddenFrames() throws {
        try check(
            maker.make(VideoMaker.vp8 + " auto-alt-ref=true lag-in-frames=8", "webmmux"), format: .webM)
    }

    @Test("WebM that was streamed, without a length and an index")
    func stream() throws { try check(maker.make(VideoMaker.vp8, "webmmux streamable=true"), format: .webM) }

    @Test("MP4: each frame, its duration, and frames in any order", .needs("openh264enc", "mp4mux", "avdec_h264"))
    func mp4() throws { try check(maker.make(VideoMaker.openH264, "mp4mux"), format: .mp4) }

    @Test("MP4 of H.264 with frames out of order", .needs("x264enc", "h264parse", "mp4mux", "avdec_h264"))
    func h264() throws {
        try check(maker.make(VideoMaker.h264, "mp4mux"), format: .mp4)
        try check(maker.make(VideoMaker.h264, "mp4mux faststart=true"), format: .mp4)
        let inOrder = VideoMaker.h264.replacing("bframes=2", with: "bframes=0")
        try check(maker.make(inOrder, "mp4mux fragment-duration=400"), format: .mp4)
        // Its first frame is shown late, and the length in the file does not count that.
        try check(maker.make(VideoMaker.h264, "mp4mux fragment-duration=400"), format: .mp4)
    }

    @Test("QuickTime, with and without brands, and 3GPP", .needs("openh264enc", "qtmux", "3gppmux", "avdec_h264"))
    func otherContainers() throws {
        let movie = try maker.make(VideoMaker.openH264, "qtmux")
        try check(movie, format: .mp4)
        // Empty boxes in the place of the brands.
        let rest = movie[3] - 8
        let empty = Data([0, 0, 0, 8]) + Data("wide".utf8) + Data([0, 0, 0, rest]) + Data("free".utf8)
        try check(empty + movie.dropFirst(empty.count), format: .mp4)
        try check(maker.make(VideoMaker.openH264, "3gppmux"), format: .mp4)
    }

    @Test("QuickTime of single JPEG pictures", .needs("jpegenc", "qtmux", "jpegdec"))
    func pictures() throws {
        try check(maker.make("video/x-raw,format=I420 ! jpegenc quality=95", "qtmux"), format: .mp4)
    }

    @Test("sound is left out", .needs("vorbisenc"))
    func sound() throws {
        let data = try maker.make(
            VideoMaker.vp8,
            "mux. audiotestsrc num-buffers=52 ! audioconvert ! vorbisenc ! mux. webmmux name=mux")
        try check(data, format: .webM)
    }

    @Test("headers give size and durations; a beginning gives nothing")
    func properties() throws {
        let data = try maker.webM()
        let properties = try #require(try VideoCoder().properties(of: data, isComplete: true))
        #expect(properties.pixelSize == VideoMaker.size && properties.frameCount == 12)
        #expect(properties.frameDurations.count == 12 && properties.format == .webM)
        #expect(try VideoCoder().properties(of: data.prefix(500), isComplete: false) == nil)
    }

    @Test("a thumbnail has its own size, as have all frames")
    func thumbnail() throws {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 30, height: 30)
        let image = try VideoCoder().decode(maker.webM(), options: options)
        #expect(image.pixelSize == PixelSize(width: 30, height: 20))
        #expect(try #require(image.animation).frame(at: 7).size == PixelSize(width: 30, height: 20))
    }

    @Test(
        "a video that is stored lying, or with oblong pixels, is shown upright and in proportion",
        .needs("x264enc", "h264parse", "mp4mux", "avdec_h264"))
    func geometry() throws {
        let oblong = try maker.make(
            "video/x-raw,format=I420 ! capssetter caps=video/x-raw,pixel-aspect-ratio=2/1 ! \(VideoMaker.vp8)",
            "webmmux", count: 2)
        let wide = try VideoCoder().decode(oblong, options: ImageDecodeOptions())
        #expect(wide.pixelSize == PixelSize(width: 192, height: 64))
        var lying = try maker.make(VideoMaker.h264, "mp4mux", count: 2)
        // The matrix of the track: a quarter turn to the right.
        let track = try #require(lying.range(of: Data("tkhd".utf8)))
        let turn: [[UInt8]] = [[], [0, 1], [], [255, 255], [], [], [0, 64], [], [64]].map {
            $0 + [0, 0, 0, 0].dropFirst($0.count)
        }
        lying.replaceSubrange(track.upperBound + 40..<track.upperBound + 76, with: turn.flatMap { $0 })
        let upright = try VideoCoder().decode(lying, options: ImageDecodeOptions())
        #expect(upright.pixelSize == PixelSize(width: 64, height: 96))
    }

    @Test("one frame is a still picture; so is a video of which only the first is wanted")
    func still() throws {
        #expect(try VideoCoder().decode(maker.webM(count: 1), options: ImageDecodeOptions()).animation == nil)
        var options = ImageDecodeOptions()
        options.decodesFirstFrameOnly = true
        let data = try maker.webM()
        let image = try VideoCoder().decode(data, options: options)
        #expect(image.animation == nil && image.metadata.frameCount == 1)
        #expect(try image.bitmap.likeness(to: VideoMaker.frame(0)) > Self.least)
        #expect(try VideoCoder().makeAnimation(of: data, options: options).frameCount == 12)
    }

    @Test("an app registers the coder, and its loads decode videos; pictures of the same container are not its own")
    func registration() throws {
        let manager = ImageCodersManager(coders: [])
        let data = try maker.webM()
        let error = #expect(throws: WebImageError.self) { try manager.decode(data, options: ImageDecodeOptions()) }
        #expect(error?.reason.contains("no coder is registered for WebM") == true)
        manager.add(.video)
        #expect(try manager.decode(data, options: ImageDecodeOptions()).animation?.frameCount == 12)
        for format in [ImageFormat.avif, .heic, .heif] { #expect(!VideoCoder().canDecode(format)) }
    }

    @Test("several threads ask for frames at once")
    func threads() async throws {
        let animation = try VideoCoder().makeAnimation(of: maker.webM(), options: ImageDecodeOptions())
        try await withThrowingTaskGroup(of: Double.self) { group in
            for number in 0..<24 {
                group.addTask {
                    let index = number * 5 % 12
                    return try animation.frame(at: index).likeness(to: VideoMaker.frame(index))
                }
            }
            for try await likeness in group { #expect(likeness > Self.least) }
        }
    }

    @Test("frames that were preloaded are there at once")
    func preload() throws {
        let animation = try VideoCoder().makeAnimation(of: maker.webM(), options: ImageDecodeOptions())
        animation.preloadAllFrames()
        #expect(animation.isAllFramesLoaded)
        #expect(try animation.frame(at: 5) === animation.frame(at: 5))
    }
}
