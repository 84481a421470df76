import FoundationEssentials
import WebImageCore

/// The disk tier with async calls. None of them blocks the calling thread.
extension ImageCache {
    /// The bytes stored under `key`, or nil.
    ///
    /// - Throws: ``WebImageError/Code/cancelled`` when the task is cancelled; an error with stage
    /// ``WebImageError/Stage/disk`` when the file exists and cannot be read.
    public func data(for key: CacheKey) async throws(WebImageError) -> Data? {
        try await entry(for: key)?.data
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
    ///   ``WebImageError/Code/fileFailed``; then no partial file is left.
    public func store(_ entry: DiskCacheEntry, for key: CacheKey) async throws(WebImageError) {
        let result = await withCheckedContinuation { continuation in
            storeOnDisk(entry, for: key) { continuation.resume(returning: $0) }
        }
        try result.get()
    }

    /// Removes a picture from the given tiers, with its thumbnails and transformed pictures.
    public func remove(for key: CacheKey, from tiers: ImageCacheType = .all) async {
        await withCheckedContinuation { continuation in
            remove(for: key, from: tiers) { continuation.resume() }
        }
    }

    /// Removes a picture from the given tiers, and no thumbnails or transformed pictures of it.
    public func removeAlone(for key: CacheKey, from tiers: ImageCacheType = .all) async {
        await withCheckedContinuation { continuation in
            removeAlone(for: key, from: tiers) { continuation.resume() }
        }
    }

    /// Empties the given tiers.
    public func clear(_ tiers: ImageCacheType = .all) async {
        await withCheckedContinuation { continuation in
            clear(tiers) { continuation.resume() }
        }
    }

    /// Returns when all earlier changes are written to the disk and the farther tiers: for programs that are about to end.
    public func flush() async {
        await withCheckedContinuation { continuation in
            writer.whenDone { continuation.resume() }
        }
    }

    /// Removes entries older than ``ImageCacheConfig/maxDiskAge`` from the disk. If the rest is above a limit, then
    /// removes the oldest by ``ImageCacheConfig/diskCacheExpireType`` until less than half of that size, and at most
    /// half of that count, is left.
    ///
    /// - Throws: The first error; all other entries are removed nevertheless.
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
