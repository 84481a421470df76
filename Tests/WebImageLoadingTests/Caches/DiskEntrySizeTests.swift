import Foundation
import Testing
import WebImageCache
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("The limit of one entry on disk", .timeLimit(.minutes(5)))
struct DiskEntrySizeTests {
    private let directory: CacheDirectory
    private let key = CacheKey("http://example.org/a.png")

    init() throws { directory = try CacheDirectory() }

    @Test("CCF-9 a larger entry is refused, and takes the place of none; it is logged once")
    func refused() throws {
        let warnings = CollectedWarnings()
        let cache = directory.cache(warnings: warnings) { $0.maxDiskEntrySize = 1000 }
        try cache.store(.sample(count: 1000), for: key)
        #expect(try cache.entry(for: key)?.data.count == 1000)
        for _ in 0..<2 {
            let error = #expect(throws: WebImageError.self) { try cache.store(.sample(count: 1001), for: key) }
            #expect(error?.code == .limitExceeded && error?.kind == .policy && error?.stage == .store)
            #expect(error?.reason.contains("1001 bytes") == true && error?.reason.contains("maxDiskEntrySize") == true)
            // The former entry is not the picture any more.
            #expect(try cache.entry(for: key) == nil)
        }
        #expect(warnings.all.count == 1 && directory.files.isEmpty && cache.usage().count == 0)
        let unlimited = directory.cache { $0.maxDiskEntrySize = nil }
        try unlimited.store(.sample(count: 1001), for: key)
        #expect(try unlimited.entry(for: key)?.data.count == 1001)
    }

    @Test("CCF-9 a picture that is too large is shown and kept in memory, but not on disk, and the plan says so")
    func load() async throws {
        let origin = try LoopbackOrigin()
        let picture = BMPBuilder(
            width: 100, height: 100, bitsPerPixel: 24, pixels: (0..<30_000).map { UInt8(truncatingIfNeeded: $0 >> 4) }
        ).data
        origin.serve("/a", .picture(picture))
        let url = origin.url("/a")
        var config = ImageCacheConfig()
        config.maxDiskEntrySize = 20_000
        let cache = ImageCache(directory: directory.path, config: config)
        let manager = WebImageManager(cache: cache, loader: WebImageDownloader.direct())
        let result = try await manager.result(for: url, options: .waitStoreCache)
        #expect(result.image.pixelSize == PixelSize(width: 100, height: 100) && result.cacheType == .noCache)
        #expect(directory.files.isEmpty)
        #expect(try await manager.result(for: url).cacheType == .memory)
        #expect(origin.requests.count == 1)
        cache.clear(.memory, completion: nil)
        #expect(try await manager.result(for: url).cacheType == .noCache)
        #expect("\(manager.explain(url))".contains("unless it has more than 20000 bytes"))
        let usual = WebImageManager(cache: ImageCache(directory: directory.path), loader: WebImageDownloader.direct())
        #expect("\(usual.explain(url))".contains("unless it has more than 64 MiB"))
    }
}
