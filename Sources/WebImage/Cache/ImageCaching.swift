import FoundationEssentials

/// A cache of two tiers as the manager sees it; ``ImageCache`` is the one that is built in.
///
/// The memory tier answers at once on the caller's thread. The disk tier never works there: it calls back exactly once,
/// on its own executor, or where a query is cancelled.
public protocol ImageCaching: Sendable {
    /// The picture in memory, or nil. Any thread; takes nanoseconds.
    func imageFromMemory(for key: CacheKey) -> Image?

    /// Puts a picture into memory. Any thread.
    func storeInMemory(_ image: Image, for key: CacheKey)

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

    /// Removes a picture from the tiers named; the completion comes on the cache's executor when all is done.
    func remove(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?)

    /// Empties the tiers named; the completion comes on the cache's executor when all is done.
    func clear(_ tiers: ImageCacheType, completion: (@Sendable () -> Void)?)
}

/// Bytes on disk with what is known of them.
public struct DiskCacheEntry: Sendable {
    /// The file as it came from the server, or a picture as it was encoded for the cache.
    public var data: Data
    /// When it was stored.
    public var storedAt: Date
    /// The header fields it came with, names in lower case; empty for anything but HTTP.
    public var headers: [String: String]
    /// The app's own bytes, kept and removed with the entry.
    public var extendedData: Data?

    /// An entry stored now.
    public init(
        data: Data, storedAt: Date = Date(), headers: [String: String] = [:], extendedData: Data? = nil
    ) {
        self.data = data
        self.storedAt = storedAt
        self.headers = headers
        self.extendedData = extendedData
    }
}

/// A memory tier: pictures by key, on the caller's thread. ``MemoryCache`` is the one that is built in.
public protocol MemoryCaching: Sendable {
    /// The picture, or nil.
    func image(for key: CacheKey) -> Image?
    /// Puts a picture in at `cost` bytes, in place of any other under that key.
    func store(_ image: Image, for key: CacheKey, cost: Int)
    /// Puts a picture in that is found no longer than `lifetime`; nil for the tier's own default.
    func store(_ image: Image, for key: CacheKey, cost: Int, expiresAfter lifetime: Duration?)
    /// Takes a picture out.
    func remove(for key: CacheKey)
    /// Takes all pictures out.
    func removeAll()
}

extension MemoryCaching {
    /// For tiers that know no lifetimes: a picture with one is not kept, since it would be found for too long.
    public func store(_ image: Image, for key: CacheKey, cost: Int, expiresAfter lifetime: Duration?) {
        if lifetime == nil { store(image, for: key, cost: cost) } else { remove(for: key) }
    }
}

/// A disk tier: bytes by key. Called on the cache's own executor, by several threads at once; blocks. ``DiskCache`` is
/// the one that is built in.
public protocol DiskCaching: Sendable {
    /// Whether there is an entry, without reading it.
    func contains(_ key: CacheKey) -> Bool
    /// Reads an entry and counts it as used; nil when there is none. A damaged one is removed and counts as none.
    func entry(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry?
    /// Writes an entry in place of any other under that key: readers see the old one or the new one, never a part.
    func store(_ entry: DiskCacheEntry, for key: CacheKey) throws(WebImageError)
    /// Removes an entry if it is there.
    func remove(for key: CacheKey) throws(WebImageError)
    /// Removes all entries.
    func removeAll() throws(WebImageError)
    /// Removes what is older than the configured age; then, where the rest passes a limit, the oldest until it fits.
    func removeExpired() throws(WebImageError)
    /// Entries, and the bytes that they take on disk.
    func usage() -> DiskCacheUsage
}

/// What a disk tier holds.
public struct DiskCacheUsage: Sendable, Hashable {
    /// Entries.
    public var count: Int
    /// Bytes of their files.
    public var byteCount: Int

    /// `count` entries of `byteCount` bytes together.
    public init(count: Int, byteCount: Int) {
        self.count = count
        self.byteCount = byteCount
    }
}
