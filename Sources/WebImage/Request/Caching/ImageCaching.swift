import FoundationEssentials

/// A cache of two tiers as the manager sees it; ``ImageCache`` is the one that is built in, ``ImageCachesManager`` makes
/// one of several.
///
/// The memory tier answers at once on the caller's thread. The disk tier never works there: it calls back exactly once,
/// on its own executor, or where a query is cancelled.
///
/// A cache of an app's own brings the calls that the manager makes; how pictures are queried and stored as a whole, and
/// whether a key is there, follows from those. One that stands before another cache hands all calls on, also those that
/// have a default: ``generation(of:)`` and what follows it keep the promise that what was removed does not come back.
public protocol ImageCaching: Sendable {
    /// The picture in memory, or nil. Any thread; takes nanoseconds.
    func imageFromMemory(for key: CacheKey) -> Image?

    /// Puts a picture into memory. Any thread.
    func storeInMemory(_ image: Image, for key: CacheKey)

    /// Puts a picture into memory that nobody finds any more from `expiresAt` on; nil for one without a date of its own,
    /// which is ``storeInMemory(_:for:)``. Any thread. By default, for caches that know no dates, a picture with one is
    /// not kept, since it would be found for too long.
    func storeInMemory(_ image: Image, for key: CacheKey, expiresAt: Date?)

    /// Reads the bytes on disk.
    ///
    /// - Parameter completion: The entry, nil when there is none (or only a damaged one, which is removed), or an
    ///   error; ``WebImageError/Code/cancelled`` after `cancel()`. Called once, on the cache's executor, or where
    ///   `cancel()` is called.
    func queryDisk(
        for key: CacheKey, priority: LoadPriority,
        completion: @escaping @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void
    ) -> any CancellableTask

    /// Reads the bytes on disk on the caller's thread. Blocks; only for loads that ask for it
    /// (``WebImageOptions/queryDiskDataSync``).
    ///
    /// - Returns: The entry; nil when there is none, or only a damaged one, which is removed.
    func readDisk(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry?

    /// Writes bytes to disk. The completion comes on the cache's executor.
    func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?)

    /// Removes a picture from the tiers named; the completion comes on the cache's executor when all is done. Memory may
    /// have it decoded in several ways: all that stands there under `key`, or under a key that begins with `key` and a
    /// NUL, is the same picture.
    func remove(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?)

    /// Empties the tiers named; the completion comes on the cache's executor when all is done.
    func clear(_ tiers: ImageCacheType, completion: (@Sendable () -> Void)?)

    /// How often what stands under any of `keys` was stored anew or removed, in whatever tier, clearings included: another
    /// number after each such change. Asked before and after a load makes a picture of what it has read. 0, the default,
    /// for caches that do not count: what is removed meanwhile may then come back. Any thread; takes nanoseconds.
    func generation(of keys: [CacheKey]) -> Int

    /// Writes bytes to disk that were made of what stood under `keys` at their generation, unless that is another one by
    /// now; the completion gets no error then. By default asks for the generation and stores, which leaves a gap between
    /// the two.
    func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, ifStill generation: Int, of keys: [CacheKey],
        completion: (@Sendable (Result<Void, WebImageError>) -> Void)?)

    /// A load got a new file for `key`, of which `image` was made: what memory has that was made of another file, in
    /// whatever way it was decoded, must not be found any more, and the generation is another one. By default removes all
    /// that memory has under the key. Any thread.
    func removeOlder(than image: Image, for key: CacheKey)

    /// The account of the thumbnails in memory, for a cache that has smaller ones made of larger ones
    /// (``ImageCacheConfig/shouldReduceLargerImagesFromMemory``); nil, the default, where they are not.
    var sizesInMemory: SizesInMemory? { get }

    /// Finds out which of the tiers named has something under a key.
    ///
    /// - Parameter completion: Gets `.memory`, or `.disk` where memory has nothing or is not asked, or `.none`; called
    ///   once, before this returns when memory answers, and otherwise on the cache's executor.
    func contains(
        _ key: CacheKey, in tiers: ImageCacheType, completion: @escaping @Sendable (ImageCacheType) -> Void)

    /// Looks for a picture; see ``queryImage(for:options:context:cacheType:completion:)``.
    func queryImage(_ query: ImageCacheQuery, completion: @escaping ImageCacheResult.Completion) -> ImageCacheToken?

    /// Stores a picture, its file, or both; see ``store(_:data:for:context:cacheType:completion:)``.
    func store(_ record: ImageCacheRecord, completion: ImageCacheRecord.Completion?)
}
