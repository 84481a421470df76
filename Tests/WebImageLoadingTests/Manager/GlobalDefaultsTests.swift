import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageTestLoads
import WebImageTesting

@testable import WebImageCache
@testable import WebImageLoading

/// Settings of the whole process. Each test has a process of its own, so that no other test runs under its settings.
@Suite("Defaults of the process", .timeLimit(.minutes(5)))
struct GlobalDefaultsTests {
    @Test("GLB-1 CAC-2 caches that are made without settings take the defaults of that moment")
    func cache() async {
        await #expect(processExitsWith: .success) {
            let before = ImageCacheConfig.default
            ImageCacheConfig.default.maxDiskAge = .seconds(77)
            #expect(ImageCache(directory: "/nonexistent/webimage").config.maxDiskAge == .seconds(77))
            #expect(
                ImageCache(directory: "/nonexistent/webimage", config: before).config.maxDiskAge == before.maxDiskAge)
        }
    }

    @Test("GLB-1 downloaders that are made without settings take the defaults of that moment")
    func downloader() async {
        await #expect(processExitsWith: .success) {
            let old = WebImageDownloader()
            let before = WebImageDownloaderConfig.default.maxRedirectCount
            WebImageDownloaderConfig.default.maxRedirectCount = 3
            #expect(before != 3 && WebImageDownloader().config.maxRedirectCount == 3)
            #expect(old.config.maxRedirectCount == before)
        }
    }

    @Test("GLB-1 CAC-2 the directory of caches can be chosen, and given back to the environment")
    func directory() async {
        await #expect(processExitsWith: .success) {
            let before = ImageCache.defaultDirectory
            ImageCache.defaultDirectory = "/nonexistent/pictures"
            #expect(ImageCache.defaultDirectory == "/nonexistent/pictures")
            ImageCache.resetDefaultDirectory()
            #expect(ImageCache.defaultDirectory == before)
        }
    }

    @Test("MGR-1 GLB-1 managers that are made without a cache and a loader take the defaults of that moment")
    func manager() async {
        await #expect(processExitsWith: .success) {
            let (cache, loader) = (WebImageManager.defaultImageCache, WebImageManager.defaultImageLoader)
            let (otherCache, otherLoader) = (SuspendedCache(), SuspendedLoader())
            let before = WebImageManager()
            WebImageManager.defaultImageCache = otherCache
            WebImageManager.defaultImageLoader = otherLoader
            let after = WebImageManager()
            #expect(CollaboratorIdentity(after.cache) == CollaboratorIdentity(otherCache))
            #expect(CollaboratorIdentity(after.loader) == CollaboratorIdentity(otherLoader))
            #expect(CollaboratorIdentity(before.cache) == CollaboratorIdentity(cache))
            #expect(CollaboratorIdentity(before.loader) == CollaboratorIdentity(loader))
            #expect(WebImageManager.shared !== after)
            #expect(WebImageManager.shared === WebImageManager.shared)
        }
    }

    @Test("MGR-1 GLB-1 the shared manager takes the defaults that are set before its first use")
    func sharedManager() async {
        await #expect(processExitsWith: .success) {
            let (cache, loader) = (SuspendedCache(), SuspendedLoader())
            WebImageManager.defaultImageCache = cache
            WebImageManager.defaultImageLoader = loader
            #expect(CollaboratorIdentity(WebImageManager.shared.cache) == CollaboratorIdentity(cache))
            #expect(CollaboratorIdentity(WebImageManager.shared.loader) == CollaboratorIdentity(loader))
        }
    }

    @Test("S4-26 LD-4 the shared manager loads by the list of loaders, also by one that was added to it")
    func severalLoaders() async {
        await #expect(processExitsWith: .success) {
            WebImageManager.defaultImageCache = SuspendedCache()
            #expect(
                CollaboratorIdentity(WebImageManager.shared.loader) == CollaboratorIdentity(ImageLoadersManager.shared))
            let own = SuspendedLoader(schemes: ["app", "data"])
            ImageLoadersManager.shared.add(own)
            let urls = try ["app://a/b", "data:,b", "http://127.0.0.1:1/"].map { try #require(URL(string: $0)) }
            let loads = urls.map { WebImageManager.shared.load($0, options: .fromLoaderOnly) { _ in } }
            try await own.waitForLoads(2)
            // A load that the new one does not take stays with the one that was there.
            #expect(own.loads.map(\.request.url) == Array(urls.prefix(2)))
            for load in loads { load.cancel() }
        }
    }

    @Test("HLP-11 OPT-11 the default limit is 90 MiB, can be set, and ignores less than a pixel")
    func scaleDownLimit() async {
        await #expect(processExitsWith: .success) {
            let before = ImageDecodeOptions.defaultScaleDownLimitBytes
            #expect(before == 90 << 20)
            for number in [3, 0, -1] {
                ImageDecodeOptions.defaultScaleDownLimitBytes = number
                #expect(ImageDecodeOptions.defaultScaleDownLimitBytes == before)
            }
            ImageDecodeOptions.defaultScaleDownLimitBytes = before + 4
            #expect(ImageDecodeOptions.defaultScaleDownLimitBytes == before + 4)
        }
    }
}
