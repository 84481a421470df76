import Synchronization
import WebImageCore

/// Pictures in memory, by key, up to a limit of bytes and of pictures.
///
/// All calls return at once on the caller's thread; a hit takes some tens of nanoseconds under one lock, of which each
/// processor has its own. The limits are strict: after each call the cache is within both. A picture that costs more
/// than a tenth of ``costLimit`` is not stored, so that one picture never evicts all others.
///
/// When memory is short, half of the cost is released; when it is very short, all of it.
public final class MemoryCache: MemoryCaching {
    // Pictures that leave the store are returned from under the lock and freed after it: freeing megabytes takes long.
    private let store: ReadMostlyMutex<MemoryCacheStore, MemoryCacheTally>
    private let clock: MemoryCacheClock
    /// Whether any picture may expire: only then is the clock read.
    private let canExpire: Atomic<Bool>
    /// The source of memory warnings; nil for none.
    let pressure: MemoryPressure?
    private let isWatchingMemory = Atomic(false)
    private let budget: MemoryBudget

    /// An empty cache.
    ///
    /// - Parameters:
    ///   - costLimit: The most bytes to hold; nil for no limit.
    ///   - countLimit: The most pictures to hold; nil for no limit.
    public convenience init(costLimit: Int? = MemoryCache.defaultCostLimit, countLimit: Int? = nil) {
        self.init(limits: MemoryCacheLimits(cost: costLimit, count: countLimit))
    }

    /// An empty cache with the settings for memory of `config`.
    public convenience init(config: ImageCacheConfig) {
        self.init(limits: MemoryCacheLimits(config), pressure: config.shouldTrimMemoryUnderPressure ? .shared : nil)
    }

    /// - Parameters:
    ///   - clock: Measures lifetimes.
    ///   - pressure: The source of memory warnings; nil for none.
    ///   - budget: The limit for this cache, all others, and the frames of animations together.
    init(
        limits: MemoryCacheLimits, clock: some Clock<Duration> = ContinuousClock(), pressure: MemoryPressure? = .shared,
        budget: MemoryBudget = .shared
    ) {
        store = ReadMostlyMutex(MemoryCacheStore(limits: limits), tally: MemoryCacheTally())
        self.clock = MemoryCacheClock(clock)
        canExpire = Atomic(limits.lifetime != nil)
        self.pressure = pressure
        self.budget = budget
    }

    deinit {
        budget.addPictures(-store.read { store, _ in store.totalCost })
        guard isWatchingMemory.load(ordering: .relaxed) else { return }
        pressure?.remove(ObjectIdentifier(self))
        budget.remove(ObjectIdentifier(self))
    }

    /// The picture under `key`, or nil; counts as a use.
    public func image(for key: CacheKey) -> Image? { image(in: find(key.fingerprint), orOf: key) }

    /// The picture under the key of `text`, or nil; counts as a use. For callers without a ``CacheKey``: a hit creates
    /// none, which saves a quarter of the time.
    ///
    /// ```swift
    /// let picture = memory.image(for: "https://example.org/cat.jpg")
    /// ```
    public func image(for text: String) -> Image? {
        let name = text.withPasswordDigest
        return image(in: find(KeyFingerprint(name)), orOf: CacheKey(name))
    }

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

    /// Stores a picture at `cost` bytes (below 0 is 0), replaces any other under that key, and evicts others until it
    /// fits.
    public func store(_ image: Image, for key: CacheKey, cost: Int) {
        store(image, for: key, cost: cost, expiresAfter: nil)
    }

    /// Stores a picture at `cost` bytes (below 0 is 0), replaces any other under that key, and evicts others until it
    /// fits.
    ///
    /// - Parameter lifetime: The time until it expires; nil for ``defaultLifetime``.
    public func store(_ image: Image, for key: CacheKey, cost: Int, expiresAfter lifetime: Duration?) {
        if lifetime != nil { canExpire.store(true, ordering: .relaxed) }
        budget.makePictureRoom(for: cost)
        let now = now
        change { store, released in
            let deadline = MemoryCacheClock.deadline(lifetime ?? store.limits.lifetime, after: now)
            store.store(
                image, for: key, cost: cost, within: budget.pictureRoom + store.totalCost, deadline: deadline, at: now,
                releasing: &released)
        }
        watchMemory()
    }

    /// Removes a picture with all its decoded variants, and with its thumbnails and transformed pictures.
    public func remove(for key: CacheKey) { change { $0.remove(key, alone: false, releasing: &$1) } }

    /// Removes a picture with all its decoded variants; thumbnails and transformed pictures of it stay.
    public func removeAlone(for key: CacheKey) { change { $0.remove(key, alone: true, releasing: &$1) } }

    /// Removes a picture, its variants, its thumbnails and its transformed pictures, except those made from the same file
    /// as `image`.
    public func removeOlder(than image: Image, for key: CacheKey) {
        change { $0.removeFamily(of: key, unlessOf: image.source, releasing: &$1) }
    }

    /// The picture under `key`, in whatever ways it was decoded, and its thumbnails and transformed pictures, in no order. No
    /// use of them.
    public func images(of key: CacheKey) -> [Image] {
        let now = now
        return store.write { $0.images(of: key, at: now) }
    }

    /// The keys of all pictures, in no order; a picture that was decoded in several ways has several.
    public var keys: [CacheKey] {
        let now = now
        return store.write { $0.keys(at: now) }
    }

    /// Removes all pictures.
    public func removeAll() { change { $0.removeAll(releasing: &$1) } }

    /// Removes expired pictures. Look-ups do not find them in any case; this frees their memory.
    public func removeExpired() {
        let now = now
        change { $0.removeExpired(at: now, releasing: &$1) }
    }

    /// Evicts pictures until at most `cost` bytes are held. Limits do not change.
    public func trim(toCost cost: Int) { evict(to: .init(cost: max(0, cost))) }

    /// Evicts pictures until at most `count` are held. Limits do not change.
    public func trim(toCount count: Int) { evict(to: .init(count: max(0, count))) }

    private func evict(to room: MemoryCacheLimits.Room) {
        let now = now
        change { $0.evict(to: room, at: now, releasing: &$1) }
    }

    /// Nanoseconds by the cache's clock; 0 while no picture can expire.
    private var now: Int { canExpire.load(ordering: .relaxed) ? clock.now : 0 }

    @discardableResult
    private func change<Result: Sendable>(_ body: (inout MemoryCacheStore, inout [Image]) -> Result) -> Result {
        var released: [Image] = []
        return store.write { store in
            let cost = store.totalCost
            defer { if store.totalCost != cost { budget.addPictures(store.totalCost - cost) } }
            return body(&store, &released)
        }
    }
}

// MARK: - Limits

extension MemoryCache {
    /// The most bytes to hold; nil for no limit but ``MemoryBudget/shared``, which applies in any case. A lower limit
    /// applies at once.
    public var costLimit: Int? {
        get { limits.cost }
        set { changeLimits { $0.cost = newValue } }
    }

    /// The most pictures to hold; nil for no limit. A lower limit applies at once.
    public var countLimit: Int? {
        get { limits.count }
        set { changeLimits { $0.count = newValue } }
    }

    /// The lifetime of pictures that are stored without one; nil for no expiry. Default nil. A change does not affect
    /// pictures already stored.
    public var defaultLifetime: Duration? {
        get { limits.lifetime }
        set { changeLimits { $0.lifetime = newValue } }
    }

    /// Whether an evicted picture is found again while other code still holds it; it is then stored again at its cost.
    /// Default false. Removed pictures are not found; `false` also drops all weak references.
    public var keepsWeakReferences: Bool {
        get { limits.keepsWeakReferences }
        set { changeLimits { $0.keepsWeakReferences = newValue } }
    }

    /// Counts since the creation of the cache, and its current contents; expired pictures are included until they are
    /// released.
    public var statistics: MemoryCacheStatistics {
        let tallies = store.tallies
        return store.write { store in
            MemoryCacheStatistics(
                hits: tallies.reduce(store.tally.hits) { $0 + $1.hits },
                misses: tallies.reduce(store.tally.misses) { $0 + $1.misses }, evictions: store.evictions,
                expirations: store.expirations, count: store.count, byteCount: store.totalCost)
        }
    }

    /// Sets ``costLimit``, ``countLimit`` and ``defaultLifetime``.
    public func setLimits(cost: Int?, count: Int?, age: Duration?) {
        changeLimits { ($0.cost, $0.count, $0.lifetime) = (cost, count, age) }
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

// MARK: - Memory pressure

extension MemoryCache: MemoryPressureReceiver {
    /// A warning evicts half of the cost, a critical one everything. With weak references, pictures that are still in
    /// use are found again.
    package func relieve(_ level: MemoryPressure.Level) {
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

    /// Begins with the first picture: an empty cache has no memory to release.
    private func watchMemory() {
        guard !isWatchingMemory.load(ordering: .relaxed) else { return }
        guard !isWatchingMemory.exchange(true, ordering: .relaxed) else { return }
        pressure?.add(self)
        budget.add(self)
    }
}

extension MemoryCache: MemoryHolder {
    package var holdsFrames: Bool { false }
    package var isIdle: Bool { false }

    package func giveBack(_ byteCount: Int) {
        let now = now
        change { store, released in
            store.evict(to: .init(cost: max(0, store.totalCost - byteCount)), at: now, releasing: &released)
        }
    }
}
