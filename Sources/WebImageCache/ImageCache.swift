import FoundationEssentials
import Synchronization
import WebImageCore

/// The built-in cache: pictures in memory in front of files on disk.
///
/// Memory answers on the caller's thread. The disk never blocks that thread: reads go through a bounded queue, the
/// highest priority first, and within a priority the oldest first; writes run one after the other, in the order of the
/// calls. A query after a store or a removal sees the result of that, even while the disk is not done.
///
/// A disk that cannot be read or written costs no picture: queries and stores end with the error, one warning is
/// logged, and loads continue from the network.
public final class ImageCache: Sendable {
    /// The default cache of a manager: in ``defaultDirectory``, with the default settings.
    public static let shared = ImageCache()

    /// The memory tier.
    public let memoryCache: any MemoryCaching
    /// The disk tier. Its calls block.
    public let diskCache: any DiskCaching
    private let settings: Mutex<ImageCacheConfig>
    let writer: CacheWriter
    let reads: JobQueue
    /// One at a time, so that the loads of missing pictures go on in order.
    private let looks = JobQueue(label: "WebImage disk cache looks", limit: 1)
    let additional: AdditionalEntries
    /// Whether files are stored with the hashes of their pictures (``ImageCacheConfig/storesThumbHashes``).
    public let storesThumbHashes: Bool

    /// A cache of files in `directory`. The first store creates the directory when it does not exist.
    ///
    /// - Parameter config: The limits, and replacements of the built-in tiers (``ImageCacheConfig/makeMemoryCache``,
    ///   ``ImageCacheConfig/makeDiskCache``).
    public convenience init(
        directory: String = ImageCache.defaultDirectory, config: ImageCacheConfig = .default
    ) {
        self.init(
            memoryCache: config.memoryCache, diskCache: config.diskCache(in: directory), config: config, readLimit: 4)
    }

    /// A cache in its own directory below `directory`, separate from those with other names.
    ///
    /// - Parameter namespace: The name of the directory. Characters that a name cannot have, and names that lead out of
    ///   `directory`, are percent-encoded: `a/b` becomes `a%2Fb`.
    public convenience init(
        namespace: String, directory: String = ImageCache.defaultDirectory, config: ImageCacheConfig = .default
    ) {
        self.init(directory: "\(directory)/\(namespace.asDirectoryName)", config: config)
    }

    /// A cache with the app's own tiers.
    ///
    /// - Parameter config: Its limits have no effect: the tiers have their own until ``config`` is changed.
    public convenience init(
        memoryCache: any MemoryCaching, diskCache: any DiskCaching, config: ImageCacheConfig = .default
    ) {
        self.init(memoryCache: memoryCache, diskCache: diskCache, config: config, readLimit: 4)
    }

    package init(
        memoryCache: any MemoryCaching, diskCache: any DiskCaching, config: ImageCacheConfig, readLimit: Int,
        fileSystem: any FileSystem = POSIXFileSystem()
    ) {
        self.memoryCache = memoryCache
        self.diskCache = diskCache
        writer = CacheWriter(diskCache, farther: FartherTiers(config.fartherTiers))
        settings = Mutex(config)
        reads = JobQueue(label: "WebImage disk cache reads", limit: readLimit)
        additional = AdditionalEntries(config, fileSystem: fileSystem)
        storesThumbHashes = config.storesThumbHashes
    }

    /// The settings. A change of limits takes effect at once: memory is within them when this returns, and files are
    /// removed in the background, unless ``ImageCacheConfig/shouldRemoveExpiredDataAutomatically`` is false. A new age in
    /// memory is that of pictures stored from now on. Any thread.
    ///
    /// ```swift
    /// ImageCache.shared.config.maxDiskSize = 500 << 20  // of a cache that is used already: an eviction follows
    /// ```
    /// Besides the limits, only ``ImageCacheConfig/shouldCacheImagesInMemory`` can change: all else stays as it was at the
    /// creation of the cache.
    public var config: ImageCacheConfig {
        get { settings.withLock { $0 } }
        set {
            let old = settings.withLock { settings in
                defer { settings = newValue }
                return settings
            }
            if !newValue.hasSameMemoryLimits(as: old) {
                memoryCache.setLimits(
                    cost: newValue.maxMemoryCost, count: newValue.maxMemoryCount, age: newValue.maxMemoryAge)
            }
            if !newValue.hasSameDiskLimits(as: old) {
                diskCache.setLimits(size: newValue.maxDiskSize, count: newValue.maxDiskCount, age: newValue.maxDiskAge)
            }
        }
    }

    // MARK: Memory

    /// The picture in memory, or nil. Any thread; takes nanoseconds.
    public func imageFromMemory(for key: CacheKey) -> Image? {
        memoryCache.image(for: key)
    }

    /// The picture in memory in all ways and sizes, in no order. Any thread.
    public func imagesFromMemory(of key: CacheKey) -> [Image] { memoryCache.images(of: key) }

    /// Puts a picture into memory, unless the settings exclude that. Any thread.
    public func storeInMemory(_ image: Image, for key: CacheKey) {
        storeInMemory(image, for: key, expiresAt: nil)
    }

    /// Puts a picture into memory, unless the settings exclude that. It expires at `expiresAt`, and not later than the
    /// memory tier's other pictures. Any thread.
    public func storeInMemory(_ image: Image, for key: CacheKey, expiresAt: Date?) {
        guard settings.withLock({ $0.shouldCacheImagesInMemory }) else { return }
        memoryCache.store(image, for: key, cost: image.heldByteCount, expiresAfter: lifetime(until: expiresAt))
    }

    /// nil for the lifetime that the memory tier sets.
    private func lifetime(until expiresAt: Date?) -> Duration? {
        guard let expiresAt else { return nil }
        let rest = Duration.seconds(min(max(0, expiresAt.timeIntervalSinceNow), 1e9))
        return memoryCache.defaultLifetime.map { min($0, rest) } ?? rest
    }

    // MARK: Disk

    /// Reads the bytes on disk, on the cache's threads. A query that finds nothing does not wait for the reads of others:
    /// queries of one priority find that out one after the other, in the order of the calls.
    ///
    /// - Parameter completion: Called once: on the cache's threads, or, where ``CancellableTask/cancel()`` comes first,
    ///   by that call with ``WebImageError/Code/cancelled``.
    public func queryDisk(
        for key: CacheKey, priority: LoadPriority,
        completion: @escaping @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void
    ) -> any CancellableTask {
        let query = DiskQuery(priority: priority, completion: completion)
        query.run(on: looks) { [self] in
            guard mayRead(key) else { return readFarther(key, query) }
            query.run(on: reads) {
                let result = self.read(key)
                if case .success(nil) = result { self.readFarther(key, query) } else { query.finish(result) }
            }
        }
        return query
    }

    /// Reads an entry from a farther tier, and stores it in the nearer ones.
    private func readFarther(_ key: CacheKey, _ query: DiskQuery) {
        guard let farther = writer.farther, key.isPicture else { return query.finish(.success(nil)) }
        // Before the look at what is pending: a removal from now on is seen by the number.
        let keys = [key, key.original]
        let generation = generation(of: keys)
        guard writer.contents(of: key) == nil else { return query.finish(.success(nil)) }
        query.run { [self] in
            guard let (entry, tier) = await farther.entry(for: key) else { return query.finish(.success(nil)) }
            query.run(on: reads) { [self] in
                guard isCurrentInTier(entry, key), self.generation(of: keys) == generation else {
                    return query.finish(.success(nil))
                }
                writer.request(.fill(entry, key, tiers: tier), ifStill: (generation, keys))
                query.finish(.success(entry))
            }
        }
    }

    /// Reads the bytes on disk, on the caller's thread. Blocks.
    public func queryDiskBlocking(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry? { try read(key).get() }

    /// Reads an entry without its bytes, on the cache's threads: before all queries that wait there, which read files as a
    /// whole.
    ///
    /// - Parameter completion: Called once, on the cache's threads; nil when there is no entry, or it cannot be read.
    public func queryHead(for key: CacheKey, completion: @escaping @Sendable (DiskCacheEntry?) -> Void) {
        reads.submit(priority: .veryHigh) { [self] in completion(head(key)) }
    }

    private func head(_ key: CacheKey) -> DiskCacheEntry? {
        switch writer.contents(of: key) {
        case .entry(let entry): entry.expiresAt.isAhead ? entry : nil
        // It has no hash before its file is made.
        case .encoding: nil
        case .nothing: additional.head(for: key)
        case nil: diskCache.head(for: key) ?? additional.head(for: key)
        }
    }

    /// Writes bytes to disk, on the cache's threads; queries find them from now on.
    public func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) {
        endOthersInMemory(of: key, thanOf: entry)
        writer.request(.store(entry, key), completion: completion)
    }

    /// Runs blocking work on the queue for reads, after all reads that wait there.
    func onDisk(_ work: @escaping @Sendable (any DiskCaching) -> Void) {
        reads.submit(priority: .low) { [diskCache] in work(diskCache) }
    }

    /// Whether the disk may have an entry; takes microseconds.
    private func mayRead(_ key: CacheKey) -> Bool {
        writer.contents(of: key) != nil || diskCache.mayContain(key) || additional.contains(key)
    }

    private func read(_ key: CacheKey) -> Result<DiskCacheEntry?, WebImageError> {
        let result = Result { () throws(WebImageError) -> DiskCacheEntry? in
            let entry: DiskCacheEntry? =
                switch writer.contents(of: key) {
                case .entry(let entry): entry.expiresAt.isAhead ? entry : nil
                // A query before the file exists encodes the picture itself, which is rare, and does not wait for the
                // store's encoder.
                case .encoding(let record): record.expiresAt.isAhead ? try? record.makeEntry() : nil
                case .nothing: nil
                case nil: try diskCache.entry(for: key)
                }
            if let entry, isCurrent(entry, key) { return entry }
            return additional.entry(for: key).flatMap { isCurrent($0, key) ? $0 : nil }
        }
        // The disk tier logs each kind of trouble once; the callers of this cache must not log it again.
        return result.mapError { $0.logged }
    }
}

extension String {
    /// A file name within the directory. Different strings give different names, since each percent sign begins an
    /// escape.
    var asDirectoryName: String {
        if isEmpty { return "%" }
        let hasDotsOnly = self == "." || self == ".."
        return unicodeScalars.reduce(into: "") { name, character in
            switch character {
            case "/": name += "%2F"
            case "%": name += "%25"
            case "\0": name += "%00"
            case "." where hasDotsOnly: name += "%2E"
            default: name.unicodeScalars.append(character)
            }
        }
    }
}
