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

    let staged = StagedWrites()
    let reads: JobQueue
    let writes = DispatchQueue(label: "WebImage disk cache writes", qos: .utility)
    let additional: AdditionalEntries
    /// nil unless ``ImageCacheConfig/shouldReduceLargerImagesFromMemory``.
    public let sizesInMemory: SizesInMemory?

    /// A cache of files in `directory`, which is made with the first entry when it does not exist.
    ///
    /// - Parameter config: The limits, and the tiers where they are not to be the built-in ones
    ///   (``ImageCacheConfig/makeMemoryCache``, ``ImageCacheConfig/makeDiskCache``).
    public convenience init(
        directory: String = ImageCache.defaultDirectory, config: ImageCacheConfig = .default
    ) {
        self.init(
            memoryCache: config.memoryCache, diskCache: config.diskCache(in: directory), config: config, readLimit: 4)
    }

    /// A cache of its own below `directory`, apart from those of other names.
    ///
    /// - Parameter namespace: The name of the directory. What no directory can be called, or what would lead out of
    ///   `directory`, is escaped as in a URL: `a/b` becomes `a%2Fb`.
    public convenience init(
        namespace: String, directory: String = ImageCache.defaultDirectory, config: ImageCacheConfig = .default
    ) {
        self.init(directory: "\(directory)/\(namespace.asDirectoryName)", config: config)
    }

    /// A cache of tiers that the app brings.
    ///
    /// - Parameter config: Of its settings, those of the built-in tiers are not looked at: limits and ages.
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
        self.config = config
        reads = JobQueue(label: "WebImage disk cache reads", limit: readLimit)
        additional = AdditionalEntries(config, fileSystem: fileSystem)
        sizesInMemory = config.shouldReduceLargerImagesFromMemory ? SizesInMemory() : nil
    }

    // MARK: Memory

    /// The picture in memory, or nil. Any thread; takes nanoseconds.
    public func imageFromMemory(for key: CacheKey) -> Image? {
        memoryCache.image(for: key)
    }

    /// Puts a picture into memory, unless the settings keep pictures out of it. Any thread.
    public func storeInMemory(_ image: Image, for key: CacheKey) {
        storeInMemory(image, for: key, expiresAt: nil)
    }

    /// Puts a picture into memory, unless the settings keep pictures out of it; nobody finds it from `expiresAt` on, nor
    /// longer than any other. Any thread.
    public func storeInMemory(_ image: Image, for key: CacheKey, expiresAt: Date?) {
        guard config.shouldCacheImagesInMemory else { return }
        memoryCache.store(image, for: key, cost: image.heldByteCount, expiresAfter: lifetime(until: expiresAt))
    }

    /// nil for the memory tier's own.
    private func lifetime(until expiresAt: Date?) -> Duration? {
        guard let expiresAt else { return nil }
        let rest = Duration.seconds(min(max(0, expiresAt.timeIntervalSinceNow), 1e9))
        return memoryCache.defaultLifetime.map { min($0, rest) } ?? rest
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
        write(entry, for: key, ticket: staged.begin(.stored(entry), of: key), completion: completion)
    }

    /// Writes what is staged as `ticket`.
    ///
    /// - Parameter unlessOvertaken: Whether something else may have been asked for under the key before this, which must
    ///   then not take its place.
    func write(
        _ entry: DiskCacheEntry, for key: CacheKey, ticket: Int, unlessOvertaken: Bool = false,
        completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) {
        writes.async { [self] in
            if unlessOvertaken, !staged.isLatest(ticket, of: key) {
                completion?(.success(()))
                return
            }
            let result = Result { () throws(WebImageError) in try diskCache.store(entry, for: key) }
            staged.end(ticket, of: key)
            completion?(result)
        }
    }

    /// Removes a picture: from memory at once, from disk on the cache's threads; queries find it no more from now on. A file
    /// that cannot be removed is found again when `completion` comes, and one warning is logged;
    /// ``removeFromDisk(for:)`` throws.
    ///
    /// - Parameter completion: Called once: before this returns when only memory is named, else on the cache's threads.
    public func remove(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        // Noted first: whoever is making a picture of what is there now looks again after putting it into memory.
        staged.noteChange(of: key)
        if tiers.contains(.memory) { memoryCache.remove(for: key) }
        guard tiers.contains(.disk) else {
            completion?()
            return
        }
        sizesInMemory?.forgetThumbnails(of: key, unlessOf: nil)
        let ticket = staged.begin(.removed, of: key)
        writes.async { [self] in
            // The disk tier has warned; nobody here could do more.
            try? diskCache.remove(for: key)
            staged.end(ticket, of: key)
            completion?()
        }
    }

    /// Empties the tiers: memory at once, the disk on the cache's threads; queries find nothing from now on. Files that
    /// cannot be removed are found again when `completion` comes, and one warning is logged; ``DiskCache/removeAll()``
    /// throws.
    ///
    /// - Parameter completion: Called once: before this returns when only memory is named, else on the cache's threads.
    public func clear(_ tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        staged.noteClearing()
        if tiers.contains(.memory) { memoryCache.removeAll() }
        guard tiers.contains(.disk) else {
            completion?()
            return
        }
        let ticket = staged.beginClearing()
        writes.async { [self] in
            try? diskCache.removeAll()
            staged.endClearing(ticket)
            completion?()
        }
    }

    /// Runs blocking work on the disk where reads run, when no picture waits for one.
    func onDisk(_ work: @escaping @Sendable (any DiskCaching) -> Void) {
        reads.submit(priority: .low) { [diskCache] in work(diskCache) }
    }

    private func read(_ key: CacheKey) -> Result<DiskCacheEntry?, WebImageError> {
        let result = Result { () throws(WebImageError) in
            let entry: DiskCacheEntry? =
                switch staged.change(of: key) {
                case .stored(let entry): entry.expiresAt.isAhead ? entry : nil
                // Whoever comes before the file is there encodes it as well, which is rare, and waits for nobody.
                case .encoding(let record): record.expiresAt.isAhead ? try? record.makeEntry() : nil
                case .removed: nil
                case nil: try diskCache.entry(for: key)
                }
            return entry ?? additional.entry(for: key)
        }
        // The disk tier tells of each kind of trouble once; nobody else is to.
        return result.mapError { $0.logged }
    }

    /// Calls `completion` behind all writes that were asked for so far.
    func complete(_ completion: (@Sendable () -> Void)?) {
        guard let completion else { return }
        staged.whenEncoded { [writes] in writes.async { completion() } }
    }
}

extension String {
    /// A name that leads nowhere else. No two are the same, since each percent sign is an escape's.
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
