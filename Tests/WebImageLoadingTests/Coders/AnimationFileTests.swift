import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageLoading
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Animated files", .timeLimit(.minutes(5)))
struct AnimationFileTests {
    @Test(
        "ANI-1 S4-9 ANI-2 ANI-7 an animation is a picture like any other, with frames; still files have none",
        arguments: ["animated.gif", "animated.png", "animated.webp"])
    func fromData(name: String) throws {
        let data = try Fixtures.data(name)
        let image = try Image(data: data)
        #expect(image.isAnimated && image.metadata.frameCount == 3)
        #expect(image.memoryCost == image.bitmap.byteCount)
        let animation = try #require(image.animation)
        #expect(try animation.frame(at: 0).bytes == image.bitmap.bytes)
        #expect(try animation.frame(at: 2).bytes != image.bitmap.bytes)
        #expect(animation.animatedImageData == data)
        for still in ["photo.jpg", "translucent.png", "lossy.webp", "palette.gif"] {
            let image = try Image(data: Fixtures.data(still))
            #expect(!image.isAnimated && image.metadata.frameCount == 1 && image.metadata.loopCount == 0)
        }
        #expect(throws: WebImageError.self) { try Image(data: ScriptedCoder.file(1, 1)) }
        #expect(throws: WebImageError.self) { try Image(data: Data()) }
    }

    @Test(
        "MET-1 a picture has its file's number of plays: 0 for endless and for a still picture",
        arguments: [("animated.gif", 4), ("animated-once.gif", 1), ("photo.jpg", 0), ("palette.gif", 0)])
    func loopCount(name: String, count: Int) throws {
        let image = try Image(data: Fixtures.data(name))
        #expect(image.metadata.loopCount == count)
        #expect(image.animation.map { $0.loopCount == count } ?? (count == 0))
    }

    @Test("ANI-3 a file's name states its scale; an error names the file")
    func fromFile() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "animation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let data = try Fixtures.data("animated.gif")
        let names = [
            ("a.gif", 1.0), ("a@2x.gif", 2), ("a@3x.gif", 3), ("a@1.5x.gif", 1.5), ("a@4x.gif", 4), ("a@0.5x.gif", 1),
            ("a@x.gif", 1), ("a@2xb.gif", 1), ("a@-2x.gif", 1), ("a@1e9x.gif", 1), ("a@2x.b.gif", 1),
        ]
        for (name, scale) in names {
            let file = directory.appending(path: name)
            try data.write(to: file)
            let image = try Image(contentsOf: file)
            #expect(image.scale == scale && image.metadata.frameCount == 3)
            var options = ImageDecodeOptions()
            options.scaleFactor = 3
            #expect(try Image(contentsOf: file, options: options).scale == 3)
        }
        // The name is also the hint: these bytes do not identify their format, and only the coder of the extension's
        // format decodes them.
        let hinted = directory.appending(path: "a@2x.nef")
        try ScriptedCoder.file(1, 1).write(to: hinted)
        let coder = ScriptedCoder(format: .raw, claims: false)
        #expect(try Image(contentsOf: hinted, coder: ImageCodersManager(coders: [coder])).scale == 2)
        let missing = directory.appending(path: "none.gif")
        let error = #expect(throws: WebImageError.self) { try Image(contentsOf: missing) }
        #expect(error?.code == .fileNotFound && error?.url == missing)
    }

    @Test("ANI-1 an animation whose first frame cannot be decoded becomes no picture")
    func fromDamage() throws {
        var source = ScriptedFrameSource.plain(2)
        source.damaged = [0]
        let animation = try source.makeAnimation()
        #expect(throws: WebImageError.self) { try Image(animation: animation) }
    }

    @Test("ANI-1 ANI-5 S4-16 an animation that a coder made becomes a picture of its first frame")
    func fromCoder() throws {
        let data = try Fixtures.data("animated.webp")
        let animation = try WebPCoder().makeAnimation(of: data, options: ImageDecodeOptions())
        let image = try Image(animation: animation, scale: 2, format: .webP)
        #expect(image.animation === animation && image.scale == 2 && image.metadata.format == .webP)
        #expect(try image.bitmap.bytes == animation.frame(at: 0).bytes)
        #expect(image.metadata.loopCount == animation.loopCount)
    }

    @Test("S4-9 a load gives an animation with its frames, from the network, memory and disk")
    func loads() async throws {
        let bench = ManagerBench(coder: ImageCodersManager.shared)
        let data = try Fixtures.data("animated.gif")
        let first = try await bench.load("a.gif", .waitStoreCache, sending: data).get()
        #expect(first.image.animation?.frameCount == 3)
        #expect(try await bench.load("a.gif").result().image === first.image)
        bench.cache.clear(.memory, completion: nil)
        let again = try await bench.load("a.gif").result()
        #expect(again.cacheType == .disk)
        #expect(try again.image.animation?.frame(at: 2).bytes == first.image.animation?.frame(at: 2).bytes)
        let preloaded = try await bench.load("b.gif", .preloadAllFrames, sending: data).get()
        #expect(preloaded.image.animation?.isAllFramesLoaded == true)
        #expect(preloaded.image.memoryCost == 3 * preloaded.image.bitmap.byteCount)
    }
}
