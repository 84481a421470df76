import FoundationEssentials
import WebImageCore

// The keys in both tiers, for an app's page about its storage and for rules of its own.
extension ImageCache {
    /// The keys of the pictures in memory and on disk that a condition holds for, each once, in no order. Reads the beginning
    /// of every file, after all changes so far.
    ///
    /// ```swift
    /// let ofAda = try await cache.keys { $0.original.string.hasPrefix("https://example.org/ada/") }
    /// ```
    /// A thumbnail has a key of its own, and so has a picture in memory that was decoded in another way than usual.
    ///
    /// - Parameter isIncluded: Called on the cache's threads.
    /// - Throws: An error with stage ``WebImageError/Stage/disk`` when a directory cannot be listed.
    public func keys(
        where isIncluded: @escaping @Sendable (CacheKey) -> Bool = { _ in true }
    ) async throws(WebImageError) -> [CacheKey] {
        await flush()
        let result: Result<[CacheKey], WebImageError> = await withCheckedContinuation { continuation in
            onDisk { [memoryCache] disk in
                continuation.resume(
                    returning: Result { () throws(WebImageError) in
                        var keys = Set(memoryCache.keys.filter(isIncluded))
                        try disk.forEachKey { key in
                            // A key from the disk knows its original, and replaces an equal one.
                            if isIncluded(key) { keys.update(with: key) }
                            return true
                        }
                        return Array(keys)
                    })
            }
        }
        return try result.get()
    }

    /// Removes the pictures that a condition holds for, each with all that was made from it; returns when all is done.
    ///
    /// ```swift
    /// try await cache.remove { $0.original.string.hasPrefix("https://old.example.org/") }
    /// ```
    /// - Parameter isIncluded: As for ``keys(where:)``.
    /// - Returns: The keys that the condition held for.
    /// - Throws: As ``keys(where:)``; then nothing is removed.
    @discardableResult
    public func remove(
        where isIncluded: @escaping @Sendable (CacheKey) -> Bool
    ) async throws(WebImageError) -> [CacheKey] {
        let keys = try await keys(where: isIncluded)
        for key in keys { remove(for: key, from: .all, completion: nil) }
        await flush()
        return keys
    }
}
