import FoundationEssentials
import WebImageCache
import WebImageCore
import WebImageHTTP
import WebImageLoading

@testable import WebImageTestDoubles

/// A cache whose disk neither reads nor writes, and whose memory holds nothing.
struct FailingCache: EmptyCache {
    static let error = WebImageError(.fileFailed, stage: .disk, kind: .transient, reason: "the disk is gone")

    func queryDisk(
        for key: CacheKey, priority: LoadPriority,
        completion: @escaping @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void
    ) -> any CancellableTask {
        completion(.failure(Self.error))
        return EndedLoadTask()
    }

    func queryDiskBlocking(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry? { throw Self.error }

    func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) {
        completion?(.failure(Self.error))
    }
}
