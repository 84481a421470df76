import Synchronization

/// Pictures in memory, by key, up to a limit of bytes and of pictures.
///
/// All calls answer at once on the caller's thread; a hit takes one lock for some tens of nanoseconds, and a lock of its
/// own on each processor. The limits hold strictly: after each call the cache is within both. A picture that costs more
/// than a tenth of ``costLimit`` is not kept, so that one picture never drives out all others.
///
/// When memory is short, half of it goes; when it is very short, all of it.
public final class MemoryCache: MemoryCaching {
    // Whatever leaves the store is returned from under the lock and freed after it: freeing megabytes takes long.
    private let store: ReadMostlyMutex<MemoryCacheStore, MemoryCacheTally>
    private let clock: MemoryCacheClock
    /// Whether any picture may expire: only then is the clock looked at.
    private let canExpire: Atomic<Bool>
    /// Who says when memory is short; nil for nobody.
    let pressure: MemoryPressure?
    private let isWatchingPressure = Atomic(false)

    /// An empty cache.
    ///
    /// - Parameters:
    ///   - costLimit: The most bytes to hold; 0 or less for no limit.
    ///   - countLimit: The most pictures to hold; 0 or less for no limit.
    public convenience init(costLimit: Int = MemoryCache.defaultCostLimit, countLimit: Int = 0) {
        self.init(limits: MemoryCacheLimits(cost: costLimit, count: countLimit))
    }

    /// An empty cache with the settings for memory of `config`.
    public convenience init(config: ImageCacheConfig) {
        self.init(limits: MemoryCacheLimits(config), pressure: config.shouldTrimMemoryUnderPressure ? .shared : nil)
    }

    /// - Parameters:
    ///   - clock: What lifetimes are measured by.
    ///   - pressure: Says when memory is short; nil for nobody.
    init(
        limits: MemoryCacheLimits, clock: some Clock<Duration> = ContinuousClock(), pressure: MemoryPressure? = .shared
    ) {
        store = ReadMostlyMutex(MemoryCacheStore(limits: limits), tally: MemoryCacheTally())
        self.clock = MemoryCacheClock(clock)
        canExpire = Atomic(limits.lifetime != nil)
        self.pressure = pressure
    }

    deinit {
        if isWatchingPressure.load(ordering: .relaxed) { pressure?.remove(ObjectIdentifier(self)) }
    }

    /// The picture under `key`, or nil; counts as a use.
    public func image(for key: CacheKey) -> Image? { image(in: find(key.fingerprint), orOf: key) }

    /// The picture under the key of `text`, or nil; counts as a use. For whoever has no ``CacheKey``: none is made for a
    /// hit, which is a quarter of the time.
    ///
    /// ```swift
    /// let picture = memory.image(for: "https://example.org/cat.jpg")
    /// ```
    public func image(for text: String) -> Image? { image(in: find(KeyFingerprint(text)), orOf: CacheKey(text)) }

    private func find(_ fingerprint: KeyFingerprint) -> MemoryCacheStore.Finding {
        let now = now
        return store.read { store, tally in store.find(fingerprint, at: now, counting: &tally) }
    }

    @inline(__always)
    private func image(in finding: MemoryCacheStore.Finding, orOf key: @autoclosure () -> CacheKey) -> Image? {
        switch finding {
        case .image(let image): return image
        case .nothing: return nil
        case .unsettled: return settle(key())
        }
    }

    private func settle(_ key: CacheKey) -> Image? {
        let now = now
        return change { $0.settle(key, at: now, releasing: &$1) }
    }

    /// Puts a picture in at `cost` bytes (below 0 is 0), in place of any other under that key; evicts others until it fits.
    public func store(_ image: Image, for key: CacheKey, cost: Int) {
        store(image, for: key, cost: cost, expiresAfter: nil)
    }

    /// Puts a picture in at `cost` bytes (below 0 is 0), in place of any other under that key; evicts others until it fits.
    ///
    /// - Parameter lifetime: How long it may be found; nil for ``defaultLifetime``.
    public func store(_ image: Image, for key: CacheKey, cost: Int, expiresAfter lifetime: Duration?) {
        if lifetime != nil { canExpire.store(true, ordering: .relaxed) }
        let now = now
        change { store, released in
            let deadline = MemoryCacheClock.deadline(lifetime ?? store.limits.lifetime, after: now)
            store.store(image, for: key, cost: cost, deadline: deadline, at: now, releasing: &released)
        }
        watchPressure()
    }

    /// Takes a picture out, in whatever way it was decoded.
    public func remove(for key: CacheKey) { change { $0.remove(key, releasing: &$1) } }

    /// Takes a picture out, but for what was made of the file that `image` was made of.
    public func removeOlder(than image: Image, for key: CacheKey) {
        change { $0.removeFamily(of: key, unlessOf: image.source, releasing: &$1) }
    }

    /// Takes all pictures out.
    public func removeAll() { change { $0.removeAll(releasing: &$1) } }

    /// Takes out what has expired. Nobody finds it any more in any case; this frees its memory.
    public func removeExpired() {
        let now = now
        change { $0.removeExpired(at: now, releasing: &$1) }
    }

    /// Lets pictures go, in the order of eviction, until no more than `cost` bytes are held. Limits stay as they are.
    public func trim(toCost cost: Int) { evict(to: .init(cost: max(0, cost))) }

    /// Lets pictures go, in the order of eviction, until no more than `count` are held. Limits stay as they are.
    public func trim(toCount count: Int) { evict(to: .init(count: max(0, count))) }

    private func evict(to room: MemoryCacheLimits.Room) {
        let now = now
        change { $0.evict(to: room, at: now, releasing: &$1) }
    }

    /// Nanoseconds by the cache's clock; 0 as long as nothing can expire.
    private var now: Int { canExpire.load(ordering: .relaxed) ? clock.now : 0 }

    @discardableResult
    private func change<Result: Sendable>(_ body: (inout MemoryCacheStore, inout [Image]) -> Result) -> Result {
        var released: [Image] = []
        return store.write { body(&$0, &released) }
    }
}

// MARK: - Limits

extension MemoryCache {
    /// The most bytes to hold; 0 or less for no limit. A lower limit takes effect at once.
    public var costLimit: Int {
        get { limits.cost }
        set { changeLimits { $0.cost = newValue } }
    }

    /// The most pictures to hold; 0 or less for no limit. A lower limit takes effect at once.
    public var countLimit: Int {
        get { limits.count }
        set { changeLimits { $0.count = newValue } }
    }

    /// How long a picture may be found that is stored without a time of its own; nil for ever. Default nil. A change
    /// leaves pictures alone that are there already.
    public var defaultLifetime: Duration? {
        get { limits.lifetime }
        set { changeLimits { $0.lifetime = newValue } }
    }

    /// Whether a picture is found again that went from the cache while somebody still shows it; it is then held anew, at
    /// its cost. Default false. Pictures that were removed are not found, and `false` forgets all others.
    public var keepsWeakReferences: Bool {
        get { limits.keepsWeakReferences }
        set { changeLimits { $0.keepsWeakReferences = newValue } }
    }

    /// What happened since the cache was made, and what it holds now; pictures that expired count until they are let go.
    public var statistics: MemoryCacheStatistics {
        let tallies = store.tallies
        return store.write { store in
            MemoryCacheStatistics(
                hits: tallies.reduce(store.tally.hits) { $0 + $1.hits },
                misses: tallies.reduce(store.tally.misses) { $0 + $1.misses }, evictions: store.evictions,
                expirations: store.expirations, count: store.count, byteCount: store.totalCost)
        }
    }

    private var limits: MemoryCacheLimits { store.read { store, _ in store.limits } }

    private func changeLimits(_ change: (inout MemoryCacheLimits) -> Void) {
        let now = now
        self.change { store, released in
            var limits = store.limits
            change(&limits)
            if limits.lifetime != nil { canExpire.store(true, ordering: .relaxed) }
            store.change(limits, at: now, releasing: &released)
        }
    }
}

// MARK: - Want of memory

extension MemoryCache: MemoryPressureReceiver {
    /// Half of what is held goes on a warning, all when it is critical. What somebody still shows is found again where
    /// weak references are kept.
    func relieve(_ level: MemoryPressure.Level) {
        let now = now
        change { store, released in
            store.removeExpired(at: now, releasing: &released)
            let room: MemoryCacheLimits.Room =
                switch level {
                case .warning: .init(cost: store.totalCost / 2)
                case .critical: .init(cost: 0, count: 0)
                }
            store.evict(to: room, at: now, releasing: &released)
        }
    }

    /// A cache without pictures has nothing to give: the first one makes it listen.
    private func watchPressure() {
        guard let pressure, !isWatchingPressure.load(ordering: .relaxed) else { return }
        if !isWatchingPressure.exchange(true, ordering: .relaxed) { pressure.add(self) }
    }
}
