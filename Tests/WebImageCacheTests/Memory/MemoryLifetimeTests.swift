import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageCache
@testable import WebImageTestDoubles

@Suite("Lifetimes in memory")
struct MemoryLifetimeTests {
    private let clock = ManualClock()

    private func cache(
        lifetime: Duration? = nil, countLimit: Int? = nil, keepsWeakReferences: Bool = false
    ) -> MemoryCache {
        MemoryCache(
            limits: MemoryCacheLimits(
                cost: nil, count: countLimit, lifetime: lifetime, keepsWeakReferences: keepsWeakReferences),
            clock: clock, pressure: nil)
    }

    @Test("complaint 20: a picture is found until the end of its lifetime, and no longer")
    func expiry() throws {
        let cache = cache(lifetime: .seconds(60))
        cache.store(try .sample(), for: CacheKey("default"), cost: 1)
        cache.store(try .sample(), for: CacheKey("short"), cost: 1, expiresAfter: .seconds(1))
        cache.store(try .sample(), for: CacheKey("long"), cost: 1, expiresAfter: .seconds(3600))
        clock.advance(by: .milliseconds(999))
        #expect(cache.image(for: CacheKey("short")) != nil)
        clock.advance(by: .milliseconds(1))
        #expect(cache.image(for: CacheKey("short")) == nil)
        clock.advance(by: .seconds(59))
        #expect(cache.image(for: CacheKey("default")) == nil)
        #expect(cache.image(for: CacheKey("long")) != nil)
        let statistics = cache.statistics
        #expect((statistics.hits, statistics.misses, statistics.expirations) == (2, 2, 2))
        #expect((statistics.count, statistics.evictions) == (1, 0))
    }

    @Test("storing again begins a new lifetime, and using does not")
    func renewal() throws {
        let cache = cache(lifetime: .seconds(10))
        let key = CacheKey("a")
        cache.store(try .sample(), for: key, cost: 1)
        clock.advance(by: .seconds(9))
        #expect(cache.image(for: key) != nil)
        cache.store(try .sample(), for: key, cost: 1)
        clock.advance(by: .seconds(9))
        #expect(cache.image(for: key) != nil)
        clock.advance(by: .seconds(1))
        #expect(cache.image(for: key) == nil)
    }

    @Test("a lifetime of zero ends at once, and one beyond the clock's range never")
    func extremes() throws {
        let cache = cache()
        cache.store(try .sample(), for: CacheKey("none"), cost: 1, expiresAfter: .zero)
        cache.store(try .sample(), for: CacheKey("negative"), cost: 1, expiresAfter: .seconds(-5))
        cache.store(try .sample(), for: CacheKey("endless"), cost: 1, expiresAfter: .seconds(Int64.max))
        clock.advance(by: .seconds(1_000_000_000))
        #expect(cache.image(for: CacheKey("none")) == nil)
        #expect(cache.image(for: CacheKey("negative")) == nil)
        #expect(cache.image(for: CacheKey("endless")) != nil)
    }

    @Test("expired pictures are evicted first, however often they were used")
    func eviction() throws {
        let cache = cache(countLimit: 2)
        cache.store(try .sample(), for: CacheKey("old"), cost: 1, expiresAfter: .seconds(1))
        for _ in 0..<5 { _ = cache.image(for: CacheKey("old")) }
        cache.store(try .sample(), for: CacheKey("young"), cost: 1)
        clock.advance(by: .seconds(2))
        cache.store(try .sample(), for: CacheKey("new"), cost: 1)
        #expect(cache.image(for: CacheKey("young")) != nil)
        #expect(cache.statistics.expirations == 1 && cache.statistics.evictions == 0)
    }

    @Test("expired pictures can be freed without a look-up of each")
    func removeExpired() throws {
        let cache = cache(lifetime: .seconds(1))
        weak var freed: Image?
        do {
            let image = try Image.sample()
            freed = image
            cache.store(image, for: CacheKey("a"), cost: 1)
        }
        cache.store(try .sample(), for: CacheKey("b"), cost: 1, expiresAfter: .seconds(5))
        clock.advance(by: .seconds(2))
        #expect(freed != nil)
        cache.removeExpired()
        #expect(freed == nil && cache.statistics.count == 1)
    }

    @Test("a new default lifetime holds for later pictures, and an expired one is not found by a weak reference")
    func liveDefault() throws {
        let cache = cache(keepsWeakReferences: true)
        let image = try Image.sample()
        cache.store(image, for: CacheKey("a"), cost: 1)
        cache.defaultLifetime = .seconds(1)
        cache.store(image, for: CacheKey("b"), cost: 1)
        clock.advance(by: .seconds(2))
        #expect(cache.image(for: CacheKey("a")) === image)
        #expect(cache.image(for: CacheKey("b")) == nil)
        cache.trim(toCount: 0)
        #expect(cache.image(for: CacheKey("b")) == nil)
        #expect(cache.defaultLifetime == .seconds(1))
    }

    @Test("an app's own memory tier without lifetimes keeps no picture that has one")
    func foreignTier() throws {
        final class Tier: MemoryCaching {
            let images = Observed<[CacheKey: Image]>([:])
            func image(for key: CacheKey) -> Image? { images.value[key] }
            func store(_ image: Image, for key: CacheKey, cost: Int) { images.update { $0[key] = image } }
            func remove(for key: CacheKey) { images.update { $0[key] = nil } }
            func removeAll() { images.update { $0 = [:] } }
        }
        let tier: any MemoryCaching = Tier()
        tier.store(try .sample(), for: CacheKey("a"), cost: 1, expiresAfter: nil)
        #expect(tier.image(for: CacheKey("a")) != nil)
        tier.store(try .sample(), for: CacheKey("a"), cost: 1, expiresAfter: .seconds(1))
        #expect(tier.image(for: CacheKey("a")) == nil)
    }
}
