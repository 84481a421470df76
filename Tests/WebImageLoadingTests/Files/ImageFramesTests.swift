import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageLoading
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Frames in memory")
struct ImageFramesTests {
    private func frame(_ red: UInt8, _ seconds: Double, width: Int = 1) throws -> ImageFrame {
        let pixels = [[UInt8]](repeating: [red, 0, 0, 255], count: width).flatMap { $0 }
        return ImageFrame(
            bitmap: try Bitmap(size: PixelSize(width: width, height: 1), pixels: pixels),
            duration: .milliseconds(Int(seconds * 1000)))
    }

    @Test("HLP-1 MET-11 a list of frames becomes an animation")
    func animation() throws {
        let image = try #require(Image(frames: [frame(1, 0.2), frame(2, 0.35)], loopCount: 3, scale: 2))
        let animation = try #require(image.animation)
        #expect(image.isAnimated && image.scale == 2)
        #expect(image.bitmap.pixel(0, 0)[0] == 1)
        #expect(animation.frameCount == 2 && animation.loopCount == 3 && image.metadata.loopCount == 3)
        #expect(animation.duration(at: 1) == .milliseconds(350))
        #expect(try animation.frame(at: 1).pixel(0, 0)[0] == 2)
        #expect(image.memoryCost == 8)
        #expect(throws: WebImageError.self) { try animation.frame(at: 2) }
    }

    @Test("HLP-1 no frames are no picture, one is a still picture, and sizes must agree")
    func edges() throws {
        #expect(Image(frames: []) == nil)
        let still = try #require(Image(frames: [frame(9, 1)], loopCount: 4))
        #expect(!still.isAnimated && still.metadata.loopCount == 0)
        #expect(Image(frames: [try frame(1, 1), try frame(1, 1, width: 2)]) == nil)
    }

    @Test("HLP-2 an animation becomes a list of frames; the same bitmap twice in a row is one frame")
    func list() throws {
        let twice = try frame(1, 0.25)
        let image = try #require(Image(frames: [twice, twice, frame(2, 0.5)]))
        let frames = try #require(try image.frames())
        #expect(frames.map(\.duration) == [.seconds(0.5), .seconds(0.5)])
        #expect(frames.map { $0.bitmap.pixel(0, 0)[0] } == [1, 2])
        #expect(try Image(bitmap: twice.bitmap).frames() == nil)
    }

    @Test("HLP-2 frames without any duration have a tenth of a second each")
    func noDuration() throws {
        let image = try #require(Image(frames: [frame(1, 0), frame(2, -1)]))
        #expect(try image.frames()?.map(\.duration) == [.milliseconds(100), .milliseconds(100)])
    }

    @Test("COD-1 a coder that writes still pictures takes one frame, not none and not two")
    func stillCoder() throws {
        let coder = ImageCodersManager(coders: [JPEGCoder()])
        let options = ImageEncodeOptions()
        let one = try coder.encode([frame(200, 1)], loopCount: 0, to: .jpeg, options: options)
        #expect(ImageFormat(sniffing: one) == .jpeg)
        for (frames, words) in [([], "no frames"), ([try frame(1, 1), try frame(2, 1)], "2 frames")] {
            let error = #expect(throws: WebImageError.self) {
                try coder.encode(frames, loopCount: 0, to: .jpeg, options: options)
            }
            #expect(error?.code == .encodeFailed && error?.reason.contains(words) == true)
        }
        #expect(throws: WebImageError.self) {
            try coder.encode([frame(1, 1)], loopCount: 0, to: .tiff, options: options)
        }
    }

    @Test("COD-4 a still file is an animation of one frame")
    func stillFile() throws {
        let manager = ImageCodersManager.shared
        let animation = try manager.makeAnimation(of: Fixtures.data("photo.jpg"), options: ImageDecodeOptions())
        #expect(animation.frameCount == 1)
        #expect(try animation.frame(at: 0).size == Image(data: Fixtures.data("photo.jpg")).pixelSize)
    }

    @Test("COD-4 a coder gives all frames of a file", arguments: ["animated.gif", "animated.png", "animated.webp"])
    func animatedFile(name: String) throws {
        let data = try Fixtures.data(name)
        let animation = try ImageCodersManager.shared.makeAnimation(of: data, options: ImageDecodeOptions())
        #expect(animation.frameCount == 3)
        let frames = try (0..<3).map { try animation.frame(at: $0) }
        #expect(try frames[0].bytes == Image(data: data).bitmap.bytes)
        #expect(frames[1].bytes != frames[0].bytes && frames[2].bytes != frames[1].bytes)
        #expect(throws: WebImageError.self) { try animation.frame(at: 3) }
    }

    @Test("COD-4 a file without a frame is no animation", arguments: ["animated.gif", "animated.png", "animated.webp"])
    func noFrame(name: String) throws {
        // The header and no more.
        let header = try Fixtures.data(name).prefix(13)
        for data in [header, Data("<html>".utf8), Data()] {
            #expect(throws: WebImageError.self) {
                try ImageCodersManager.shared.makeAnimation(of: data, options: ImageDecodeOptions())
            }
        }
    }
}
