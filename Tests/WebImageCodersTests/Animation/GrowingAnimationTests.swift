import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Animations that are still arriving")
struct GrowingAnimationTests {
    @Test(
        "COD-5 S4-18 BCO-11 an animation grows frame by frame, and each frame equals the whole file's",
        arguments: ["animated.gif", "animated.png", "animated.webp"], [1, 40])
    func growing(name: String, chunkSize: Int) throws {
        let data = try Fixtures.data(name)
        let whole = try #require(
            try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions()).animation)
        let partials = try ProgressiveJPEGTests.partials(
            of: data, chunkSize: chunkSize, coder: ImageCodersManager.shared)
        var frameCount = 0
        for partial in partials {
            #expect(partial.metadata.isIncremental)
            guard let animation = partial.animation else { continue }
            #expect(animation.frameCount >= frameCount && animation.frameCount <= whole.frameCount)
            frameCount = animation.frameCount
            for index in 0..<frameCount {
                #expect(try animation.frame(at: index).bytes == whole.frame(at: index).bytes, "frame \(index)")
                #expect(animation.duration(at: index) == whole.duration(at: index))
            }
        }
        // The picture is there before the last frame is, and moves before it is whole.
        #expect(partials.contains { ($0.animation?.frameCount ?? 1) < whole.frameCount })
        #expect(frameCount > 1)
    }

    /// Decodes files as they come, and knows nothing of animations.
    private struct StillCoder: ProgressiveImageCoder {
        private let coder = GIFCoder()

        private final class Decoder: ProgressiveImageDecoder {
            private let decoder: any ProgressiveImageDecoder

            init(_ decoder: any ProgressiveImageDecoder) { self.decoder = decoder }

            func update(_ newBytes: Data) throws(WebImageError) -> Image? {
                try decoder.update(newBytes).map { Image(bitmap: $0.bitmap) }
            }
        }

        func canDecode(_ data: Data) -> Bool { coder.canDecode(data) }
        func canDecodeProgressively(_ data: Data) -> Bool { coder.canDecodeProgressively(data) }

        func makeProgressiveDecoder(options: ImageDecodeOptions) -> any ProgressiveImageDecoder {
            Decoder(coder.makeProgressiveDecoder(options: options))
        }

        func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
            try coder.properties(of: data, isComplete: isComplete)
        }

        func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
            try coder.decode(data, options: options)
        }
    }

    @Test("COD-5 for a coder without animations, a part of a file is the first frame alone")
    func still() throws {
        let manager = ImageCodersManager(coders: [StillCoder()])
        let data = try Fixtures.data("animated.gif")
        let partials = try ProgressiveJPEGTests.partials(of: data, chunkSize: 10, coder: manager)
        let first = try GIFCoder().decode(data, options: ImageDecodeOptions()).bitmap
        #expect(partials.count > 1 && partials.allSatisfy { !$0.isAnimated })
        #expect(partials.last?.bitmap.bytes == first.bytes)
    }

    @Test(
        "DOP-8 the frames of a growing animation keep to the byte limit, however many have arrived",
        arguments: ["animated.gif", "animated.png", "animated.webp"])
    func limited(name: String) throws {
        let data = try Fixtures.data(name)
        let whole = try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions())
        var options = ImageDecodeOptions()
        options.scaleDownLimitBytes = whole.memoryCost
        let partials = try ProgressiveJPEGTests.partials(
            of: data, chunkSize: 40, options: options, coder: ImageCodersManager.shared)
        #expect(!partials.isEmpty)
        for partial in partials {
            #expect(partial.bitmap.byteCount * (partial.animation?.frameCount ?? 1) <= whole.memoryCost)
        }
    }

    @Test("BCO-5 BCO-7 S4-4 one animation shows the same frames as GIF, PNG and WebP")
    func sameFrames() throws {
        let animations = try ["animated.png", "animated.webp", "animated.gif"].map { name in
            try #require(try ImageCodersManager.shared.decode(Fixtures.data(name), options: .storedPixels).animation)
        }
        for index in 0..<3 {
            let frames = try animations.map { try $0.frame(at: index) }
            #expect(peakSignalToNoise(frames[0].bytes, frames[1].bytes) > 25, "frame \(index)")
            // The GIF has half the size.
            for (x, y) in [(1, 1), (12, 8), (21, 13), (21, 1)] {
                #expect(largestDifference(frames[0].pixel(x * 2, y * 2), frames[2].pixel(x, y)) <= 4, "frame \(index)")
            }
        }
        let colors = try (0..<2).map { try animations[0].frame(at: $0).pixel(2, 2) }
        #expect(colors == [[255, 0, 0, 255], [0, 255, 0, 255]])
    }
}
