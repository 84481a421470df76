import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// The pictures that an invisible view may release.
@MainActor
@Suite("Upkeep of pictures", .timeLimit(.minutes(5))) struct PictureUpkeepTests {
    @Test("a picture may be released that is in memory, and also in a file for later")
    func keptElsewhere() async throws {
        let bench = ViewBench()
        try await bench.load(sending: ScriptedCoder.file(4, 4))
        #expect(bench.manager.manager.keeps(try request()))
        bench.manager.cache.clear(.memory, completion: nil)
        #expect(!bench.manager.manager.keeps(try request()))
    }

    @Test(
        "a picture that is only in memory, or in no cache, is kept",
        arguments: [
            (.memory, .noCache, .automatic), (.noCache, .noCache, .automatic), (.disk, .disk, .automatic),
            (.all, .noCache, .memory), (.all, .all, .noCache),
        ] as [(ImageCacheType, ImageCacheType, ImageCacheType)])
    func kept(store: ImageCacheType, original: ImageCacheType, query: ImageCacheType) async throws {
        let bench = ViewBench()
        let configure = { @Sendable (context: inout WebImageContext) in
            context.storeCacheType = store
            context.originalStoreCacheType = original
            context.queryCacheType = query
            if query != .automatic { context.originalQueryCacheType = .noCache }
        }
        try await bench.load(sending: ScriptedCoder.file(4, 4), configure: configure)
        #expect(!bench.manager.manager.keeps(try request(configure)))
    }

    @Test("a local file can always be read again")
    func local() throws {
        let bench = ViewBench()
        let url = URL(filePath: "/pictures/a.jpg")
        bench.manager.cache.storeInMemory(try .plain(4, 4), for: CacheKey(url.absoluteString))
        #expect(bench.manager.manager.keeps(ImageRequest(url)))
    }

    private func request(_ configure: (inout WebImageContext) -> Void = { _ in }) throws -> ImageRequest {
        var context = WebImageContext()
        configure(&context)
        return ImageRequest(try ManagerBench.url(), context: context)
    }
}
