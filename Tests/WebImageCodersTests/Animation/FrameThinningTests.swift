import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@Suite("Animations that are too fast for a file")
struct FrameThinningTests {
    /// Frames of which each has a colour of its own.
    private func frames(_ durations: [Duration]) throws -> [ImageFrame] {
        try durations.enumerated().map { index, duration in
            let color = [UInt8(index % 256), UInt8(index / 256), 0, 255]
            return ImageFrame(
                bitmap: try Bitmap(size: PixelSize(width: 2, height: 1), pixels: color + color), duration: duration)
        }
    }

    private func file(_ durations: [Duration], _ format: ImageFormat) throws -> Data {
        // Lossy formats join frames that become alike.
        var options = ImageEncodeOptions()
        options.isLossless = true
        return try ImageCodersManager.shared.encode(frames(durations), loopCount: 0, to: format, options: options)
    }

    /// The delays in a file of such frames, in milliseconds.
    private func delays(_ durations: [Duration], _ format: ImageFormat) throws -> [Int] {
        let properties = try ImageCodersManager.shared.properties(of: file(durations, format), isComplete: true)
        return try #require(properties).frameDurations.map(\.wholeMilliseconds)
    }

    @Test(
        "a GIF of a fast animation has no delay below 20 ms and its whole time, with fewer frames",
        arguments: [(60, 600), (50, 500), (100, 100), (75, 300), (120, 240), (240, 960)])
    func fast(framesPerSecond: Int, count: Int) throws {
        let delays = try delays([Duration](repeating: .seconds(1) / framesPerSecond, count: count), .gif)
        #expect(delays.allSatisfy { $0 >= 20 })
        #expect(delays.reduce(0, +) == count * 1000 / framesPerSecond)
        // As many as fit, and not every other one.
        #expect(delays.count == min(count, count * 50 / framesPerSecond))
    }

    @Test("a GIF plays as long as the animation that it was made of")
    func playedTime() throws {
        let durations = [Duration](repeating: .seconds(1) / 60, count: 60)
        let animation = try #require(try GIFCoder().decode(file(durations, .gif), options: .storedPixels).animation)
        let played = (0..<animation.frameCount).reduce(Duration.zero) { $0 + animation.duration(at: $1) }
        #expect(played == .seconds(1))
    }

    @Test("the first and the last frame are kept, and so are all that are long enough, at their times")
    func kept() throws {
        let durations = [30, 5, 5, 5, 40, 25, 25, 5].map { Duration.milliseconds($0) }
        let animation = try #require(try GIFCoder().decode(file(durations, .gif), options: .storedPixels).animation)
        let frames = try (0..<animation.frameCount).map { Int(try animation.frame(at: $0).pixel(0, 0)[0]) }
        #expect(frames == [0, 1, 4, 5, 7])
        #expect(
            (0..<animation.frameCount).map { animation.duration(at: $0).wholeMilliseconds } == [30, 20, 40, 30, 20])
    }

    @Test("frames of 20 ms and more keep their durations, rounded without drift")
    func slow() throws {
        #expect(try delays([.milliseconds(20), .milliseconds(20)], .gif) == [20, 20])
        #expect(try delays([Duration](repeating: .milliseconds(25), count: 4), .gif) == [30, 20, 30, 20])
        #expect(try delays([Duration](repeating: .seconds(1) / 3, count: 6), .gif).reduce(0, +) == 2000)
    }

    @Test("an animation that is too short for two frames still is one")
    func short() throws {
        #expect(try delays([.milliseconds(11), .milliseconds(12), .milliseconds(3)], .gif) == [20, 20])
    }

    @Test("frames without durations get those with which they are played", arguments: [ImageFormat.gif, .png, .webP])
    func unchosen(format: ImageFormat) throws {
        #expect(try delays([.zero, .zero, .zero], format) == [100, 100, 100])
    }

    @Test("other formats lose the frames that readers would show for 100 ms", arguments: [ImageFormat.png, .webP])
    func others(format: ImageFormat) throws {
        let delays = try delays([Duration](repeating: .seconds(1) / 120, count: 120), format)
        #expect(delays.allSatisfy { $0 >= 11 } && delays.reduce(0, +) == 1000 && delays.count >= 90)
        #expect(try self.delays([.milliseconds(11), .milliseconds(16)], format) == [11, 16])
    }

    @Test("an error of a frame has the number that the frame has in the animation")
    func failingFrame() throws {
        var frames = try frames([Duration](repeating: .milliseconds(10), count: 9))
        frames[8].bitmap = try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 255])
        let error = #expect(throws: WebImageError.self) {
            try GIFCoder().encode(frames, loopCount: 0, to: .gif, options: ImageEncodeOptions())
        }
        #expect(error?.reason.contains("frame 8 is") == true)
    }
}
