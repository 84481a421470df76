import FoundationEssentials
import WebImageCache
import WebImageCore

/// The disk tier of a cache, so that no pixel gets into its memory.
final class DiskOnlyCache: ImageCaching {
    private let cache: any ImageCaching

    init(_ cache: any ImageCaching) { self.cache = cache }

    func imageFromMemory(for key: CacheKey) -> Image? { nil }

    func storeInMemory(_ image: Image, for key: CacheKey) {}

    func storeInMemory(_ image: Image, for key: CacheKey, expiresAt: Date?) {}

    func queryDisk(
        for key: CacheKey, priority: LoadPriority,
        completion: @escaping @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void
    ) -> any CancellableTask {
        cache.queryDisk(for: key, priority: priority, completion: completion)
    }

    func queryDiskBlocking(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry? {
        try cache.queryDiskBlocking(for: key)
    }

    func queryHead(for key: CacheKey, completion: @escaping @Sendable (DiskCacheEntry?) -> Void) {
        cache.queryHead(for: key, completion: completion)
    }

    func openFile(for key: CacheKey) -> RandomAccessFile? { cache.openFile(for: key) }

    func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) {
        cache.storeOnDisk(entry, for: key, completion: completion)
    }

    func generation(of keys: [CacheKey]) -> Int { cache.generation(of: keys) }

    func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, ifStill generation: Int, of keys: [CacheKey],
        completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) {
        cache.storeOnDisk(entry, for: key, ifStill: generation, of: keys, completion: completion)
    }

    func removeOlder(than image: Image, for key: CacheKey) { cache.removeOlder(than: image, for: key) }

    func remove(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        cache.remove(for: key, from: tiers, completion: completion)
    }

    func removeAlone(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        cache.removeAlone(for: key, from: tiers, completion: completion)
    }

    func clear(_ tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        cache.clear(tiers, completion: completion)
    }
}
