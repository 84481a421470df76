import FoundationEssentials
import Testing
import WebImageCache
import WebImageCoders
import WebImageCore
import WebImageLoading
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Thumbnails of a larger picture in memory", .timeLimit(.minutes(5)))
struct LargerImageTests {
    private let directory: CacheDirectory
    private let loader = SuspendedLoader()
    private let key = ManagerBench.key()

    init() throws { directory = try CacheDirectory() }

    private func bench(
        _ coder: any ImageCoder = JPEGCoder(), isOn: Bool = true
    ) -> (cache: ImageCache, manager: WebImageManager) {
        var config = ImageCacheConfig()
        config.shouldReduceLargerImagesFromMemory = isOn
        let cache = ImageCache(directory: directory.path, config: config)
        let manager = WebImageManager(
            cache: cache, loader: loader, coder: coder, clock: ContinuousClock(), queue: .withOwnThreads())
        return (cache, manager)
    }

    private func load(
        _ manager: WebImageManager, _ box: PixelSize?, _ options: WebImageOptions = .fromCacheOnly,
        configure: (inout WebImageContext) -> Void = { _ in }
    ) throws -> ManagedLoad {
        var context = WebImageContext()
        context.thumbnailPixelSize = box
        configure(&context)
        return manager.observed(ImageRequest(try ManagerBench.url(), options: options, context: context))
    }

    /// The picture that decoding the file to the box gives.
    private func decoded(_ box: PixelSize, preservesAspectRatio: Bool = true) throws -> Image {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = box
        options.preservesAspectRatio = preservesAspectRatio
        return try JPEGCoder().decode(Fixtures.data("photo.jpg"), options: options)
    }

    private func wholeImage() throws -> Image {
        try JPEGCoder().decode(Fixtures.data("photo.jpg"), options: ImageDecodeOptions())
    }

    @Test(
        "a larger picture in memory serves a smaller request: the decoder's size, nearly its pixels, from memory",
        arguments: [
            PixelSize(width: 30, height: 30), PixelSize(width: 31, height: 17), PixelSize(width: 5, height: 90),
        ],
        [true, false])
    func reduces(box: PixelSize, preservesAspectRatio: Bool) async throws {
        let (cache, manager) = bench()
        cache.storeInMemory(try wholeImage(), for: key)
        let load = try load(manager, box) { $0.preservesAspectRatio = preservesAspectRatio }
        let result = try await load.result()
        let wanted = try decoded(box, preservesAspectRatio: preservesAspectRatio)
        #expect(result.cacheType == .memory)
        #expect(result.data == nil)
        #expect(result.image.pixelSize == wanted.pixelSize)
        #expect(result.image.metadata.isThumbnail)
        #expect(result.image.metadata.originalPixelSize == wanted.metadata.originalPixelSize)
        #expect(peakSignalToNoise(result.image.bitmap.bytes, wanted.bitmap.bytes) > 30)
    }

    @Test("the thumbnail is in memory under its own key afterwards, and smaller ones are made of it")
    func isKept() async throws {
        let (cache, manager) = bench()
        cache.storeInMemory(try wholeImage(), for: key)
        let first = try await load(manager, .square(40)).result().image
        #expect(try await load(manager, .square(40)).result().image === first)
        cache.removeAlone(for: key, from: .memory, completion: nil)
        let second = try await load(manager, .square(20)).result()
        #expect(second.cacheType == .memory)
        #expect(max(second.image.pixelSize.width, second.image.pixelSize.height) == 20)
        // There is no file or larger picture to decode it from.
        #expect(try await load(manager, .square(50)).failure().code == .notCached)
    }

    @Test("a picture that memory has released is not looked up any more, and the file is decoded as usual")
    func evicted() async throws {
        let (cache, manager) = bench()
        try await cache.store(ImageCacheRecord(key, data: Fixtures.data("photo.jpg")))
        _ = try await load(manager, .square(40)).result()
        await cache.clear(.memory)
        #expect(try await load(manager, .square(20)).result().cacheType == .disk)
        #expect(cache.sizesInMemory?.thumbnails(of: key).map(\.size.width) == [20])
    }

    @Test("a picture with an orientation is reduced upright", arguments: [3, 6, 7])
    func turned(orientation: Int) async throws {
        let (cache, manager) = bench()
        let file = try Fixtures.data("orientation-\(orientation).jpg")
        let whole = try JPEGCoder().decode(file, options: ImageDecodeOptions())
        cache.storeInMemory(whole, for: key)
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: max(1, whole.pixelSize.width / 2), height: 1000)
        let wanted = try JPEGCoder().decode(file, options: options)
        let result = try await load(manager, options.thumbnailPixelSize).result()
        #expect(result.cacheType == .memory && result.image.pixelSize == wanted.pixelSize)
        #expect(result.image.metadata.originalPixelSize == wanted.metadata.originalPixelSize)
    }

    @Test("a stretched thumbnail gives one with the file's proportions, and the other way round")
    func proportions() async throws {
        for stretchesFirst in [true, false] {
            let (cache, manager) = bench()
            cache.storeInMemory(try wholeImage(), for: key)
            _ = try await load(manager, .square(60)) { $0.preservesAspectRatio = !stretchesFirst }.result()
            cache.removeAlone(for: key, from: .memory, completion: nil)
            let result = try await load(manager, .square(30)) { $0.preservesAspectRatio = stretchesFirst }.result()
            let wanted = try decoded(.square(30), preservesAspectRatio: stretchesFirst)
            #expect(result.cacheType == .memory && result.image.pixelSize == wanted.pixelSize)
            #expect(peakSignalToNoise(result.image.bitmap.bytes, wanted.bitmap.bytes) > 28)
        }
    }

    @Test("unusual pixels are neither reduced nor made of the usual ones")
    func variants() async throws {
        let (cache, manager) = bench()
        cache.storeInMemory(try wholeImage(), for: key)
        let changes: [(inout WebImageContext) -> Void] = [
            { $0.scaleFactor = 3 }, { $0.scaleDownLimitBytes = 4000 }, { $0.decodesToHDR = true },
            { $0.decodesToWideGamut = true },
            { $0.convertsToSRGB = false },
        ]
        for change in changes {
            #expect(try await load(manager, .square(20), configure: change).failure().code == .notCached)
        }
        let firstFrame = try load(manager, .square(20), [.fromCacheOnly, .decodeFirstFrameOnly])
        #expect(try await firstFrame.failure().code == .notCached)
    }

    @Test("a picture that was removed, or whose file was replaced, is not used to make another size")
    func replaced() async throws {
        let (cache, manager) = bench()
        cache.storeInMemory(try wholeImage(), for: key)
        _ = try await load(manager, .square(60)).result()
        cache.remove(for: key, from: .all, completion: nil)
        #expect(try await load(manager, .square(30)).failure().code == .notCached)
        let sizes = SizesInMemory()
        let (old, new) = (FileFingerprint(Data([1])), FileFingerprint(Data([2])))
        sizes.note(.init(key: CacheKey("40"), size: .square(40), file: old), of: key)
        sizes.note(.init(key: CacheKey("20"), size: .square(20), file: old), of: key)
        #expect(sizes.thumbnails(of: key).count == 2)
        sizes.note(.init(key: CacheKey("30"), size: .square(30), file: new), of: key)
        #expect(sizes.thumbnails(of: key).map(\.size.width) == [30])
        sizes.forgetThumbnails(of: key, unlessOf: new)
        #expect(sizes.thumbnails(of: key).count == 1)
        sizes.forgetThumbnails(of: key, unlessOf: old)
        #expect(sizes.thumbnails(of: key).isEmpty)
    }

    @Test("the explanation names the larger picture only while it would be used")
    func explanation() async throws {
        let (cache, manager) = bench()
        cache.storeInMemory(try wholeImage(), for: key)
        var context = WebImageContext()
        context.thumbnailPixelSize = .square(20)
        let request = ImageRequest(try ManagerBench.url(), options: .fromCacheOnly, context: context)
        #expect(manager.explain(request).findings.contains(.largerInMemory))
        _ = try await load(manager, .square(20)).result()
        #expect(!manager.explain(request).findings.contains(.largerInMemory))
    }

    @Test("off by default: the file is decoded, and no sizes are recorded")
    func off() async throws {
        let (cache, manager) = bench(isOn: false)
        cache.storeInMemory(try wholeImage(), for: key)
        try await cache.store(ImageCacheRecord(key, data: Fixtures.data("photo.jpg")))
        #expect(try await load(manager, .square(20)).result().cacheType == .disk)
        #expect(cache.sizesInMemory == nil)
        #expect(!ImageCacheConfig().shouldReduceLargerImagesFromMemory)
    }

    @Test("animations, drawings and transformed pictures are more than their pixels: they are not reduced")
    func others() async throws {
        let (cache, manager) = bench()
        var vector = ImageMetadata()
        vector.isVector = true
        for metadata in [ImageMetadata(frameCount: 4), vector] {
            cache.storeInMemory(try .plain(100, 100, metadata: metadata), for: key)
            #expect(try await load(manager, .square(20)).failure().code == .notCached)
        }
        cache.storeInMemory(try wholeImage(), for: key)
        let transformed = try load(manager, .square(20)) { $0.transformer = ScriptedTransformer() }
        #expect(try await transformed.failure().code == .notCached)
    }

    @Test("a load that refreshes, and one without memory, decode the file")
    func refreshing() async throws {
        let (cache, manager) = bench()
        cache.storeInMemory(try wholeImage(), for: key)
        try await cache.store(ImageCacheRecord(key, data: Fixtures.data("photo.jpg")))
        let fromDisk = try load(manager, .square(20)) { $0.queryCacheType = .disk }
        #expect(try await fromDisk.result().cacheType == .disk)
    }

    @Test("a load that is cancelled while the thumbnail waits for its turn ends at once")
    func cancelled() async throws {
        let held = HeldCallbacks()
        let (cache, manager) = bench()
        cache.storeInMemory(try wholeImage(), for: key)
        let load = try load(manager, .square(20)) { $0.callbackQueue = held.queue }
        try await held.waitForCallbacks(1)
        load.cancel()
        held.runAll()
        #expect(load.failureCode == .cancelled)
    }

    @Test("queries of the cache do the same, also on the calling thread")
    func query() throws {
        let (cache, _) = bench()
        cache.storeInMemory(try wholeImage(), for: key)
        var context = WebImageContext()
        context.thumbnailPixelSize = .square(20)
        let image = try #require(try cache.imageFromCacheBlocking(for: key, context: context))
        #expect(image.pixelSize == (try decoded(.square(20)).pixelSize))
        #expect(cache.imageFromMemory(for: key, options: [], context: context) === image)
        let caches = ImageCachesManager(caches: [SuspendedCache(), cache])
        context.thumbnailPixelSize = .square(10)
        #expect(
            try caches.imageFromCacheBlocking(for: key, context: context)?.pixelSize
                == (try decoded(.square(10)).pixelSize))
    }

    @Test("the record of sizes is bounded")
    func bounded() {
        let sizes = SizesInMemory()
        for number in 0..<20 {
            sizes.note(.init(key: CacheKey("\(number)"), size: .square(40 - number)), of: key)
        }
        #expect(sizes.thumbnails(of: key).map(\.size.width) == Array(21...28))
        for number in 0..<20_000 { sizes.note(.init(key: key, size: .square(1)), of: CacheKey("p\(number)")) }
        #expect(sizes.thumbnails(of: key).isEmpty)
        sizes.forget(.init(key: key, size: .square(1)), of: CacheKey("p19999"))
        #expect(sizes.thumbnails(of: CacheKey("p19999")).isEmpty)
    }
}
