import FoundationEssentials
import Synchronization
import WebImageCore

/// The settings of an image cache. A limit of nil is none, and one of 0 keeps nothing.
///
/// Limits can be changed while the cache is used (``ImageCache/config``); the other settings are those at the creation of
/// the cache.
public struct ImageCacheConfig: Sendable {
    /// Whether ``ImageCache`` stores pictures in memory. Default true.
    public var shouldCacheImagesInMemory = true

    /// The most bytes of pixels in memory; nil for no limit. Default ``MemoryCache/defaultCostLimit``.
    public var maxMemoryCost: Int? = MemoryCache.defaultCostLimit

    /// The most pictures in memory; nil, the default, for no limit.
    public var maxMemoryCount: Int?

    /// The time until a picture in memory expires; nil, the default, for never.
    public var maxMemoryAge: Duration?

    /// Whether an evicted picture is found again while a view or other code still holds it. Default false.
    public var shouldUseWeakMemoryCache = false

    /// Whether pictures are released when the system is short of memory: half of them, then all. Default true.
    public var shouldTrimMemoryUnderPressure = true

    /// The time until an entry on disk expires, counted from ``diskCacheExpireType``; nil for never. Default 7 days.
    public var maxDiskAge: Duration? = .seconds(7 * 24 * 60 * 60)

    /// The most bytes on disk; nil for no limit: then only the age limits the cache. Default 4 GiB, which is more than an
    /// app shows in the week that entries live, and keeps servers with large pictures from filling a disk. Each file that
    /// this process writes counts with blocks of 4,096 bytes, and each file that it finds counts with the size that the
    /// file system has allocated.
    ///
    /// When the limit is passed, an eviction removes entries until less than half of the limit is left, so that
    /// evictions are rare.
    public var maxDiskSize: Int? = 4 << 30

    /// The most bytes of one picture's file on disk; nil for no limit but that of the format, 2 GiB. Default 64 MiB, more
    /// than the files of almost all photos: a few hundred kilobytes from a server may become as much as
    /// ``WebImageDownloaderConfig/maximumBodyByteCount``, and such a picture takes the place of thousands.
    ///
    /// A larger picture is shown and kept in memory like any other, and loaded again when it is needed later. A file that
    /// is there for its key is removed, because it is out of date. The first such picture of a cache is logged.
    public var maxDiskEntrySize: Int? = 64 << 20

    /// The most entries on disk, in the same way; nil, the default, for no limit.
    public var maxDiskCount: Int?

    /// The date that the age of an entry on disk is counted from, and that orders evictions. Default
    /// ``DiskCacheExpireType/accessDate``.
    public var diskCacheExpireType = DiskCacheExpireType.accessDate

    /// Whether expired and surplus entries on disk are removed automatically: in the background, after a store that
    /// passes a limit, and once an hour. Default true; with false, the app has to call ``ImageCache/removeExpired()``.
    public var shouldRemoveExpiredDataAutomatically = true

    /// Whether an entry on disk that is older than ``maxDiskAge`` counts as none, although it is not removed yet, as after a
    /// longer time in which no program has used the cache. Default false: a picture is shown until it is removed. Pictures in
    /// memory have ``maxMemoryAge``.
    public var shouldIgnoreExpiredData = false

    /// Whether each file is stored with the ``ThumbHash`` of its picture, about 25 bytes in its header: then a view with the
    /// placeholder ``Image/cachedHash`` shows a blur of the picture before the file is read and decoded. Default false.
    ///
    /// Made in the background, at the lowest priority, after the picture is delivered. Files that are there already, and files
    /// that are stored without a picture, have none.
    public var storesThumbHashes = false

    /// Directories of other caches, for example with pictures that the app ships: read in this order where the disk
    /// tier has no entry, and never written. Default none.
    public var additionalDirectories: [String] = []

    /// Returns the path of a picture's file that the app ships, or nil: read last, where no cache has the key, and
    /// never written. Called on the cache's threads. Default nil.
    public var additionalCachePath: (@Sendable (CacheKey) -> String?)?

    /// Tiers behind the disk, the nearest first: asked where the disk and the additional directories have nothing, and written as
    /// the disk is. Calls whose names end in `Blocking`, ``ImageCaching/contains(_:in:completion:)`` and the totals are about
    /// this machine's own tiers alone. Their paths have no namespace: caches with one tier share its entries, and a clearing of one
    /// empties it for all; a tier for each namespace keeps them apart. Default none.
    public var fartherTiers: [any ImageCacheTier] = []

    /// Creates the memory tier of each cache with these settings; nil, the default, creates a ``MemoryCache``.
    public var makeMemoryCache: (@Sendable (ImageCacheConfig) -> any MemoryCaching)?

    /// Creates the disk tier, for the cache's directory, of each cache with these settings; nil, the default, creates a
    /// ``DiskCache``.
    public var makeDiskCache: (@Sendable (_ directory: String, ImageCacheConfig) -> any DiskCaching)?

    /// The defaults.
    public init() {}

    /// The settings of caches that are created without any; a change does not affect existing caches. Any thread.
    public static var `default`: ImageCacheConfig {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    private static let shared = Mutex(ImageCacheConfig())
}

extension ImageCacheConfig {
    /// The memory tier of these settings.
    var memoryCache: any MemoryCaching {
        makeMemoryCache?(self) ?? MemoryCache(config: self)
    }

    /// The disk tier of these settings.
    func diskCache(in directory: String) -> any DiskCaching {
        makeDiskCache?(directory, self) ?? DiskCache(directory: directory, config: self)
    }

    func hasSameMemoryLimits(as other: Self) -> Bool {
        maxMemoryCost == other.maxMemoryCost && maxMemoryCount == other.maxMemoryCount
            && maxMemoryAge == other.maxMemoryAge
    }

    func hasSameDiskLimits(as other: Self) -> Bool {
        maxDiskSize == other.maxDiskSize && maxDiskCount == other.maxDiskCount && maxDiskAge == other.maxDiskAge
    }
}

/// The date that the age of an entry on disk is counted from.
public enum DiskCacheExpireType: Sendable, Hashable, CaseIterable {
    /// When it was last read or written.
    case accessDate
    /// When it was last written.
    case modificationDate
    /// When an entry was first stored under its key: storing it again does not change this date, unless it was removed
    /// in between. A thumbnail that is made of a file in the cache has that file's date.
    case creationDate
    /// When its file, or an attribute of the file, was last changed. Reading is no change: with this type access times
    /// are not written to the files.
    case changeDate
}
