import FoundationEssentials
import Testing
import WebImageCache
import WebImageCoders
import WebImageCore
import WebImageLoading
import WebImagePixels
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// The behaviour that SDWebImage's tests of its manager show, with real files, the built-in coders and a real cache.
@Suite("Manager: real files and a real cache", .timeLimit(.minutes(5)))
struct RealCacheTests {
    private let directory: CacheDirectory
    private let cache: ImageCache
    private let loader = SuspendedLoader()
    private let manager: WebImageManager
    private let url: URL

    init() throws {
        directory = try CacheDirectory()
        cache = ImageCache(directory: directory.path)
        manager = WebImageManager(
            cache: cache, loader: loader, coder: ImageCodersManager.shared, clock: ContinuousClock(),
            queue: .withOwnThreads())
        url = try ManagerBench.url("photo.jpg")
    }

    private func start(
        _ options: WebImageOptions = .waitStoreCache, _ configure: (inout WebImageContext) -> Void = { _ in }
    ) -> ManagedLoad {
        var context = WebImageContext()
        configure(&context)
        return manager.observed(ImageRequest(url, options: options, context: context))
    }

    /// Loads the picture; the loader answers with the fixture called `name`.
    private func load(
        _ name: String, _ options: WebImageOptions = .waitStoreCache,
        _ configure: (inout WebImageContext) -> Void = { _ in }
    ) async throws -> LoadResult {
        let next = loader.loads.count + 1
        let load = start(options, configure)
        try await loader.waitForLoads(next)[next - 1].finish(try Fixtures.data(name))
        return try await load.result()
    }

    private func stored(_ context: WebImageContext = WebImageContext()) async throws -> Data? {
        try await cache.data(for: manager.cacheKey(for: url, context: context))
    }

    @Test("S3-17 PIPE-11 a plain load has the very bytes on disk when it completes, once")
    func plain() async throws {
        let result = try await load("photo.jpg")
        #expect(result.image.metadata.format == .jpeg)
        #expect(result.data == (try Fixtures.data("photo.jpg")))
        #expect(try await stored() == (try Fixtures.data("photo.jpg")))
        #expect(directory.files.count == 1)
    }

    @Test("S4-20 PIPE-12 a transformed picture is on disk as a file of its own, at its own size and in its format")
    func transformed() async throws {
        var context = WebImageContext()
        context.transformer = ImageResizingTransformer(
            size: PointSize(width: 40, height: 30), scaleMode: .aspectFit)
        let result = try await load("photo.jpg") { $0 = context }
        #expect(result.image.metadata.isTransformed)
        #expect(result.image.metadata.format == .jpeg)
        let file = try #require(try await stored(context))
        let decoded = try ImageCodersManager.shared.decode(file, options: ImageDecodeOptions())
        #expect(decoded.pixelSize == result.image.pixelSize)
        #expect(decoded.pixelSize.width <= 40 && decoded.pixelSize.height <= 30)
        #expect(decoded.metadata.format == .jpeg)
        await cache.clear(.memory)
        let again = try await start(.fromCacheOnly) { $0 = context }.result()
        #expect(again.cacheType == .disk)
        #expect(again.image.metadata.isTransformed)
        #expect(again.data == nil)
    }

    @Test("A25 A23 A26 a thumbnail is made of the original on disk, whose bytes stay as they are")
    func thumbnail() async throws {
        _ = try await load("photo.jpg")
        await cache.clear(.memory)
        var context = WebImageContext()
        context.thumbnailPixelSize = .square(20)
        let result = try await start { $0 = context }.result()
        #expect(result.cacheType == .disk)
        #expect(result.data == nil)
        #expect(max(result.image.pixelSize.width, result.image.pixelSize.height) == 20)
        #expect(try await stored() == (try Fixtures.data("photo.jpg")))
        #expect(try await stored(context) != nil)
        #expect(manager.imageFromMemory(for: url) == nil)
        #expect(manager.imageFromMemory(for: url, context: context) === result.image)
        #expect(loader.loads.count == 1)
    }

    @Test("a thumbnail from a file of its own keeps the whole picture's size")
    func wholeSizeOfThumbnail() async throws {
        var context = WebImageContext()
        context.thumbnailPixelSize = .square(20)
        context.originalStoreCacheType = .noCache
        let first = try await load("photo.jpg") { $0 = context }.image
        #expect(first.metadata.isThumbnail)
        await cache.clear(.memory)
        let second = try await start(.fromCacheOnly) { $0 = context }.result()
        #expect(second.cacheType == .disk)
        #expect(second.image.metadata.originalPixelSize == first.metadata.originalPixelSize)
        #expect(second.image.metadata.isThumbnail)
        #expect(second.image.pixelSize == first.pixelSize)
    }

    @Test("a transformed thumbnail keeps it too; a whole picture's file states no more than its bytes")
    func wholeSizeOfTransformed() async throws {
        var context = WebImageContext()
        context.originalStoreCacheType = .noCache
        context.transformer = ScriptedTransformer()
        for box in [nil, PixelSize.square(20)] {
            context.thumbnailPixelSize = box
            let first = try await load("photo.jpg") { $0 = context }.image
            await cache.clear(.memory)
            let second = try await start(.fromCacheOnly) { $0 = context }.result().image
            #expect(second.metadata.isTransformed)
            #expect(second.metadata.isThumbnail == first.metadata.isThumbnail)
            #expect(second.metadata.isThumbnail == (box != nil))
            if box != nil { #expect(second.metadata.originalPixelSize == first.metadata.originalPixelSize) }
        }
    }

    @Test("a thumbnail that an app stores without its file keeps the whole picture's size, and so stays a thumbnail")
    func wholeSizeOfStored() async throws {
        let whole = try ImageCodersManager.shared.decode(Fixtures.data("photo.jpg"), options: ImageDecodeOptions())
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = .square(20)
        let thumbnail = try ImageCodersManager.shared.decode(Fixtures.data("photo.jpg"), options: options)
        for data in [nil, try Fixtures.data("photo.jpg")] {
            var record = ImageCacheRecord(CacheKey("stored"), image: thumbnail, data: data, cacheType: .disk)
            record.context.coder = ImageCodersManager.shared
            try await cache.store(record)
            let read = try #require(try await cache.queryImage(for: record.key, cacheType: .disk)?.image)
            #expect(read.metadata.originalPixelSize == whole.pixelSize)
            #expect(read.metadata.isThumbnail == (data == nil))
            await cache.remove(for: record.key)
        }
    }

    @Test("A24 ten sizes at once give ten pictures, each at its own size and without bytes")
    func tenSizes() async throws {
        let loads = (1...10).map { side in start { $0.thumbnailPixelSize = .square(side * 4) } }
        for transfer in try await loader.waitForLoads(10) { transfer.finish(try Fixtures.data("photo.jpg")) }
        for (index, load) in loads.enumerated() {
            let result = try await load.result()
            #expect(max(result.image.pixelSize.width, result.image.pixelSize.height) == (index + 1) * 4)
            #expect(result.data == nil)
            #expect(result.cacheType == .noCache)
        }
        // One original and ten thumbnails.
        #expect(directory.files.count == 11)
    }

    @Test("S0-12 CTX-20 the original of an animation only on disk, the transformed one only in memory")
    func animationTiers() async throws {
        var context = WebImageContext()
        context.transformer = ScriptedTransformer(preservesImageMetadata: false)
        context.storeCacheType = .memory
        context.originalStoreCacheType = .disk
        let result = try await load("animated.png", [.waitStoreCache, .transformAnimatedImage]) { $0 = context }
        #expect(result.image.isAnimated)
        #expect(try await stored() == (try Fixtures.data("animated.png")))
        #expect(try await stored(context) == nil)
        #expect(manager.imageFromMemory(for: url) == nil)
        let again = try await start(.transformAnimatedImage) { $0 = context }.result()
        #expect(again.cacheType == .memory)
        #expect(again.image === result.image)
    }

    @Test("CTX-21 the original is only in its own cache, the transformed picture only in the other")
    func twoCaches() async throws {
        let other = try CacheDirectory()
        let originals = ImageCache(directory: other.path)
        var context = WebImageContext()
        context.transformer = ScriptedTransformer()
        context.originalCache = originals
        let result = try await load("photo.jpg") { $0 = context }
        #expect(result.data == nil)
        #expect(try await originals.data(for: CacheKey(url.absoluteString)) == (try Fixtures.data("photo.jpg")))
        #expect(try await stored() == nil)
        #expect(try await stored(context) != nil)
        #expect(other.files.count == 1)
        #expect(directory.files.count == 1)
    }

    @Test("CTX-19 B4 an original in memory makes a transformed picture again, without bytes")
    func originalInMemory() async throws {
        _ = try await load("photo.jpg")
        var context = WebImageContext()
        context.transformer = ScriptedTransformer()
        context.originalQueryCacheType = .all
        let result = try await start([.fromCacheOnly, .waitStoreCache]) { $0 = context }.result()
        #expect(result.cacheType == .memory)
        #expect(result.data == nil)
        #expect(try await stored() == (try Fixtures.data("photo.jpg")))
        #expect(try await stored(context) != nil)
    }

    @Test("CTX-17 a load from memory only finds no picture that is on disk only, and the other way round")
    func queryTiers() async throws {
        let first = try await load("photo.jpg").image
        let onDisk = try await start(.fromCacheOnly) { $0.queryCacheType = .disk }.result()
        #expect(onDisk.cacheType == .disk)
        #expect(onDisk.image !== first)
        await cache.clear(.memory)
        let inMemory = try await start(.fromCacheOnly) { $0.queryCacheType = .memory }.failure()
        #expect(inMemory.code == .notCached)
    }

    @Test("OPT-11 CTX-14 a limit of bytes wins over the thumbnail size, and every part of the picture keeps to it")
    func scaleDown() async throws {
        let limit = 64 * 64 * 4
        let file = try Fixtures.data("photo-progressive.jpg")
        let load = start([.progressiveLoad, .scaleDownLargeImages, .fromLoaderOnly]) { context in
            context.scaleDownLimitBytes = limit
            context.thumbnailPixelSize = .square(3)
        }
        let transfer = try await loader.waitForLoads(1)[0]
        transfer.send(file.prefix(file.count * 2 / 3))
        try await load.story.waitForEvents(1)
        transfer.finish(file)
        let whole = try await load.result().image
        #expect(whole.memoryCost <= limit)
        #expect(whole.pixelSize.width > 3)
        #expect(!whole.metadata.isIncremental)
        #expect(!load.story.partials.isEmpty)
        for part in load.story.partials {
            #expect(part.pixelSize == whole.pixelSize)
            #expect(part.metadata.isIncremental)
        }
    }

    @Test(
        "DOP-10 CTX-9 B9 an app's own value reaches the picture's decode options, and the context's scale wins over that of the name"
    )
    func decodeOptions() async throws {
        enum Mood: ImageDecodeOptions.Key { typealias Value = String }
        let image = try await load("photo.jpg") { context in
            context.decodeOptions[Mood.self] = "gloomy"
            context.scaleFactor = 1
        }.image
        #expect(image.decodeOptions?[Mood.self] == "gloomy")
        #expect(image.scale == 1)
        #expect(image.decodeOptions?.scaleFactor == 1)
    }

    @Test("OPT-18 orientation and colour profile are in the pixels when the picture is delivered")
    func avoidDecode() async throws {
        for name in ["orientation-6.jpg", "display-p3.jpg"] {
            let image = try await load(name, [.fromLoaderOnly, .avoidDecodeImage]).image
            let direct = try ImageCodersManager.shared.decode(try Fixtures.data(name), options: ImageDecodeOptions())
            #expect(image.bitmap.bytes == direct.bitmap.bytes)
        }
    }

    @Test("OPT-3 S0-6 two refreshing loads after each other both give the picture, without an error")
    func refreshedTwice() async throws {
        let http = HTTPResponse(url: url, statusCode: 200, headers: ["etag": "\"1\""])
        let first = start([.refreshCached, .waitStoreCache])
        try await loader.waitForLoads(1)[0].finish(try Fixtures.data("photo.jpg"), http: http)
        _ = try await first.result()
        let second = start(.refreshCached)
        let transfer = try await loader.waitForLoads(2)[1]
        #expect(transfer.request.validators.contains { $0.key.lowercased() == "if-none-match" && $0.value == "\"1\"" })
        transfer.fail(WebImageError(.cacheNotModified, stage: .load, kind: .permanent, reason: "still good"))
        #expect(try await second.result().cacheType == .memory)
        #expect(second.story.events.count == 2)
    }

    @Test("S0-6 OPT-3 the server's stored header fields may answer a refresh without a request")
    func fresh() async throws {
        let http = HTTPResponse(url: url, statusCode: 200, headers: ["cache-control": "max-age=600"])
        let first = start([.refreshCached, .waitStoreCache])
        try await loader.waitForLoads(1)[0].finish(try Fixtures.data("photo.jpg"), http: http)
        _ = try await first.result()
        for purge in [false, true] {
            if purge { await cache.clear(.memory) }
            let again = start([.refreshCached, .waitStoreCache])
            #expect(try await again.result().cacheType == (purge ? .disk : .memory))
        }
        #expect(loader.loads.count == 1)
    }
}
