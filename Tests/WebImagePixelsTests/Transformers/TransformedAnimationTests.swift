import Testing
import WebImageCore

@testable import WebImagePixels
@testable import WebImageTestDoubles

@Suite("Transformed animations")
struct TransformedAnimationTests {
    /// Two frames: red, and one that fails.
    private final class Frames: AnimatedImageProvider {
        let frameCount = 2
        let loopCount = 3
        func frame(at index: Int) throws(WebImageError) -> Bitmap {
            guard index == 0 else {
                throw WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: "damaged")
            }
            return try Bitmap(size: PixelSize(width: 2, height: 1), pixels: [255, 0, 0, 255, 0, 0, 255, 255])
        }
        func duration(at index: Int) -> Duration { .milliseconds(100 * (index + 1)) }
        func preloadAllFrames() {}
    }

    private static func animation(_ transformer: any ImageTransformer) -> TransformedAnimation {
        TransformedAnimation(of: Frames(), by: transformer, scale: 1, key: CacheKey("a.gif"))
    }

    @Test("B37 every frame is transformed when it is shown; frames, durations and loops stay")
    func frames() throws {
        let animation = Self.animation(ImageFlippingTransformer(horizontal: true, vertical: false))
        #expect(animation.frameCount == 2)
        #expect(animation.loopCount == 3)
        #expect(animation.duration(at: 1) == .milliseconds(200))
        let pixels = try animation.frame(at: 0).withUnsafeBytes { [UInt8]($0) }
        #expect(pixels == [0, 0, 255, 255, 255, 0, 0, 255])
        #expect(throws: WebImageError.self) { try animation.frame(at: 1) }
    }

    @Test("B48 a frame without a result of the transformer is shown as it is")
    func rawFrame() throws {
        let frame = try Self.animation(ScriptedTransformer { _ in nil }).frame(at: 0)
        #expect(frame.withUnsafeBytes { [UInt8]($0) } == [255, 0, 0, 255, 0, 0, 255, 255])
    }
}
