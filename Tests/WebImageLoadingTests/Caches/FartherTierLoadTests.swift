import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Loads and farther tiers", .timeLimit(.minutes(5)))
struct FartherTierLoadTests {
    private let tier = DictionaryTier()

    /// The cache of one machine.
    private func cache() -> ImageCache {
        var config = ImageCacheConfig()
        config.fartherTiers = [tier]
        return ImageCache(memoryCache: MemoryCache(), diskCache: DictionaryDisk(), config: config)
    }

    /// The manager of one machine, which has no network without a file.
    private func manager(_ file: Data?, _ cache: ImageCache? = nil) -> WebImageManager {
        let loader = ClosureImageLoader { _ in
            guard let file else { throw WebImageError.cancelled() }
            return file
        }
        return WebImageManager(cache: cache ?? self.cache(), loader: loader, coder: ScriptedCoder())
    }

    @Test(
        "a picture that one machine has loaded comes from the tier on another one, and only for loads with its rights",
        arguments: [nil, "secret"])
    func shared(password: String?) async throws {
        var (mine, others) = (WebImageContext(), WebImageContext())
        mine.downloadCredential = password.map { DownloadCredential(user: "ada", password: $0) }
        others.downloadCredential = DownloadCredential(user: "eve", password: "guess")
        let url = try ManagerBench.url()
        let request = ImageRequest(url, options: .waitStoreCache, context: mine)
        let cache = cache()
        _ = try await manager(ScriptedCoder.file(4, 4), cache).result(for: request)
        await cache.flush()
        let found = try await manager(nil).result(for: request)
        #expect(found.cacheType == .disk && found.image.pixelSize == .square(4))
        let seen = try? await manager(nil).result(for: ImageRequest(url, context: others))
        #expect((seen != nil) == (password == nil))
    }
}
