import FoundationEssentials

/// A cache of two tiers, as the manager uses it; ``ImageCache`` is the built-in one, ``ImageCachesManager`` combines
/// several.
///
/// The memory tier answers at once on the caller's thread. The disk tier never works there: it calls back exactly once,
/// on its own executor, or where a query is cancelled.
///
/// An app's own cache implements the calls of the manager; the default implementations of queries, stores and
/// ``contains(_:in:completion:)`` use these. A cache in front of another one must forward all calls, also those with a
/// default: ``generation(of:)`` and the calls that depend on it ensure that a removed picture is not restored.
public protocol ImageCaching: Sendable {
    /// The picture in memory, or nil. Any thread; takes nanoseconds.
    func imageFromMemory(for key: CacheKey) -> Image?

    /// The picture in memory in all ways and sizes: under `key`, and under the keys whose ``CacheKey/original`` is `key`, in no
    /// order. Empty, the default, for caches that do not look for them. Any thread; at once.
    func imagesFromMemory(of key: CacheKey) -> [Image]

    /// Puts a picture into memory. Any thread.
    func storeInMemory(_ image: Image, for key: CacheKey)

    /// Puts a picture into memory that expires at `expiresAt`; nil for no date, which is ``storeInMemory(_:for:)``. Any
    /// thread. By default, for caches without dates, a picture with a date is not stored, since it would be found after
    /// that date.
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

    /// Reads the bytes on disk on the caller's thread. Blocks; only for loads that require it
    /// (``WebImageOptions/queryDiskDataSync``).
    ///
    /// - Returns: The entry; nil when there is none, or only a damaged one, which is removed.
    func queryDiskBlocking(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry?

    /// Reads what the disk knows of a picture beside its bytes: an entry whose data need not be there. For placeholders
    /// (``DiskCacheEntry/thumbHash``), so before queries that wait; by default ``queryDisk(for:priority:completion:)``.
    ///
    /// - Parameter completion: nil when there is none, or it cannot be read; called once, on the cache's executor.
    func queryHead(for key: CacheKey, completion: @escaping @Sendable (DiskCacheEntry?) -> Void)

    /// Opens the file with the bytes of an entry, of which parts can then be read. Without it, the whole file of a large
    /// picture is in memory while its tiles are shown (`TiledImage`). Blocks; called for loads that have read this entry, and
    /// may see it.
    ///
    /// - Returns: The bytes that ``queryDisk(for:priority:completion:)`` has, and nothing else; nil when there is no entry. nil,
    ///   the default, for caches without files.
    func openFile(for key: CacheKey) -> RandomAccessFile?

    /// Whether a manager stores a hash with each file (``ImageCacheConfig/storesThumbHashes``); false, the default, for other
    /// caches. Any thread; takes nanoseconds.
    var storesThumbHashes: Bool { get }

    /// Writes bytes to disk. The completion is called on the cache's executor.
    func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?)

    /// Removes a picture from the given tiers, with all that was made from it: the entries under `key`, those whose keys
    /// begin with `key` and a NUL, and those whose ``CacheKey/original`` is `key`. The completion is called on the cache's
    /// executor when all is done.
    func remove(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?)

    /// Removes a picture from the given tiers, and no thumbnails or transformed pictures of it. By default the same as
    /// ``remove(for:from:completion:)``, for caches that do not tell them apart.
    func removeAlone(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?)

    /// Empties the given tiers; the completion is called on the cache's executor when all is done.
    func clear(_ tiers: ImageCacheType, completion: (@Sendable () -> Void)?)

    /// A number that is a greater one after each change of `keys`, and never falls: stores, removals and clearings of any
    /// tier. A load compares it before it reads an entry and after it has made a picture from that. 0, the default, for
    /// caches that do not count: then a picture may be restored that was removed meanwhile. Any thread; takes nanoseconds.
    func generation(of keys: [CacheKey]) -> Int

    /// Writes bytes to disk whose source was read under `keys` at the given generation, unless the generation has
    /// changed; then the completion gets no error. The default implementation compares the generation and then stores,
    /// with a gap between the two.
    func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, ifStill generation: Int, of keys: [CacheKey],
        completion: (@Sendable (Result<Void, WebImageError>) -> Void)?)

    /// A load got a new file for `key`, and has made `image` from it: removes from memory all pictures made from
    /// another file, in whatever way they were decoded, and from the disk the thumbnails and the transformed pictures that
    /// were, and changes the generation. By default removes all pictures under the key from memory. Any thread.
    func removeOlder(than image: Image, for key: CacheKey)

    /// Finds out which of the given tiers has a key.
    ///
    /// - Parameter completion: Gets `.memory`, or `.disk` where memory does not have it or is not given, or `.noCache`;
    ///   called once, before this returns when memory has it, and otherwise on the cache's executor.
    func contains(
        _ key: CacheKey, in tiers: ImageCacheType, completion: @escaping @Sendable (ImageCacheType) -> Void)

    /// Looks for a picture; see ``queryImage(for:options:context:cacheType:completion:)``.
    func queryImage(
        _ query: ImageCacheQuery, completion: @escaping @Sendable (Result<ImageCacheResult?, WebImageError>) -> Void
    ) -> ImageCacheToken?

    /// Stores a picture, its file, or both; see ``store(_:data:for:context:cacheType:completion:)``.
    func store(_ record: ImageCacheRecord, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?)
}
