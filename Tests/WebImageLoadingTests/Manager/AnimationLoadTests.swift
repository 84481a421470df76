import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: animations", .timeLimit(.minutes(5)))
struct AnimationLoadTests {
    private enum Own: Sendable {}
    private enum Other: Sendable {}
    private typealias OwnImage = ScriptedAnimatedImage<Own>
    private typealias OtherImage = ScriptedAnimatedImage<Other>

    private let bench = ManagerBench(coder: ScriptedAnimationCoder())
    private static let key = ManagerBench.key()
    private static let animation = ScriptedAnimationCoder.file(2, 2, frames: 4)
    private static let still = ScriptedAnimationCoder.file(2, 2, frames: 1)

    @Test("OPT-9 S0-12 animations are left alone by transformers, except with the option")
    func transforms() async throws {
        let transformer = ScriptedTransformer()
        let alone = try await bench.load(sending: Self.animation) { $0.transformer = transformer }.get()
        #expect(alone.image.pixelSize == .square(2))
        #expect(alone.image.isAnimated)
        #expect(alone.data == Self.animation)
        #expect(transformer.count == 0)
        let told = try await bench.load("b.jpg", .transformAnimatedImage, sending: Self.animation) {
            $0.transformer = transformer
        }.get()
        #expect(told.image.pixelSize == .square(3))
        #expect(told.image.metadata.isTransformed)
        #expect(told.data == nil)
    }

    @Test("OPT-9 a load that transforms animations is not answered by an untransformed one")
    func transformedAfterAlone() async throws {
        let transformer = ScriptedTransformer()
        _ = try await bench.load("a.jpg", .waitStoreCache, sending: Self.animation) {
            $0.transformer = transformer
        }.get()
        let load = try bench.load("a.jpg", .transformAnimatedImage) { $0.transformer = transformer }
        _ = try await load.result()
        #expect(load.words == ["disk 3x3"])
    }

    @Test("OPT-9 a load that leaves animations alone is not answered by a transformed one")
    func aloneAfterTransformed() async throws {
        let transformer = ScriptedTransformer()
        _ = try await bench.load("a.jpg", [.transformAnimatedImage, .waitStoreCache], sending: Self.animation) {
            $0.transformer = transformer
        }.get()
        for _ in 0..<2 {
            let load = try bench.load { $0.transformer = transformer }
            #expect(try await load.result().image.pixelSize == .square(2))
            bench.cache.clear(.memory, completion: nil)
        }
    }

    @Test("MET-3 OPT-23 pictures drawn from shapes are left alone by transformers, except with the option")
    func vectors() async throws {
        let bench = ManagerBench(coder: ScriptedAnimationCoder(isVector: true))
        let transformer = ScriptedTransformer()
        let alone = try await bench.load(sending: Self.still) { $0.transformer = transformer }.get()
        #expect(alone.image.pixelSize == .square(2))
        let told = try await bench.load("b.jpg", .transformVectorImage, sending: Self.still) {
            $0.transformer = transformer
        }.get()
        #expect(told.image.pixelSize == .square(3))
    }

    @Test("OPT-19 A38 the first frame of an animation in memory is a copy; the animation stays as it is")
    func firstFrameFromMemory() async throws {
        _ = try await bench.load(sending: Self.animation).get()
        let still = try await bench.load("a.jpg", .decodeFirstFrameOnly).result()
        #expect(still.cacheType == .memory)
        #expect(!still.image.isAnimated)
        #expect(still.image.metadata.frameCount == 1)
        let animated = try await bench.load().result()
        #expect(animated.cacheType == .memory)
        #expect(animated.image.metadata.frameCount == 4)
        #expect(animated.image.animation != nil)
    }

    @Test("OPT-19 B45 a decoded first frame is not taken for the animation")
    func firstFrameFirst() async throws {
        let still = try await bench.load("a.jpg", [.decodeFirstFrameOnly, .waitStoreCache], sending: Self.animation) {
            $0.animatedImageClass = OwnImage.self
        }.get()
        #expect(!still.image.isAnimated)
        let animated = try await bench.load().result()
        #expect(animated.cacheType == .disk)
        #expect(animated.image.metadata.frameCount == 4)
    }

    @Test("OPT-19 B45 the file of a first frame's thumbnail is not taken for the animation's")
    func firstFrameThumbnail() async throws {
        _ = try await bench.load("a.jpg", [.decodeFirstFrameOnly, .waitStoreCache], sending: Self.animation) {
            $0.thumbnailPixelSize = .square(1)
        }.get()
        bench.cache.clear(.memory, completion: nil)
        let load = try bench.load { $0.thumbnailPixelSize = .square(1) }
        #expect(try await load.result().image.isAnimated)
    }

    @Test("an animation's thumbnail is an animation also when it comes from the disk")
    func thumbnailFromDisk() async throws {
        let first = try await bench.load("a.jpg", .waitStoreCache, sending: Self.animation) {
            $0.thumbnailPixelSize = .square(1)
        }.get()
        #expect(first.image.isAnimated)
        bench.cache.clear(.memory, completion: nil)
        let load = try bench.load { $0.thumbnailPixelSize = .square(1) }
        let second = try await load.result()
        #expect(second.cacheType == .disk)
        #expect(second.image.isAnimated)
    }

    @Test("OPT-19 B43 a first frame is made of an original in memory, too, before it is transformed")
    func firstFrameOfOriginalInMemory() async throws {
        _ = try await bench.load("a.jpg", .waitStoreCache, sending: Self.animation).get()
        let load = try bench.load("a.jpg", .decodeFirstFrameOnly) { context in
            context.transformer = ScriptedTransformer()
            context.originalQueryCacheType = .all
        }
        let result = try await load.result()
        #expect(result.image.animation == nil)
        #expect(result.image.pixelSize == .square(3))
    }

    @Test("OPT-20 with the option, all frames are decoded before the animation is delivered")
    func preload() async throws {
        let preloaded = try await bench.load("a.jpg", .preloadAllFrames, sending: Self.animation) {
            $0.animatedImageClass = OwnImage.self
        }.get()
        #expect((preloaded.image.animation as? OwnImage)?.preloadCount == 1)
        let byCoder = try await bench.load("b.jpg", .preloadAllFrames, sending: Self.animation).get()
        #expect((byCoder.image.animation as? ScriptedFrames)?.preloadCount == 1)
        let lazy = try await bench.load("c.jpg", sending: Self.animation).get()
        #expect((lazy.image.animation as? ScriptedFrames)?.preloadCount == 0)
    }

    @Test("CTX-22 LD-3 S4-19 an animation has the context's class, or the usual one if that refuses it")
    func animatedClass() async throws {
        let own = try await bench.load(sending: Self.animation) { $0.animatedImageClass = OwnImage.self }.get()
        #expect(own.image.animation is OwnImage)
        #expect(own.image.metadata.loopCount == 3)
        let usual = try await bench.load("b.jpg", sending: Self.animation) {
            $0.animatedImageClass = RefusingAnimatedImage.self
        }.get()
        #expect(usual.image.animation is ScriptedFrames)
        let still = try await bench.load("c.jpg", sending: Self.still) { $0.animatedImageClass = OwnImage.self }.get()
        #expect(still.image.animation == nil)
    }

    @Test("CTX-6 B8 the context's coder also decodes an animation for the context's class, which gets the file")
    func contextCoder() async throws {
        let coder = ScriptedAnimationCoder()
        let result = try await bench.load(sending: Self.animation) { context in
            context.coder = coder
            context.animatedImageClass = OwnImage.self
        }.get()
        #expect(coder.decodeCount == 1)
        #expect((result.image.animation as? OwnImage)?.frameCount == 4)
    }

    @Test("B45 an animation that one class holds in memory is not another class's")
    func classesApart() async throws {
        _ = try await bench.load("a.jpg", .waitStoreCache, sending: Self.animation) {
            $0.animatedImageClass = OwnImage.self
        }.get()
        let other = try await bench.load { $0.animatedImageClass = OtherImage.self }.result()
        #expect(other.cacheType == .disk)
        #expect(other.image.animation is OtherImage)
        #expect(try await bench.load { $0.animatedImageClass = OwnImage.self }.result().image.animation is OwnImage)
    }

    @Test("a file with more frames than allowed stands still, unless the load requires an animation")
    func tooManyFrames() async throws {
        var gif = GIFBuilder(width: 1, height: 1)
        for _ in 0..<3 { gif.appendFrame(width: 1, height: 1, indices: [1]) }
        gif.appendTrailer()
        func result(_ name: String, _ options: WebImageOptions = []) async throws -> Result<Image, WebImageError> {
            let load = try await bench.load(name, options, sending: gif.data) { context in
                context.coder = GIFCoder()
                context.animatedImageClass = OwnImage.self
                context.decodeOptions.limits.maximumFrameCount = 2
            }
            return load.map(\.image)
        }
        let image = try await result("a.jpg").get()
        #expect(image.animation == nil && image.bitmap.pixel(0, 0) == [255, 0, 0, 255])
        let error = await #expect(throws: WebImageError.self) {
            try await result("b.jpg", .matchAnimatedImageClass).get()
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test("OPT-21 another class in memory is a miss, and a file that the class refuses is a failure")
    func matchClass() async throws {
        _ = try await bench.load(sending: Self.still).get()
        bench.cache.clear(.disk, completion: nil)
        let load = try bench.load("a.jpg", .matchAnimatedImageClass) { $0.animatedImageClass = OwnImage.self }
        try await bench.transfer(2).finish(Self.still)
        #expect(try await load.failure().code == .badImageData)
        #expect(load.words == ["failed 1001"])
    }

    @Test(
        "OPT-21 a mismatch concerns one load only: the file stays in the cache, and the URL may be loaded by others")
    func mismatchIsHarmless() async throws {
        bench.cache.put(Self.still, for: Self.key)
        let load = try bench.load("a.jpg", .matchAnimatedImageClass) { $0.animatedImageClass = OwnImage.self }
        #expect(try await load.failure().code == .badImageData)
        #expect(bench.cache.removed.isEmpty)
        #expect(bench.loader.loads.isEmpty)
        #expect(try await bench.load().result().cacheType == .disk)
    }

    @Test("B43 a class that refuses everything is not matched by the coder's animation under its name")
    func mismatchInMemory() async throws {
        _ = try await bench.load(sending: Self.animation) {
            $0.animatedImageClass = RefusingAnimatedImage.self
        }.get()
        let load = try bench.load("a.jpg", .matchAnimatedImageClass) {
            $0.animatedImageClass = RefusingAnimatedImage.self
        }
        #expect(try await load.failure().code == .badImageData)
    }

    @Test("B43 a load that finds its picture in memory while it waits for the disk applies the same rules")
    func lateMemory() async throws {
        let bench = ManagerBench(cache: SuspendedCache(answersAtOnce: false), coder: ScriptedAnimationCoder())
        bench.cache.put(Self.animation, for: Self.key)
        let matched = try bench.load("a.jpg", .matchAnimatedImageClass) { $0.animatedImageClass = OwnImage.self }
        let still = try bench.load("a.jpg", .decodeFirstFrameOnly)
        let plain = try Image.plain(2, 2)
        bench.cache.storeInMemory(plain, for: Self.key)
        bench.cache.answer()
        bench.cache.answer()
        #expect(try await matched.result().image.animation is OwnImage)
        #expect(try await still.result().image.isAnimated == false)
    }

    @Test("OPT-19 OPT-21 the first frame only wins over the class")
    func firstFrameWins() async throws {
        let result = try await bench.load(
            "a.jpg", [.decodeFirstFrameOnly, .matchAnimatedImageClass], sending: Self.animation
        ) { $0.animatedImageClass = OwnImage.self }.get()
        #expect(result.image.animation == nil)
    }
}
