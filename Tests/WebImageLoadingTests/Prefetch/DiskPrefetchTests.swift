import FoundationEssentials
import Synchronization
import Testing
import WebImageCore
import WebImageLoading
import WebImagePixels
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Prefetching to the disk", .timeLimit(.minutes(5)))
struct DiskPrefetchTests {
    private let stage = PrefetchStage()
    private let file = ScriptedCoder.file(30, 20)

    init() { stage.prefetcher.destination = .disk }

    private func prefetch(_ context: WebImageContext = WebImageContext()) throws -> (URL, PrefetchToken) {
        let url = try PrefetchStage.urls(0..<1)[0]
        return (url, stage.prefetch([url], context: context))
    }

    private func key(_ url: URL) -> CacheKey { CacheKey(url.absoluteString) }

    @Test("the file is stored on disk, and nothing is decoded or kept in memory")
    func toDisk() async throws {
        let (url, token) = try prefetch()
        try await stage.loader.waitForLoads(1)[0].finish(file)
        #expect(await token.result.skippedCount == 0)
        #expect(stage.cache.disk[key(url)]?.data == file)
        #expect(stage.cache.memory.isEmpty)
        #expect(stage.coder.decodeCount == 0)
    }

    @Test(
        "changes by an options processor bring no pixel into memory: neither its cache nor its coder does"
    )
    func processed() async throws {
        let other = SuspendedCache()
        let coder = ScriptedCoder()
        stage.manager.optionsProcessor = ScriptedProcessor { request in
            var request = request
            request.context.cache = other
            request.context.coder = coder
            return request
        }
        let (url, token) = try prefetch()
        try await stage.loader.waitForLoads(1)[0].finish(file)
        #expect(await token.result.skippedCount == 0)
        #expect(other.disk[key(url)]?.data == file)
        #expect(other.memory.isEmpty)
        #expect(coder.decodeCount == 0)
    }

    @Test("a load without the manager's transformer stays one")
    func disabledTransformer() async throws {
        stage.manager.transformer = ScriptedTransformer()
        var context = WebImageContext()
        context.transformer = .disabled
        context.originalStoreCacheType = .noCache
        let (url, token) = try prefetch(context)
        try await stage.loader.waitForLoads(1)[0].finish(file)
        #expect(await token.result.skippedCount == 0)
        #expect(stage.cache.disk[key(url)]?.data == file)
    }

    @Test("it ends when the file is written")
    func waitsForTheDisk() async throws {
        let cache = SuspendedCache(holdsStores: true)
        let (url, loader) = (try PrefetchStage.urls(0..<1)[0], SuspendedLoader())
        let manager = WebImageManager(cache: cache, loader: loader, coder: ScriptedCoder())
        let prefetcher = WebImagePrefetcher(manager: manager)
        prefetcher.destination = .disk
        let token = prefetcher.prefetch([url], completed: nil)
        loader.loads[0].finish(file)
        while cache.stores.isEmpty { await Task.yield() }
        #expect(token.progress.finishedCount == 0)
        cache.releaseStores()
        #expect(await token.result.skippedCount == 0)
    }

    @Test("a picture on the disk is not loaded")
    func alreadyThere() async throws {
        let url = try PrefetchStage.urls(0..<1)[0]
        stage.cache.put(file, for: key(url))
        let (_, token) = try prefetch()
        #expect(await token.result == PrefetchProgress(finishedCount: 1, totalCount: 1))
        #expect(stage.loader.loads.isEmpty)
        #expect(stage.cache.stores.isEmpty)
    }

    @Test("a file on the disk that is no picture is loaded again")
    func badFile() async throws {
        let url = try PrefetchStage.urls(0..<1)[0]
        stage.cache.put(Data("rubbish".utf8), for: key(url))
        let (_, token) = try prefetch()
        try await stage.loader.waitForLoads(1)[0].finish(file)
        #expect(await token.result.skippedCount == 0)
        #expect(stage.cache.disk[key(url)]?.data == file)
    }

    @Test("bytes that are no picture are not stored, and are not requested again")
    func noPicture() async throws {
        let (url, token) = try prefetch()
        try await stage.loader.waitForLoads(1)[0].finish(Data("<html>not found</html>".utf8))
        #expect(await token.result.skippedCount == 1)
        #expect(stage.cache.stores.isEmpty)
        #expect(await stage.prefetcher.prefetch([url]).skippedCount == 1)
        #expect(stage.loader.loads.count == 1)
    }

    @Test("for a thumbnail or a transformed picture, the original is stored, and neither is made")
    func derived() async throws {
        var context = WebImageContext()
        context.thumbnailPixelSize = PixelSize(width: 5, height: 5)
        context.transformer = ScriptedTransformer { $0 }
        let (url, token) = try prefetch(context)
        try await stage.loader.waitForLoads(1)[0].finish(file)
        #expect(await token.result.skippedCount == 0)
        #expect(stage.cache.stores == [key(url)])
        #expect(stage.cache.disk[key(url)]?.data == file)
        #expect(stage.cache.memory.isEmpty)

        context.callbackQueue = .current
        let image = try await stage.manager.image(for: url, context: context)
        #expect(image.pixelSize == PixelSize(width: 5, height: 5))
        #expect(stage.loader.loads.count == 1)
    }

    @Test("a thumbnail that is on the disk itself is enough")
    func thumbnailThere() async throws {
        var context = WebImageContext()
        context.thumbnailPixelSize = PixelSize(width: 5, height: 5)
        let url = try PrefetchStage.urls(0..<1)[0]
        stage.cache.put(
            ScriptedCoder.file(5, 5),
            for: key(url).thumbnail(PixelSize(width: 5, height: 5), preservesAspectRatio: true))
        let (_, token) = try prefetch(context)
        #expect(await token.result.skippedCount == 0)
        #expect(stage.loader.loads.isEmpty)
    }

    @Test("a picture that would not be kept on the disk is not loaded")
    func notForTheDisk() async throws {
        let local = URL(filePath: "/nowhere.png")
        #expect(await stage.prefetcher.prefetch([local]).skippedCount == 0)
        let (_, token) = try prefetch(.cacheMemoryOnly)
        #expect(await token.result.skippedCount == 0)
        #expect(stage.loader.loads.isEmpty)
    }

    @Test("the app's serializer makes the bytes, of the file alone")
    func serializer() async throws {
        var context = WebImageContext()
        context.cacheSerializer = Enveloping()
        let (url, token) = try prefetch(context)
        try await stage.loader.waitForLoads(1)[0].finish(file)
        #expect(await token.result.skippedCount == 0)
        #expect(stage.cache.disk[key(url)]?.data == Data("[".utf8) + file + Data("]".utf8))
    }

    @Test("cancelling stops the load, and nothing is stored")
    func cancel() async throws {
        let (_, token) = try prefetch()
        let load = try await stage.loader.waitForLoads(1)[0]
        token.cancel()
        try await load.waitForCancellation()
        #expect(stage.cache.stores.isEmpty)
        #expect(token.progress.skippedCount == 1)
    }

    @Test("a visible load of the same picture gets its pixels, not the prefetch's placeholder")
    func visibleBeside() async throws {
        let (url, token) = try prefetch()
        let recorder = LoadRecorder()
        var context = WebImageContext()
        context.callbackQueue = .current
        stage.manager.load(url, context: context, completed: recorder.completed)
        for load in try await stage.loader.waitForLoads(2) { load.finish(file) }
        #expect(try await recorder.outcome().get().image.pixelSize == PixelSize(width: 30, height: 20))
        #expect(await token.result.skippedCount == 0)
        #expect(stage.cache.memory.values.map(\.pixelSize) == [PixelSize(width: 30, height: 20)])
    }

    private struct Enveloping: CacheSerializer {
        func data(for image: Image?, originalData data: Data?, url: URL) -> Data? {
            image == nil ? data.map { Data("[".utf8) + $0 + Data("]".utf8) } : nil
        }
    }
}
