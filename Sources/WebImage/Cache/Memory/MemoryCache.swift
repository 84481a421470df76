import Glibc
import Synchronization

/// Pictures in memory, by key, up to a limit of bytes and of pictures.
///
/// All calls answer at once on the caller's thread; a hit takes one lock for some tens of nanoseconds. The limits hold
/// strictly: after each call the cache is within both. A picture that costs more than the whole limit is not kept.
public final class MemoryCache: MemoryCaching {
    // Whatever leaves the store is returned from under the lock and freed after it: freeing megabytes takes long.
    private let store: Mutex<MemoryCacheStore>

    /// An empty cache.
    ///
    /// - Parameters:
    ///   - costLimit: The most bytes to hold; 0 or less for no limit.
    ///   - countLimit: The most pictures to hold; 0 or less for no limit.
    public init(costLimit: Int = MemoryCache.defaultCostLimit, countLimit: Int = 0) {
        store = Mutex(MemoryCacheStore(costLimit: costLimit, countLimit: countLimit))
    }

    /// A quarter of the machine's memory, but at least 64 MiB and at most 512 MiB.
    ///
    /// 512 MiB are about sixty full screens of pixels; more would only take memory from the system's own file cache,
    /// which makes the disk tier fast. Decided once per process.
    public static let defaultCostLimit: Int = {
        let quarter = sysconf(Int32(_SC_PHYS_PAGES)) / 4 * sysconf(Int32(_SC_PAGESIZE))
        return min(max(quarter, 64 << 20), 512 << 20)
    }()

    /// The most bytes to hold; 0 or less for no limit. A lower limit takes effect at once.
    public var costLimit: Int {
        get { store.withLock { $0.costLimit } }
        set { changeLimits { $0.costLimit = newValue } }
    }

    /// The most pictures to hold; 0 or less for no limit. A lower limit takes effect at once.
    public var countLimit: Int {
        get { store.withLock { $0.countLimit } }
        set { changeLimits { $0.countLimit = newValue } }
    }

    /// What happened since the cache was made, and what it holds now.
    public var statistics: MemoryCacheStatistics {
        store.withLock {
            MemoryCacheStatistics(
                hits: $0.hits, misses: $0.misses, evictions: $0.evictions, count: $0.count, byteCount: $0.totalCost)
        }
    }

    /// The picture under `key`, or nil; counts as a use.
    public func image(for key: CacheKey) -> Image? {
        store.withLock { $0.image(for: key) }
    }

    /// Puts a picture in at `cost` bytes (below 0 is 0), in place of any other under that key; evicts others until it fits.
    public func store(_ image: Image, for key: CacheKey, cost: Int) {
        _ = store.withLock { $0.store(image, for: key, cost: cost) }
    }

    /// Takes a picture out.
    public func remove(for key: CacheKey) {
        _ = store.withLock { $0.remove(for: key) }
    }

    /// Takes all pictures out.
    public func removeAll() {
        _ = store.withLock { $0.removeAll() }
    }

    private func changeLimits(_ change: (inout MemoryCacheStore) -> Void) {
        _ = store.withLock { store in
            change(&store)
            return store.makeRoom()
        }
    }
}

/// The accounts of a memory cache.
public struct MemoryCacheStatistics: Sendable, Hashable {
    /// Lookups that found a picture.
    public var hits: Int
    /// Lookups that found none.
    public var misses: Int
    /// Pictures that had to go for others, or that were larger than the whole cache.
    public var evictions: Int
    /// Pictures held now.
    public var count: Int
    /// What they cost, in bytes.
    public var byteCount: Int
}
