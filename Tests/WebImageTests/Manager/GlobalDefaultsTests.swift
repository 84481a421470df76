import Testing

@testable import WebImage

/// Settings of the process: each test restores them, and none runs in parallel with another.
@Suite("Defaults of the process", .serialized)
struct GlobalDefaultsTests {
    @Test("GLB-1 CAC-2 caches that are made without settings take the defaults of that moment")
    func cache() {
        let before = ImageCacheConfig.default
        defer { ImageCacheConfig.default = before }
        ImageCacheConfig.default.maxDiskAge = 77
        #expect(ImageCache(directory: "/nonexistent/webimage").config.maxDiskAge == 77)
        #expect(ImageCache(directory: "/nonexistent/webimage", config: before).config.maxDiskAge == before.maxDiskAge)
    }

    @Test("GLB-1 downloaders that are made without settings take the defaults of that moment")
    func downloader() {
        let before = WebImageDownloaderConfig.default
        defer { WebImageDownloaderConfig.default = before }
        let old = WebImageDownloader()
        WebImageDownloaderConfig.default.maxRedirectCount = 3
        #expect(WebImageDownloader().config.maxRedirectCount == 3)
        #expect(old.config.maxRedirectCount == before.maxRedirectCount)
    }

    @Test("GLB-1 CAC-2 the directory of caches can be chosen, and given back to the environment")
    func directory() {
        let before = ImageCache.defaultDirectory
        ImageCache.defaultDirectory = "/nonexistent/pictures"
        #expect(ImageCache.defaultDirectory == "/nonexistent/pictures")
        ImageCache.resetDefaultDirectory()
        #expect(ImageCache.defaultDirectory == before)
    }
}
