import FoundationEssentials
import Synchronization

/// How much an image cache keeps, and for how long. A cache takes a copy; the limits of its memory tier can be changed
/// later on ``MemoryCache`` itself.
public struct ImageCacheConfig: Sendable {
    /// Whether ``ImageCache`` keeps pictures in memory. Default true.
    public var shouldCacheImagesInMemory = true

    /// The most bytes of pixels in memory; 0 or less for no limit. Default ``MemoryCache/defaultCostLimit``.
    public var maxMemoryCost = MemoryCache.defaultCostLimit

    /// The most pictures in memory; 0 or less for no limit. Default 0.
    public var maxMemoryCount = 0

    /// Seconds that a picture may be found in memory; below 0 for ever. Default -1.
    public var maxMemoryAge: TimeInterval = -1

    /// Whether a picture that went from memory is found again while somebody still shows it. Default false.
    public var shouldUseWeakMemoryCache = false

    /// Whether pictures are let go when the system is short of memory: half of them, then all. Default true.
    public var shouldTrimMemoryUnderPressure = true

    /// Seconds that an entry stays on disk, counted from ``diskCacheExpireType``; below 0 for ever, 0 for none. Default
    /// 7 days.
    public var maxDiskAge: TimeInterval = 7 * 24 * 60 * 60

    /// The most bytes on disk, where each file counts with the blocks of 4,096 bytes that it fills, or, where it was only
    /// found there, with those that the file system tells; 0 or less for no limit. Default 0: age alone limits the cache.
    ///
    /// The limit is what starts an eviction, which then goes on until less than half of it is taken, so that it is rare.
    public var maxDiskSize = 0

    /// The most entries on disk, in the same way; 0 or less for no limit. Default 0.
    public var maxDiskCount = 0

    /// What the age of an entry on disk is counted from, and which entries are evicted first. Default
    /// ``DiskCacheExpireType/accessDate``.
    public var diskCacheExpireType = DiskCacheExpireType.accessDate

    /// Whether expired and surplus entries on disk are removed without being asked: in the background, after a store that
    /// passed a limit and once an hour. Default true; with false, ``ImageCache/removeExpired()`` is the app's to call.
    public var shouldRemoveExpiredDataAutomatically = true

    /// Whether a thumbnail that is not in memory is made of a larger one of the same picture that is, or of the whole
    /// picture, in place of reading and decoding the file. Default false: the pixels differ a little from those that the
    /// file would give.
    public var shouldReduceLargerImagesFromMemory = false

    /// Directories of other caches, which a program brings along, say: looked into where the disk tier has nothing, in
    /// this order, and never written. Default none.
    public var additionalDirectories: [String] = []

    /// The path of a picture's own file that a program brings along, or nil: looked into last, where nothing else has the
    /// key, and never written. Called on the cache's threads. Default nil.
    public var additionalCachePath: (@Sendable (CacheKey) -> String?)?

    /// Makes the memory tier of each cache with these settings; nil, the default, makes a ``MemoryCache``.
    public var makeMemoryCache: (@Sendable (ImageCacheConfig) -> any MemoryCaching)?

    /// Makes the disk tier, for the cache's directory, of each cache with these settings; nil, the default, makes a
    /// ``DiskCache``.
    public var makeDiskCache: (@Sendable (_ directory: String, ImageCacheConfig) -> any DiskCaching)?

    /// The defaults.
    public init() {}

    /// The settings of caches that are made without any; a change leaves caches alone that are there already. Any thread.
    public static var `default`: ImageCacheConfig {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    private static let shared = Mutex(ImageCacheConfig())
}

extension ImageCacheConfig {
    /// A memory tier as these settings want it.
    var memoryCache: any MemoryCaching {
        makeMemoryCache?(self) ?? MemoryCache(config: self)
    }

    /// A disk tier as these settings want it.
    func diskCache(in directory: String) -> any DiskCaching {
        makeDiskCache?(directory, self) ?? DiskCache(directory: directory, config: self)
    }
}

/// What the age of an entry on disk is counted from.
public enum DiskCacheExpireType: Sendable, Hashable, CaseIterable {
    /// When it was last read or written.
    case accessDate
    /// When it was last written.
    case modificationDate
    /// When an entry was first stored under its key: storing it again does not make it younger, unless it was removed in
    /// between.
    case creationDate
    /// When its file, or an attribute of the file, was last changed. Reading is no change: with this type access times
    /// are not written to the files.
    case changeDate
}
