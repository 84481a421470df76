import Foundation
import Glibc
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageVideo

@Suite("Damaged and excessive videos", .timeLimit(.minutes(10)), .needs("vp8enc", "webmmux", "pngdec"))
struct HostileVideoTests {
    private let maker: VideoMaker

    init() throws { maker = try VideoMaker() }

    private func error(_ data: Data, _ options: ImageDecodeOptions = ImageDecodeOptions()) -> WebImageError? {
        #expect(throws: WebImageError.self) { try VideoCoder().decode(data, options: options) }
    }

    private func videos() throws -> [Data] {
        var videos = [try maker.webM()]
        if VideoMaker.has("x264enc", "avdec_h264") { videos.append(try maker.make(VideoMaker.h264, "mp4mux")) }
        return videos
    }

    @Test("a file that ends too early is truncated, wherever it ends")
    func truncated() throws {
        for data in try videos() {
            for part in 1...7 {
                let error = error(data.prefix(data.count * part / 8))
                #expect(error?.code == .truncatedImageData, "\(part)/8: \(String(describing: error))")
            }
            #expect(error(data.dropLast())?.code == .truncatedImageData)
        }
    }

    @Test("a file that begins like a video and is none is one error")
    func noVideo() throws {
        for data in try videos() {
            let noise = data.prefix(64) + Data((0..<data.count - 64).map { UInt8(truncatingIfNeeded: $0 * 7919 >> 3) })
            let error = error(noise)
            #expect([.badImageData, .truncatedImageData].contains(error?.code), "\(String(describing: error))")
        }
        #expect(error(Data("\0\0\0\u{14}ftypisom\0\0\0\0mp42".utf8))?.code == .badImageData)
    }

    @Test("a file of sound only has no pictures", .needs("vorbisenc"))
    func soundOnly() throws {
        let data = try maker.make(
            "fakesink audiotestsrc num-buffers=20 ! audioconvert ! vorbisenc", "webmmux", count: 1)
        let error = error(data)
        #expect(
            error?.code == .badImageData && error?.reason.contains("no pictures") == true,
            "\(String(describing: error))")
    }

    @Test("damage at random ends in frames or one error each, within the time limit")
    func damage() throws {
        var options = ImageDecodeOptions()
        options.limits.maximumDecodeDuration = .seconds(2)
        let manager = ImageCodersManager(coders: [VideoCoder()])
        for data in try videos() {
            var mutator = FileMutator(seed: 5)
            for _ in 0..<25 {
                let mutant = mutator.mutate(data)
                guard let image = try? manager.decode(mutant, options: options) else { continue }
                guard let animation = image.animation else { continue }
                for index in [0, animation.frameCount - 1, animation.frameCount / 2] {
                    _ = try? animation.frame(at: index)
                }
            }
        }
    }

    @Test("limits of pixels, frames, bytes and time are errors that name them")
    func limits() throws {
        let data = try maker.webM()
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 1000
        #expect(error(data, options)?.reason.contains("maximumPixelCount") == true)
        options = ImageDecodeOptions()
        options.limits.maximumFrameCount = 11
        let frames = error(data, options)
        #expect(frames?.code == .limitExceeded && frames?.reason.contains("maximumFrameCount") == true)
        options.limits.maximumFrameCount = 12
        #expect(try VideoCoder().decode(data, options: options).metadata.frameCount == 12)
        options.limits.maximumDecodeDuration = .zero
        let manager = ImageCodersManager(coders: [VideoCoder()])
        let time = #expect(throws: WebImageError.self) { try manager.decode(data, options: options) }
        #expect(time?.reason.contains("maximumDecodeDuration") == true)
    }

    @Test("a frame that is larger than its container says is refused before it is decoded")
    func largerFrame() throws {
        var data = try maker.webM()
        let start = try #require(data.range(of: Data([0x9D, 0x01, 0x2A])))
        data.replaceSubrange(start.upperBound..<start.upperBound + 4, with: [0xFF, 0x3F, 0xFF, 0x3F])
        #expect(error(data)?.reason.contains("larger than the video") == true)
    }

    @Test("so is a later frame of VP9, whose key frames have a size each", .needs("vp9enc", "vp9parse"))
    func laterFrame() throws {
        var data = try maker.make(
            "video/x-raw,format=I420 ! vp9enc deadline=1 keyframe-max-dist=4", "webmmux")
        let starts = data.ranges(of: Data([0x49, 0x83, 0x42]))
        let start = try #require(starts.dropFirst().first)
        // Behind four bits: columns and rows, one less, in 16 bits each (VP9 bitstream specification §6.2.3).
        let head = data[start.upperBound]
        data.replaceSubrange(start.upperBound..<start.upperBound + 4, with: [head & 0xF0 | 0x0F, 0xFF, 0xFF, 0xFF])
        #expect(error(data)?.reason.contains("larger than the video") == true)
    }

    @Test(
        "so is a later frame of H.264, which a new parameter set may enlarge", .needs("x264enc", "h264parse", "mp4mux"))
    func laterParameters() throws {
        func part(_ width: Int, _ height: Int) -> String {
            "videotestsrc num-buffers=3 ! video/x-raw,width=\(width),height=\(height),framerate=10/1,format=I420 ! x264enc"
                + " ! video/x-h264,stream-format=byte-stream ! parts."
        }
        let join = "concat name=parts ! h264parse ! video/x-h264,stream-format=avc3 ! mp4mux"
        let growing = try maker.record("\(part(96, 64)) \(part(1920, 1088)) \(join)")
        #expect(error(growing)?.reason.contains("larger than the video") == true)
        let shrinking = try maker.record("\(part(192, 128)) \(part(96, 64)) \(join)")
        let image = try VideoCoder().decode(shrinking, options: ImageDecodeOptions())
        #expect(image.pixelSize == PixelSize(width: 192, height: 128))
    }

    @Test("a decoder's frame that is larger than the file says is refused, whatever read the file")
    func undetected() throws {
        let file = try VideoFile(maker.webM(), ImageDecodeOptions())
        var header = try file.header(readsTimes: true, ImageDecodeOptions())
        header.codedSize = PixelSize(width: 20, height: 20)
        let frames = try VideoFrames(file, header, header.geometry(ImageDecodeOptions()))
        let error = #expect(throws: WebImageError.self) { try frames.nextFrame(options: ImageDecodeOptions()) }
        #expect(error?.reason.contains("larger than the video") == true)
    }

    @Test("a cancelled decode ends, also while it is waited for")
    func cancellation() throws {
        var options = ImageDecodeOptions()
        let flag = CancellationFlag()
        flag.cancel()
        options.cancellation = flag
        #expect(error(try maker.webM(), options)?.isCancelled == true)
    }

    @Test("a program's handlers of signals stay as they are")
    func signals() async {
        await #expect(processExitsWith: .success) {
            let numbers = [SIGSEGV, SIGABRT, SIGINT, SIGTERM, SIGCHLD, SIGPIPE, SIGBUS, SIGFPE, SIGILL, SIGTRAP]
            func handlers() -> [Int] {
                numbers.map { number in
                    var action = sigaction()
                    sigaction(number, nil, &action)
                    return unsafeBitCast(action.__sigaction_handler.sa_sigaction, to: Int.self)
                }
            }
            let before = handlers()
            _ = try? VideoCoder().decode(Data("\0\0\0\u{14}ftypisom\0\0\0\0mp42".utf8), options: ImageDecodeOptions())
            try #require(handlers() == before)
        }
    }
}
