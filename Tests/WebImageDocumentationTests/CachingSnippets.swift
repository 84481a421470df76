// The code of Docs/Caching.md, compiled. A test compares the two, so neither changes alone.

import Foundation
import WebImage

// MARK: - Stand-ins for what an app has

private func show(_ image: Image, from tier: ImageCacheType) {}
private func bundledPicture(_ name: String) -> String? { nil }

private struct OwnMemory: MemoryCaching {
    let limit: Int?
    func image(for key: CacheKey) -> Image? { nil }
    func store(_ image: Image, for key: CacheKey, cost: Int) {}
    func remove(for key: CacheKey) {}
    func removeAll() {}
}

private struct OwnDisk: DiskCaching {
    let directory: String
    init(_ directory: String) { self.directory = directory }
    func contains(_ key: CacheKey) -> Bool { false }
    func entry(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry? { nil }
    func store(_ entry: DiskCacheEntry, for key: CacheKey) throws(WebImageError) {}
    func remove(for key: CacheKey) throws(WebImageError) {}
    func removeAll() throws(WebImageError) {}
    func removeExpired() throws(WebImageError) {}
    func usage() -> DiskCacheUsage { DiskCacheUsage(count: 0, byteCount: 0) }
}

// MARK: - The page

private func filter(_ manager: WebImageManager) {
    struct WithoutToken: CacheKeyFilter {
        func cacheKey(for url: URL) -> String? { url.absoluteString.components(separatedBy: "?token=").first }
    }
    manager.cacheKeyFilter = WithoutToken()
}

private func use(_ image: Image, _ file: Data) async throws -> (ImageCacheType, DiskCacheUsage) {
    let cache = ImageCache.shared
    let key = CacheKey("https://example.org/a.jpg")

    if let found = try await cache.queryImage(for: key) {
        show(found.image, from: found.cacheType)  // .memory or .disk
    }
    let token = cache.queryImage(for: key, cacheType: .disk) { result in
        if case .success(let found?) = result { show(found.image, from: found.cacheType) }
    }
    token?.cancel()  // calls back all the same, with WebImageError.Code.cancelled

    cache.store(image, for: key)  // encoded for the disk, in the background
    cache.store(image, data: file, for: key, cacheType: .all)
    try await cache.store(ImageCacheRecord(key, data: file))

    let tier = await cache.contains(key)  // .noCache, .disk or .memory
    await cache.remove(for: key, from: .disk)
    let ofAda = try await cache.keys { $0.original.string.hasPrefix("https://example.org/ada/") }
    try await cache.remove { $0.original.string.hasPrefix("https://old.example.org/") }
    let copy = try await cache.copyFile(for: key)  // the server's bytes, for another program; remove it when it is done
    let usage = await cache.usage()
    _ = (ofAda, copy)
    return (tier, usage)
}

private func directory() {
    ImageCache.defaultDirectory = "/home/me/.cache/org.example.Shop/pictures"
}

private func settings() {
    var config = ImageCacheConfig()
    config.maxMemoryCost = 100 << 20  // bytes of pixels
    config.maxDiskSize = 1 << 30
    config.maxDiskAge = .seconds(30 * 24 * 60 * 60)
    config.diskCacheExpireType = .modificationDate
    ImageCacheConfig.default = config  // for caches that are made from now on, the shared one too

    ImageCache.shared.config.maxDiskSize = 500 << 20  // of a cache that is used already: an eviction follows
}

private func tiers() -> WebImageContext {
    var context = WebImageContext()
    context.storeCacheType = .memory
    context.originalStoreCacheType = .disk  // the next thumbnail needs no network
    return context
}

private func hashes() {
    var config = ImageCacheConfig()
    config.storesThumbHashes = true
    ImageCacheConfig.default = config
}

private func caches(_ config: ImageCacheConfig) -> ImageCacheConfig {
    var config = config
    let avatars = ImageCache(namespace: "avatars")  // a directory of its own
    config.additionalDirectories = ["/usr/share/myapp/pictures"]  // another cache's, never written
    config.additionalCachePath = { key in bundledPicture(key.string) }  // plain files, looked at last
    config.makeMemoryCache = { config in OwnMemory(limit: config.maxMemoryCost) }
    config.makeDiskCache = { directory, config in OwnDisk(directory) }

    let caches = ImageCachesManager(caches: [ImageCache.shared, avatars])
    caches.queryOperationPolicy = .serial  // the default: from the highest down, until one has it
    caches.storeOperationPolicy = .concurrent  // in all of them
    WebImageManager.defaultImageCache = caches  // before WebImageManager.shared is first used
    return config
}

private func several(_ downloads: ImageCache) {
    let manager = ImageCachesManager(caches: [ImageCache.shared, downloads])  // the last one is the highest
    manager.storeOperationPolicy = .concurrent
    WebImageManager.defaultImageCache = manager
}
