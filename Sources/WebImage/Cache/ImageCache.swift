import Dispatch
import FoundationEssentials

/// The cache that is built in: pictures in memory in front of files on disk.
///
/// Memory answers on the caller's thread. The disk never does: reads go through a bounded queue, the most urgent and
/// among those the newest first; writes go one after the other, in the order in which they were asked for. A query that
/// comes after a store or a removal sees what that leaves, even while the disk is still at it.
///
/// A disk that cannot be read or written costs no picture: queries and stores end with the error, one warning is logged,
/// and loads go on from the network.
public final class ImageCache: ImageCaching {
    /// The cache that a manager uses by default: in ``defaultDirectory``, with the default settings.
    public static let shared = ImageCache()

    /// The memory tier.
    public let memoryCache: any MemoryCaching
    /// The disk tier. Its calls block.
    public let diskCache: any DiskCaching
    /// The settings as the cache was made with them.
    public let config: ImageCacheConfig

    private let reads: JobQueue
    private let writes = DispatchQueue(label: "WebImage disk cache writes", qos: .utility)
    private let staged = StagedWrites()

    /// A cache of files in `directory`, which is made with the first entry when it does not exist.
    public convenience init(
        directory: String = ImageCache.defaultDirectory, config: ImageCacheConfig = .default
    ) {
        self.init(
            memoryCache: MemoryCache(config: config), diskCache: DiskCache(directory: directory, config: config),
            config: config)
    }

    /// A cache of tiers that the app brings.
    ///
    /// - Parameter config: Of its settings, a cache of other tiers looks at
    ///   ``ImageCacheConfig/shouldCacheImagesInMemory`` only.
    public convenience init(
        memoryCache: any MemoryCaching, diskCache: any DiskCaching, config: ImageCacheConfig = .default
    ) {
        self.init(memoryCache: memoryCache, diskCache: diskCache, config: config, readLimit: 4)
    }

    package init(
        memoryCache: any MemoryCaching, diskCache: any DiskCaching, config: ImageCacheConfig, readLimit: Int
    ) {
        self.memoryCache = memoryCache
        self.diskCache = diskCache
        self.config = config
        reads = JobQueue(label: "WebImage disk cache reads", limit: readLimit)
    }

    // MARK: Memory

    /// The picture in memory, or nil. Any thread; takes nanoseconds.
    public func imageFromMemory(for key: CacheKey) -> Image? {
        memoryCache.image(for: key)
    }

    /// Puts a picture into memory, unless the settings keep pictures out of it. Any thread.
    public func storeInMemory(_ image: Image, for key: CacheKey) {
        guard config.shouldCacheImagesInMemory else { return }
        memoryCache.store(image, for: key, cost: image.memoryCost)
    }

    // MARK: Disk

    /// Reads the bytes on disk, on the cache's threads.
    ///
    /// - Parameter completion: Called once: on the cache's threads, or, when ``CancellableTask/cancel()`` comes first, at
    ///   once where that is called, with ``WebImageError/Code/cancelled``.
    public func queryDisk(
        for key: CacheKey, priority: LoadPriority,
        completion: @escaping @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void
    ) -> any CancellableTask {
        let query = DiskQuery(completion: completion)
        let ticket = reads.submit(priority: priority) { [self] in
            guard !query.isOver else { return }
            query.finish(read(key))
        }
        query.whenCancelled { [reads] in reads.remove(ticket) }
        return query
    }

    /// Reads the bytes on disk, on the caller's thread. Blocks.
    public func readDisk(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry? { try read(key).get() }

    /// Writes bytes to disk, on the cache's threads; queries find them from now on.
    public func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) {
        let ticket = staged.begin(.stored(entry), of: key)
        writes.async { [self] in
            let result = Result { () throws(WebImageError) in try diskCache.store(entry, for: key) }
            staged.end(ticket, of: key)
            completion?(result)
        }
    }

    /// Removes a picture: from memory at once, from disk on the cache's threads; queries find it no more from now on.
    public func remove(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        if tiers.contains(.memory) { memoryCache.remove(for: key) }
        guard tiers.contains(.disk) else { return complete(completion) }
        let ticket = staged.begin(.removed, of: key)
        writes.async { [self] in
            // What cannot be removed was warned of when it was written; nobody here could do more.
            try? diskCache.remove(for: key)
            staged.end(ticket, of: key)
            completion?()
        }
    }

    /// Empties the tiers: memory at once, the disk on the cache's threads; queries find nothing from now on.
    public func clear(_ tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        if tiers.contains(.memory) { memoryCache.removeAll() }
        guard tiers.contains(.disk) else { return complete(completion) }
        let ticket = staged.beginClearing()
        writes.async { [self] in
            try? diskCache.removeAll()
            staged.endClearing(ticket)
            completion?()
        }
    }

    /// Runs blocking work on the disk where reads run, when no picture waits for one.
    func onDisk<Value: Sendable>(_ work: @escaping @Sendable (any DiskCaching) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            reads.submit(priority: .low) { [diskCache] in continuation.resume(returning: work(diskCache)) }
        }
    }

    private func read(_ key: CacheKey) -> Result<DiskCacheEntry?, WebImageError> {
        switch staged.change(of: key) {
        case .stored(let entry): .success(entry)
        case .removed: .success(nil)
        case nil: Result { () throws(WebImageError) in try diskCache.entry(for: key) }
        }
    }

    /// Calls `completion` behind all writes that were asked for so far.
    func complete(_ completion: (@Sendable () -> Void)?) {
        guard let completion else { return }
        writes.async { completion() }
    }
}
