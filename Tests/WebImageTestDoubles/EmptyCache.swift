import WebImageCore
import WebImageHTTP

/// A cache that is always empty, except where a double overrides it.
protocol EmptyCache: ImageCaching {}

extension EmptyCache {
    func imageFromMemory(for key: CacheKey) -> Image? { nil }

    func storeInMemory(_ image: Image, for key: CacheKey) {}

    func queryDisk(
        for key: CacheKey, priority: LoadPriority,
        completion: @escaping @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void
    ) -> any CancellableTask {
        completion(.success(nil))
        return EndedLoadTask()
    }

    func queryDiskBlocking(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry? { nil }

    func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) { completion?(.success(())) }

    func remove(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?) { completion?() }

    func clear(_ tiers: ImageCacheType, completion: (@Sendable () -> Void)?) { completion?() }
}
