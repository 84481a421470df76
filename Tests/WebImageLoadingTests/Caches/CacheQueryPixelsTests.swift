import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageLoading
import WebImageTestLoads
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Cache queries: pixels that count as an answer", .timeLimit(.minutes(5)))
struct CacheQueryPixelsTests {
    private enum Own: Sendable {}
    private typealias OwnImage = ScriptedAnimatedImage<Own>

    private let cache = SuspendedCache(answersAtOnce: false)
    private let recorder = QueryRecorder()
    private let key = CacheKey("https://example.org/a.gif")
    private static let animation = ScriptedAnimationCoder.file(2, 2, frames: 4)
    private static let own = WebImageContext.coder(ScriptedAnimationCoder()) { $0.animatedImageClass = OwnImage.self }

    private func query(_ options: WebImageOptions = [], _ context: WebImageContext) -> ImageCacheToken? {
        cache.queryImage(for: key, options: options, context: context, completion: recorder.completion)
    }

    private func animatedImage() throws -> Image {
        try ScriptedAnimationCoder().decode(Self.animation, options: ImageDecodeOptions())
    }

    @Test("T4.14 OPT-19 of an animation in memory, the first frame is a still picture of its own; the animation stays")
    func firstFrame() throws {
        let animated = try animatedImage()
        cache.storeInMemory(animated, for: key)
        let context = WebImageContext.coder(ScriptedAnimationCoder())
        #expect(query([], context) == nil)
        #expect(query(.decodeFirstFrameOnly, context) == nil)
        let images = recorder.images
        #expect(images.first === animated)
        #expect(images.last !== animated && images.last?.isAnimated == false)
        #expect(recorder.words == ["memory 2x2", "memory 2x2"])
        #expect(cache.imageFromMemory(for: key, options: .decodeFirstFrameOnly)?.isAnimated == false)
        #expect(cache.imageFromMemory(for: key)?.isAnimated == true)
    }

    @Test("T4.41 OPT-21 with matchAnimatedImageClass, and only then, another picture in memory counts as none")
    func matchClass() async throws {
        cache.storeInMemory(try .sample(), for: key)
        cache.put(Self.animation, for: key)
        #expect(query([], Self.own) == nil)
        #expect(recorder.words == ["memory 1x1"])
        #expect(cache.imageFromMemory(for: key, options: .matchAnimatedImageClass, context: Self.own) == nil)
        #expect(query(.matchAnimatedImageClass, Self.own) != nil)
        cache.answer()
        #expect(try await recorder.endings(2).last == "disk 2x2 with data")
        #expect(recorder.images.last?.animation is OwnImage)
        #expect(
            try cache.imageFromCacheBlocking(for: key, options: .matchAnimatedImageClass, context: Self.own)?.animation
                is OwnImage)
    }

    @Test("T4.41 a file that the class refuses is an error of the setting, and stays in place")
    func unmatchedFile() throws {
        cache.put(ScriptedAnimationCoder.file(2, 2, frames: 1), for: key)
        let error = #expect(throws: WebImageError.self) {
            try cache.imageFromDiskBlocking(for: key, options: .matchAnimatedImageClass, context: Self.own)
        }
        #expect(error?.code == .badImageData)
        #expect(error?.kind == .policy)
        #expect(cache.disk[key] != nil)
    }

    @Test("B43 a picture that reaches memory during a disk read follows the same rules")
    func rulesForMemoryMeanwhile() async throws {
        cache.put(Self.animation, for: key)
        _ = query(.decodeFirstFrameOnly, .coder(ScriptedAnimationCoder()))
        cache.storeInMemory(try animatedImage(), for: key)
        cache.answer()
        _ = try await recorder.ending()
        #expect(recorder.images.first?.isAnimated == false)

        _ = query(.matchAnimatedImageClass, Self.own)
        cache.answer()
        #expect(try await recorder.endings(2).last == "disk 2x2 with data")
        #expect(recorder.images.last?.animation is OwnImage)
    }

    @Test("B45 each way to decode has pixels of its own in memory: the first one does not win for all")
    func variants() throws {
        cache.put(try Fixtures.data("photo.jpg"), for: key)
        let whole = WebImageContext.coder(JPEGCoder())
        let limited = WebImageContext.coder(JPEGCoder()) { $0.scaleDownLimitBytes = 4000 }
        let small = try #require(try cache.imageFromCacheBlocking(for: key, context: limited))
        let large = try #require(try cache.imageFromCacheBlocking(for: key, context: whole))
        #expect(small.pixelSize.area <= 1000 && large.pixelSize.area > 1000)
        let double = WebImageContext.coder(JPEGCoder()) { $0.scaleFactor = 2 }
        #expect(try cache.imageFromCacheBlocking(for: key, context: double)?.scale == 2)
        // All of them are in memory now, each under its own key.
        cache.remove(for: key, from: .disk, completion: nil)
        #expect(try cache.imageFromCacheBlocking(for: key, context: limited) === small)
        #expect(try cache.imageFromCacheBlocking(for: key, context: whole) === large)
        #expect(cache.imageFromMemory(for: key, options: [], context: double)?.scale == 2)
    }

    @Test("CAC-19 OPT-20 on request all frames exist when the animation is delivered")
    func preload() throws {
        cache.put(Self.animation, for: key)
        let image = try cache.imageFromDiskBlocking(for: key, options: .preloadAllFrames, context: Self.own)
        #expect((image?.animation as? OwnImage)?.preloadCount == 1)
        let without = try cache.imageFromDiskBlocking(for: key, context: Self.own)
        #expect((without?.animation as? OwnImage)?.preloadCount == 0)
    }

    @Test("CAC-19 OPT-11 a large picture is decoded to the limit of bytes")
    func scaleDown() throws {
        let coder = ScriptedCoder { options in
            #expect(options.scaleDownLimitBytes == ImageDecodeOptions.defaultScaleDownLimitBytes)
        }
        cache.put(ScriptedCoder.file(4, 4), for: key)
        _ = try cache.imageFromDiskBlocking(for: key, options: .scaleDownLargeImages, context: .coder(coder))
        #expect(coder.decodeCount == 1)
    }
}
