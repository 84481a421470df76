import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImageTestLoads
import WebImageTesting

@testable import WebImageTestDoubles

extension WebImageManagerTests {
    @Test("PIPE-14 a picture from the network says so, is kept in both tiers, and is in memory the second time")
    func firstAndSecondTime() async throws {
        let manager = manager
        let url = try Self.address("a.jpg")
        let first = LoadRecorder()
        start(url, with: manager, options: .waitStoreCache, into: first)
        try await loader.waitForLoads(1)[0].finish(ScriptedCoder.file(4, 3))
        let result = try await first.outcome().get()
        #expect(result.cacheType == .noCache)
        #expect(result.data == ScriptedCoder.file(4, 3))
        #expect(result.image.pixelSize == PixelSize(width: 4, height: 3))
        #expect(cache.stores == [CacheKey(url.absoluteString)])

        let second = LoadRecorder()
        start(url, with: manager, into: second)
        #expect(try second.outcomes.first?.get().cacheType == .memory)
        #expect(loader.loads.count == 1)
    }

    @Test("S3-15 a picture on disk is not loaded, and is put into memory")
    func fromDisk() async throws {
        let url = try Self.address("a.jpg")
        cache.put(ScriptedCoder.file(2, 2), for: CacheKey(url.absoluteString))
        let result = try await manager.result(for: url)
        #expect(result.cacheType == .disk)
        #expect(loader.loads.isEmpty)
        #expect(cache.memory.keys.map(\.string) == [url.absoluteString])
    }

    @Test("CTX-12 A25 PIPE-12 a thumbnail is stored under its own key, its original once")
    func thumbnail() async throws {
        let url = try Self.address("a.jpg")
        var context = Self.inline
        context.thumbnailPixelSize = PixelSize(width: 2, height: 2)
        let recorder = LoadRecorder()
        start(url, with: manager, options: .waitStoreCache, context: context, into: recorder)
        try await loader.waitForLoads(1)[0].finish(ScriptedCoder.file(40, 40))
        let result = try await recorder.outcome().get()
        #expect(result.image.pixelSize == PixelSize(width: 2, height: 2))
        #expect(result.data == nil)
        #expect(
            Set(cache.stores.map(\.string)) == [
                "http://host/a.jpg", "http://host/a-Thumbnail(%7B2.000000,2.000000%7D,1).jpg",
            ])
        #expect(cache.stores.count == 2)
    }

    @Test("A23 A25 a thumbnail of a picture on disk is made from it without loading or rewriting it")
    func thumbnailFromOriginal() async throws {
        let url = try Self.address("a.jpg")
        cache.put(ScriptedCoder.file(40, 40), for: CacheKey(url.absoluteString))
        var context = Self.inline
        context.thumbnailPixelSize = PixelSize(width: 2, height: 2)
        let result = try await manager.result(for: url, options: .waitStoreCache, context: context)
        #expect(result.cacheType == .disk)
        #expect(loader.loads.isEmpty)
        #expect(cache.stores.map(\.string) == ["http://host/a-Thumbnail(%7B2.000000,2.000000%7D,1).jpg"])
    }

    @Test("S0-4 a load that stores in memory only writes nothing to disk")
    func memoryOnly() async throws {
        var context = Self.inline
        context.storeCacheType = .memory
        context.originalStoreCacheType = .noCache
        let recorder = LoadRecorder()
        start(try Self.address("a.jpg"), with: manager, options: .waitStoreCache, context: context, into: recorder)
        try await loader.waitForLoads(1)[0].finish(ScriptedCoder.file(2, 2))
        _ = try await recorder.outcome().get()
        #expect(cache.stores.isEmpty)
        #expect(cache.memory.count == 1)
    }

    @Test("a file of this machine is kept in memory but not copied to the disk cache")
    func localFile() async throws {
        let recorder = LoadRecorder()
        start(URL(filePath: "/pictures/a.jpg"), with: manager, options: .waitStoreCache, into: recorder)
        try await loader.waitForLoads(1)[0].finish(ScriptedCoder.file(2, 2))
        _ = try await recorder.outcome().get()
        #expect(cache.queries.isEmpty)
        #expect(cache.stores.isEmpty)
        #expect(cache.memory.count == 1)
    }

    @Test("other decode options give other pixels, so memory keeps them apart")
    func decodeOptionsInMemoryKey() async throws {
        let url = try Self.address("a.jpg")
        let manager = manager
        cache.put(ScriptedCoder.file(2, 2), for: CacheKey(url.absoluteString))
        _ = try await manager.result(for: url)
        var context = Self.inline
        context.decodeOptions = .storedPixels
        #expect(try await manager.result(for: url, context: context).cacheType == .disk)
        #expect(try await manager.result(for: url, context: context).cacheType == .memory)
        #expect(cache.memory.count == 2)
    }

    @Test("progress is reported while the load runs, and never after its end")
    func progress() async throws {
        let recorder = LoadRecorder()
        let operation = start(try Self.address("a.jpg"), with: manager, into: recorder)
        let load = try await loader.waitForLoads(1)[0]
        load.progress(10, of: 100)
        #expect(recorder.progress == [LoadProgress(receivedByteCount: 10, expectedByteCount: 100)])
        operation.cancel()
        load.progress(20, of: 100)
        #expect(recorder.progress.count == 1)
    }
}
