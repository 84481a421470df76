import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Image cache: removed entries do not come back", .timeLimit(.minutes(5)))
struct CacheRemovalTests {
    private enum Own: Sendable {}

    private let directory: CacheDirectory
    private let key = CacheKey("https://example.org/a.gif")
    private static let animation = ScriptedAnimationCoder.file(2, 2, frames: 4)

    init() throws { directory = try CacheDirectory() }

    private func cache(_ memory: any MemoryCaching = MemoryCache()) -> ImageCache {
        ImageCache(memoryCache: memory, diskCache: directory.cache())
    }

    // MARK: Variants

    /// A way to decode, with its own key in memory.
    enum Way: String, CaseIterable, Sendable {
        // A first frame is made from the whole animation where that is in memory, so it comes first.
        case firstFrame, whole, limited, scaled, highRange, wideGamut, page, ownClass

        var options: WebImageOptions { self == .firstFrame ? .decodeFirstFrameOnly : [] }

        var context: WebImageContext {
            .coder(ScriptedAnimationCoder()) { context in
                switch self {
                case .whole, .firstFrame: break
                case .limited: context.scaleDownLimitBytes = 4000
                case .scaled: context.scaleFactor = 2
                case .highRange: context.decodesToHDR = true
                case .wideGamut: context.decodesToWideGamut = true
                case .page: context.pageIndex = 1
                case .ownClass: context.animatedImageClass = ScriptedAnimatedImage<Own>.self
                }
            }
        }
    }

    private func image(_ way: Way, in cache: ImageCache) -> Image? {
        cache.imageFromMemory(for: key, options: way.options, context: way.context)
    }

    /// Stores the picture in memory, decoded in every way.
    private func fill(_ cache: ImageCache) async throws -> [Image] {
        try await cache.store(ImageCacheRecord(key, data: Self.animation))
        return try await Way.allCases.asyncMap { way in
            let found = try await cache.queryImage(for: key, options: way.options, context: way.context)
            return try #require(found?.image)
        }
    }

    @Test(
        "CAC-12 complaint 1: a removed picture is gone, however it was decoded",
        arguments: [true, false])
    func variants(keepsWeakReferences: Bool) async throws {
        let memory = MemoryCache()
        memory.keepsWeakReferences = keepsWeakReferences
        let cache = cache(memory)
        let images = try await fill(cache)
        #expect(memory.statistics.count == Way.allCases.count)
        cache.storeInMemory(try .sample(), for: CacheKey("https://example.org/a.gif2"))
        await cache.remove(for: key)
        for way in Way.allCases {
            #expect(image(way, in: cache) == nil, "\(way)")
            #expect(try await cache.queryImage(for: key, options: way.options, context: way.context) == nil)
        }
        #expect(memory.statistics.count == 1 && memory.statistics.byteCount == 4)
        withExtendedLifetime(images) {}
    }

    @Test("complaint 1: after a new file, no query finds the old one's picture, however it was decoded")
    func refreshedVariants() async throws {
        let cache = cache()
        let images = try await fill(cache)
        let loader = SuspendedLoader()
        let manager = WebImageManager(
            cache: cache, loader: loader, coder: ScriptedAnimationCoder(), clock: ContinuousClock(),
            queue: .withOwnThreads())
        let url = try #require(URL(string: key.string))
        let load = manager.observed(
            ImageRequest(url, options: [.refreshCached, .waitStoreCache], context: Way.scaled.context))
        try await loader.waitForLoads(1)[0].finish(ScriptedAnimationCoder.file(3, 3, frames: 4))
        #expect(try await load.result().image.pixelSize == .square(3))
        for way in Way.allCases {
            let found = try await cache.queryImage(for: key, options: way.options, context: way.context)
            #expect(found?.image.pixelSize == .square(3), "\(way)")
        }
        withExtendedLifetime(images) {}
    }

    @Test("a new file of the same bytes leaves its pictures in memory")
    func sameFile() async throws {
        let cache = cache()
        _ = try await fill(cache)
        let before = Way.allCases.map { image($0, in: cache).map(ObjectIdentifier.init) }
        let picture = try Image.sample()
        cache.removeOlder(than: picture.made(from: ImageOrigin(file: FileFingerprint(Self.animation))), for: key)
        #expect(Way.allCases.map { image($0, in: cache).map(ObjectIdentifier.init) } == before)
        cache.removeOlder(than: picture.made(from: ImageOrigin(file: FileFingerprint(Data()))), for: key)
        #expect(Way.allCases.allSatisfy { image($0, in: cache) == nil })
    }

    // MARK: While a query is under way

    /// A change by the app while a picture is decoded from its file.
    enum Change: String, CaseIterable, Sendable {
        case remove, removeFromDisk, clear, store

        func happen(_ key: CacheKey, in cache: ImageCache) throws {
            switch self {
            case .remove: cache.remove(for: key, from: .all, completion: nil)
            case .removeFromDisk: try cache.removeFromDiskBlocking(for: key)
            case .clear: cache.clear(.all, completion: nil)
            case .store: cache.store(try .plain(5, 5), data: ScriptedCoder.file(5, 5), for: key)
            }
        }

        var wanted: PixelSize? { self == .store ? .square(5) : nil }
    }

    @Test(
        "CAC-12 CAC-13 an entry that is removed during its decode does not come back to memory",
        arguments: Change.allCases)
    func whileDecoding(change: Change) async throws {
        let cache = cache()
        try await cache.store(ImageCacheRecord(key, data: ScriptedCoder.file(8, 8)))
        let held = HeldCoder()
        let recorder = QueryRecorder()
        cache.queryImage(for: key, context: .coder(held.coder), completion: recorder.completion)
        try await held.isDecodingNow()
        try change.happen(key, in: cache)
        try await held.release()
        // The earlier query gets the earlier picture.
        #expect(try await recorder.ending() == ["disk 8x8 with data"])
        #expect(cache.imageFromMemory(for: key)?.pixelSize == change.wanted)
        await cache.flush()
        let after = try await cache.queryImage(for: key, context: .coder(ScriptedCoder()))
        #expect(after?.image.pixelSize == change.wanted)
    }

    @Test("CAC-12 the thumbnail of a picture that is removed meanwhile reaches neither memory nor the disk")
    func derivedMeanwhile() async throws {
        let cache = cache()
        try await cache.store(ImageCacheRecord(key, data: ScriptedCoder.file(8, 8)))
        let held = HeldCoder()
        let manager = WebImageManager(
            cache: cache, loader: SuspendedLoader(), coder: held.coder, clock: ContinuousClock(),
            queue: .withOwnThreads())
        var context = WebImageContext()
        context.thumbnailPixelSize = .square(2)
        let url = try #require(URL(string: key.string))
        let load = manager.observed(ImageRequest(url, options: .waitStoreCache, context: context))
        try await held.isDecodingNow()
        cache.clear(.all, completion: nil)
        try await held.release()
        #expect(try await load.result().image.pixelSize == .square(2))
        await cache.flush()
        #expect(cache.imageFromMemory(for: manager.cacheKey(for: url, context: context)) == nil)
        #expect(directory.files.isEmpty)
    }

    @Test(
        "CAC-12 a picture that was just loaded is not written after a clearing, however long its encode takes")
    func encodedMeanwhile() async throws {
        let (isEncoding, mayEncode) = (Gate(), Gate())
        let coder = ScriptedCoder(willEncode: {
            isEncoding.open()
            mayEncode.waitBlocking()
        })
        let (cache, loader) = (cache(), SuspendedLoader())
        let manager = WebImageManager(
            cache: cache, loader: loader, coder: coder, clock: ContinuousClock(), queue: .withOwnThreads())
        var context = WebImageContext()
        context.thumbnailPixelSize = .square(2)
        let url = try #require(URL(string: key.string))
        let load = manager.observed(ImageRequest(url, options: .waitStoreCache, context: context))
        try await loader.waitForLoads(1)[0].finish(ScriptedCoder.file(8, 8))
        try await isEncoding.wait()
        cache.clear(.all, completion: nil)
        mayEncode.open()
        _ = try await load.result()
        await cache.flush()
        #expect(directory.files.isEmpty)
    }

    @Test("CAC-12 a server's answer about a file is not written to one that was removed during the read")
    func freshenedMeanwhile() async throws {
        let disk = DictionaryDisk()
        let cache = ImageCache(memoryCache: MemoryCache(), diskCache: disk)
        let loader = SuspendedLoader()
        let manager = WebImageManager(
            cache: cache, loader: loader, coder: ScriptedCoder(), clock: ContinuousClock(), queue: .withOwnThreads())
        var entry = DiskCacheEntry(data: ScriptedCoder.file(8, 8))
        entry.headers = ["etag": "\"1\""]
        try await cache.store(entry, for: key)
        let url = try #require(URL(string: key.string))
        let load = manager.observed(ImageRequest(url, options: [.refreshCached, .waitStoreCache]))
        let transfer = try await loader.waitForLoads(1)[0]
        let isRead = Observed(false)
        disk.didRead {
            cache.remove(for: key, from: .all) { isRead.update { $0 = true } }
        }
        var answer = WebImageError(.cacheNotModified, stage: .load, kind: .permanent, reason: "still good")
        answer.response = HTTPResponse(url: url, statusCode: 304, headers: ["etag": "\"1\""])
        transfer.fail(answer)
        _ = try await load.result()
        try await isRead.wait { $0 }
        // Behind the query's own callback, which would write.
        _ = try await cache.entry(for: CacheKey("other"))
        await cache.flush()
        #expect(disk.count == 0)
    }
}

extension Sequence {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
