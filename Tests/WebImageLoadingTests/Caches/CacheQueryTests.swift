import Dispatch
import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageLoading
import WebImageTestLoads
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Cache queries: the answering tier, its thread and its result", .timeLimit(.minutes(5)))
struct CacheQueryTests {
    private let cache = SuspendedCache(answersAtOnce: false)
    private let coder = ScriptedCoder()
    private let recorder = QueryRecorder()
    private let key = CacheKey("https://example.org/a.jpg")
    private static let file = ScriptedCoder.file(40, 40)

    private func query(
        _ options: WebImageOptions = [], cacheType: ImageCacheType = .all,
        configure: (inout WebImageContext) -> Void = { _ in }
    ) -> ImageCacheToken? {
        cache.queryImage(
            for: key, options: options, context: .coder(coder, configure), cacheType: cacheType,
            completion: recorder.completion)
    }

    @Test(
        "CAC-10 B5 T4.09 a picture in memory is delivered when the call returns, without data and without a token",
        arguments: [[], .queryMemoryDataSync, .queryDiskDataSync] as [WebImageOptions])
    func memoryHit(options: WebImageOptions) throws {
        let image = try Image.sample(width: 3)
        cache.storeInMemory(image, for: key)
        cache.put(Self.file, for: key)
        // Without any hop to a callback queue.
        #expect(query(options) { $0.callbackQueue = CallbackQueue(.global(), policy: .dispatch) } == nil)
        #expect(recorder.words == ["memory 3x1"])
        #expect(recorder.images.first === image)
        #expect(cache.queries.isEmpty && cache.reads.isEmpty)
    }

    @Test("CAC-10 B5 a picture in memory comes with its file, and still is memory's")
    func memoryData() async throws {
        cache.storeInMemory(try .sample(width: 3), for: key)
        cache.put(Self.file, for: key)
        #expect(query(.queryMemoryData) != nil)
        #expect(recorder.words.isEmpty)
        cache.answer()
        #expect(try await recorder.ending() == ["memory 3x1 with data"])
        #expect(coder.decodeCount == 0)
    }

    @Test("CAC-10 B5 the same on the caller's thread; without a file, the picture comes alone")
    func memoryDataSync() throws {
        cache.storeInMemory(try .sample(width: 3), for: key)
        #expect(query([.queryMemoryData, .queryMemoryDataSync]) == nil)
        cache.put(Self.file, for: key)
        #expect(query([.queryMemoryData, .queryMemoryDataSync]) == nil)
        #expect(recorder.words == ["memory 3x1", "memory 3x1 with data"])
        #expect(cache.queries.isEmpty)
    }

    @Test(
        "CAC-10 CAC-20 B5 a query that needs no disk misses at once",
        arguments: [ImageCacheType.memory, .noCache])
    func missWithoutDisk(tiers: ImageCacheType) throws {
        cache.put(Self.file, for: key)
        if tiers == .noCache { cache.storeInMemory(try .sample(), for: key) }
        #expect(query(cacheType: tiers) == nil)
        #expect(recorder.words == ["none"])
        #expect(cache.queries.isEmpty)
    }

    @Test(
        "CAC-10 B5 T4.50 a picture that is not in memory is read in the background, decoded, and in memory from then on"
    )
    func diskHit() async throws {
        cache.put(Self.file, for: key)
        let token = try #require(query())
        #expect(token.key == key)
        #expect(recorder.words.isEmpty)
        cache.answer()
        #expect(try await recorder.ending() == ["disk 40x40 with data"])
        #expect(cache.memory[key] === recorder.images.first)
        #expect(query() == nil)
        #expect(recorder.words.last == "memory 40x40")
    }

    @Test("CAC-10 B5 a missing picture is none, for every query", arguments: [ImageCacheType.all, .disk])
    func miss(tiers: ImageCacheType) async throws {
        _ = query(cacheType: tiers)
        cache.answer()
        #expect(try await recorder.ending() == ["none"])
    }

    @Test("CAC-10 memory is read again before decoding: many queries of one key decode once")
    func memoryMeanwhile() async throws {
        cache.put(Self.file, for: key)
        _ = query()
        let image = try Image.sample(width: 3)
        cache.storeInMemory(image, for: key)
        cache.answer()
        #expect(try await recorder.ending() == ["memory 3x1"])
        #expect(recorder.images.first === image)
        #expect(coder.decodeCount == 0)
    }

    @Test("CAC-10 a query of the disk alone does not look into memory, before or after reading")
    func diskOnly() async throws {
        cache.put(Self.file, for: key)
        cache.storeInMemory(try .sample(width: 3), for: key)
        #expect(query(cacheType: .disk) != nil)
        cache.answer()
        #expect(try await recorder.ending() == ["disk 40x40 with data"])
    }

    @Test("CAC-10 the disk on the caller's thread: read and decoded when the call returns, wherever callbacks go")
    func diskSync() throws {
        cache.put(Self.file, for: key)
        #expect(query(.queryDiskDataSync) { $0.callbackQueue = CallbackQueue(.global(), policy: .dispatch) } == nil)
        #expect(recorder.words == ["disk 40x40 with data"])
        #expect(cache.queries.isEmpty)
        #expect(cache.memory[key] != nil)
    }

    @Test(
        "CAC-10 T4.49 T4.48 a picture on the disk goes into memory only where the context stores there",
        arguments: [(ImageCacheType.disk, false), (.noCache, false), (.memory, true), (.all, true)])
    func promotion(storing tiers: ImageCacheType, isPromoted: Bool) async throws {
        cache.put(Self.file, for: key)
        _ = query { $0.storeCacheType = tiers }
        cache.answer()
        _ = try await recorder.ending()
        #expect((cache.memory[key] != nil) == isPromoted)
        #expect(cache.stores.isEmpty)
    }

    @Test("CAC-10 a thumbnail of a whole picture's key goes into memory under its own key")
    func thumbnail() async throws {
        cache.put(Self.file, for: key)
        let box = PixelSize(width: 8, height: 8)
        _ = query { $0.thumbnailPixelSize = box }
        cache.answer()
        cache.answer()
        #expect(try await recorder.ending() == ["disk 8x8"])
        #expect(cache.queries == [key.thumbnail(box, preservesAspectRatio: true), key])
        #expect(Set(cache.memory.keys) == [key.thumbnail(box, preservesAspectRatio: true)])
    }

    @Test("CAC-10 a thumbnail's key stays as it is, and its file is not decoded smaller")
    func thumbnailKey() async throws {
        let thumbnail = key.thumbnail(.square(8), preservesAspectRatio: true)
        cache.put(ScriptedCoder.file(12, 12), for: thumbnail)
        cache.queryImage(
            for: thumbnail, context: .coder(coder) { $0.thumbnailPixelSize = .square(8) },
            completion: recorder.completion)
        cache.answer()
        #expect(try await recorder.ending() == ["disk 12x12 with data"])
        #expect(Set(cache.memory.keys) == [thumbnail])
    }

    @Test("CAC-11 the same on the calling thread: memory, disk, both")
    func blocking() throws {
        cache.put(Self.file, for: key)
        let context = WebImageContext.coder(coder) { $0.storeCacheType = .disk }
        #expect(cache.imageFromMemory(for: key, options: [], context: context) == nil)
        #expect(try cache.imageFromDiskBlocking(for: key, context: context)?.pixelSize == .square(40))
        #expect(cache.memory.isEmpty)
        #expect(try cache.imageFromCacheBlocking(for: key, context: .coder(coder))?.pixelSize == .square(40))
        let image = try #require(cache.imageFromMemory(for: key, options: []))
        #expect(try cache.imageFromCacheBlocking(for: key, options: .queryMemoryData) === image)
        #expect(try cache.imageFromCacheBlocking(for: CacheKey("other")) == nil)
        #expect(cache.queries.isEmpty)
    }

    @Test(
        "CAC-11 on the calling thread, too, a first frame is still, and another class than the requested one is a miss")
    func blockingFirstFrame() throws {
        cache.put(ScriptedAnimationCoder.file(4, 4, frames: 3), for: key)
        var context = WebImageContext.coder(ScriptedAnimationCoder())
        for tier in [ImageCacheType.disk, .memory] {
            let still = try #require(
                try cache.imageFromDiskBlocking(for: key, options: .decodeFirstFrameOnly, context: context))
            #expect(!still.isAnimated && still.metadata.frameCount == 1)
            #expect(try cache.imageFromDiskBlocking(for: key, context: context)?.metadata.frameCount == 3)
            let any = try cache.imageFromCacheBlocking(for: key, options: .decodeFirstFrameOnly, context: context)
            #expect(any?.isAnimated == false, "\(tier)")
            // From now on memory has the animation, which stays one.
            let held = cache.imageFromMemory(for: key, options: .decodeFirstFrameOnly, context: context)
            #expect(held?.isAnimated == false)
            #expect(cache.imageFromMemory(for: key, options: [], context: context)?.isAnimated == true)
        }
        context.animatedImageClass = RefusingAnimatedImage.self
        #expect(cache.imageFromMemory(for: key, options: .matchAnimatedImageClass, context: context) == nil)
        let error = #expect(throws: WebImageError.self) {
            try cache.imageFromDiskBlocking(for: key, options: .matchAnimatedImageClass, context: context)
        }
        #expect(error?.code == .badImageData)
    }

    @Test("CTX-17 CAC-10 a query of no tier misses at once, even if an entry exists")
    func noTier() throws {
        cache.storeInMemory(try .sample(width: 3), for: key)
        cache.put(Self.file, for: key)
        #expect(query(cacheType: .noCache) == nil)
        #expect(recorder.words == ["none"])
        #expect(cache.queries.isEmpty && cache.reads.isEmpty)
    }

    @Test("CAC-10 the queried cache answers, whatever cache its context names for loads")
    func contextOfLoads() async throws {
        let other = SuspendedCache()
        other.storeInMemory(try .sample(), for: key)
        cache.put(Self.file, for: key)
        _ = query {
            $0.cache = other
            $0.originalCache = other
            $0.transformer = ScriptedTransformer()
        }
        cache.answer()
        #expect(try await recorder.ending() == ["disk 40x40 with data"])
    }

    @Test("complaint 11: a file that does not decode is removed and is a miss; one that is too large is an error")
    func undecodable() async throws {
        cache.put(Data("damaged".utf8), for: key)
        _ = query()
        cache.answer()
        #expect(try await recorder.ending() == ["none"])
        #expect(cache.removed == [key])

        cache.put(try Fixtures.data("photo.jpg"), for: key)
        var limited = ImageDecodeOptions()
        limited.limits.maximumPixelCount = 5
        let error = #expect(throws: WebImageError.self) {
            try cache.imageFromDiskBlocking(for: key, context: .coder(JPEGCoder()) { $0.decodeOptions = limited })
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.url?.absoluteString == key.string)
        #expect(cache.disk[key] != nil)
    }

    @Test("CAC-19 a query follows the options of a load that concern it, and ignores the others")
    func options() throws {
        cache.put(Self.file, for: key)
        let all = WebImageOptions(rawValue: .max)
        #expect(
            try cache.imageFromDiskBlocking(for: key, options: all.subtracting(.ofQueries), context: .coder(coder))
                != nil)
        #expect(coder.decodeCount == 1)
    }

    @Test("CAC-21 S4-28 an app's own cache decodes its files as the built-in one does")
    func decodeHelper() throws {
        var context = WebImageContext.coder(coder)
        context.thumbnailPixelSize = .square(8)
        let entry = DiskCacheEntry(data: Self.file, extendedData: Data("own".utf8))
        let image = try entry.decodedImage(for: key, context: context)
        #expect(image.pixelSize == .square(8))
        #expect(image.metadata.extendedData == Data("own".utf8))
        #expect(throws: WebImageError.self) {
            try DiskCacheEntry(data: Data("no".utf8)).decodedImage(for: key, context: context)
        }
        context.scaleFactor = 2
        let options = ImageDecodeOptions(context: context, options: .decodeFirstFrameOnly, key: key)
        #expect(options.thumbnailPixelSize == PixelSize.square(8))
        #expect(options.scaleFactor == 2)
        #expect(options.decodesFirstFrameOnly)
    }
}
