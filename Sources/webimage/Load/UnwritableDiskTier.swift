import Synchronization
import WebImage

/// The disk tier over a directory that can only be read: the cache looks into that one beside it, and nothing is kept.
final class UnwritableDiskTier: DiskCaching {
    private let directory: String
    private let reason: String
    private let hasWarned = Mutex(false)

    /// - Parameter reason: Why nothing can be written there.
    init(directory: String, reason: String) {
        self.directory = directory
        self.reason = reason
    }

    func contains(_ key: CacheKey) -> Bool { false }

    func entry(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry? { nil }

    /// Warns, once, that nothing is stored.
    func store(_ entry: DiskCacheEntry, for key: CacheKey) throws(WebImageError) {
        let isFirst = hasWarned.withLock { hasWarned in
            defer { hasWarned = true }
            return !hasWarned
        }
        if isFirst { WebImageLog.warn("what is loaded is not kept: cannot write \(directory): \(reason)") }
    }

    func remove(for key: CacheKey) throws(WebImageError) {}

    func removeAll() throws(WebImageError) {}

    func removeExpired() throws(WebImageError) {}

    func usage() -> DiskCacheUsage { DiskCacheUsage(count: 0, byteCount: 0) }
}
