import FoundationEssentials

/// The disk tier for apps, by async calls. None of them blocks the calling thread.
extension ImageCache {
    /// The bytes stored under `key`, or nil.
    ///
    /// - Throws: ``WebImageError/Code/cancelled`` when the task is cancelled; an error with stage
    ///   ``WebImageError/Stage/disk`` when the file is there and cannot be read.
    public func data(for key: String) async throws(WebImageError) -> Data? {
        try await entry(for: CacheKey(key))?.data
    }

    /// The entry stored under `key`, or nil; throws as ``data(for:)``.
    public func entry(for key: CacheKey) async throws(WebImageError) -> DiskCacheEntry? {
        let cancellation = DeferredCancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                cancellation.attach(queryDisk(for: key, priority: .normal) { continuation.resume(returning: $0) })
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    /// Stores an entry on disk; returns when it is written.
    ///
    /// - Throws: ``WebImageError/Code/diskFull``, ``WebImageError/Code/accessDenied`` or
    ///   ``WebImageError/Code/fileFailed``, with nothing half written left behind.
    public func store(_ entry: DiskCacheEntry, for key: CacheKey) async throws(WebImageError) {
        let result = await withCheckedContinuation { continuation in
            storeOnDisk(entry, for: key) { continuation.resume(returning: $0) }
        }
        try result.get()
    }

    /// Removes a picture from the tiers named.
    public func remove(for key: CacheKey, from tiers: ImageCacheType = .all) async {
        await withCheckedContinuation { continuation in
            remove(for: key, from: tiers) { continuation.resume() }
        }
    }

    /// Empties the tiers named.
    public func clear(_ tiers: ImageCacheType = .all) async {
        await withCheckedContinuation { continuation in
            clear(tiers) { continuation.resume() }
        }
    }

    /// Returns when all that was asked of the disk before is written: for programs that are about to end.
    public func flush() async {
        await withCheckedContinuation { continuation in
            complete { continuation.resume() }
        }
    }

    /// Removes what is older than ``ImageCacheConfig/maxDiskAge`` from the disk; then, where the rest passes a limit, the
    /// oldest by ``ImageCacheConfig/diskCacheExpireType`` until less than half of that size is taken, and no more than half
    /// of that count.
    ///
    /// - Throws: The first error of a file that could not be removed; the others are gone all the same.
    public func removeExpired() async throws(WebImageError) {
        let result = await withCheckedContinuation { continuation in
            removeExpired { continuation.resume(returning: $0) }
        }
        try result.get()
    }

    /// Entries on disk, and the bytes of their files.
    public func usage() async -> DiskCacheUsage {
        await withCheckedContinuation { continuation in
            usage { continuation.resume(returning: $0) }
        }
    }
}
