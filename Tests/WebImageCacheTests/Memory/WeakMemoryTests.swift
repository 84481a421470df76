import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageCache
@testable import WebImageTestDoubles

@Suite("Weak references in memory")
struct WeakMemoryTests {
    private let key = CacheKey("https://example.org/a.jpg")

    private func cache(costLimit: Int? = nil, countLimit: Int? = nil) -> MemoryCache {
        let cache = MemoryCache(costLimit: costLimit, countLimit: countLimit)
        cache.keepsWeakReferences = true
        return cache
    }

    @Test("CCF-3 MEM-5 T4.46 a picture that is still shown is found again after its eviction, and is held again")
    func revived() throws {
        let cache = cache(countLimit: 1)
        let image = try Image.sample()
        cache.store(image, for: key, cost: 7)
        cache.store(try .sample(), for: CacheKey("other"), cost: 1)
        #expect(cache.statistics.count == 1 && cache.statistics.byteCount == 1)
        #expect(cache.image(for: key) === image)
        #expect(cache.statistics.byteCount == 7, "it is held at its cost, in place of the other")
        #expect((cache.statistics.hits, cache.statistics.misses) == (1, 0))
    }

    @Test("MEM-5 a picture without any other reference is gone")
    func gone() throws {
        let cache = cache(countLimit: 1)
        cache.store(try .sample(), for: key, cost: 1)
        cache.store(try .sample(), for: CacheKey("other"), cost: 1)
        #expect(cache.image(for: key) == nil)
        #expect(cache.statistics.misses == 1)
    }

    @Test("MEM-4 MEM-5 weak references survive a shortage of memory, but neither removal nor emptying")
    func removal() throws {
        let cache = cache()
        let image = try Image.sample()
        cache.store(image, for: key, cost: 1)
        cache.relieve(.critical)
        #expect(cache.statistics.count == 0)
        #expect(cache.image(for: key) === image)
        cache.relieve(.critical)
        cache.remove(for: key)
        #expect(cache.image(for: key) == nil)
        cache.store(image, for: key, cost: 1)
        cache.removeAll()
        #expect(cache.image(for: key) == nil)
    }

    @Test("CCF-3 weak references are off by default, and can be switched on and off")
    func dynamic() throws {
        let cache = MemoryCache()
        let image = try Image.sample()
        #expect(!cache.keepsWeakReferences && !ImageCacheConfig().shouldUseWeakMemoryCache)
        cache.store(image, for: key, cost: 1)
        cache.trim(toCount: 0)
        #expect(cache.image(for: key) == nil)
        cache.keepsWeakReferences = true
        cache.store(image, for: key, cost: 1)
        cache.trim(toCount: 0)
        #expect(cache.image(for: key) === image)
        cache.keepsWeakReferences = false
        cache.trim(toCount: 0)
        #expect(cache.image(for: key) == nil)
        var config = ImageCacheConfig()
        config.shouldUseWeakMemoryCache = true
        #expect(MemoryCache(config: config).keepsWeakReferences)
    }

    @Test("MEM-5 a picture too large for memory is found as long as it is shown")
    func tooLarge() throws {
        let cache = cache(costLimit: 100)
        var image: Image? = try .sample()
        cache.store(try #require(image), for: key, cost: 50)
        #expect(cache.image(for: key) === image)
        #expect(cache.statistics.count == 0)
        image = nil
        #expect(cache.image(for: key) == nil)
    }

    @Test("references to released pictures do not pile up")
    func sweep() throws {
        var table = WeakImageTable()
        var released: [Image] = []
        let kept = try Image.sample()
        for number in 0..<10_000 {
            let image = number == 5 ? kept : try Image.sample()
            table.insert(image, for: CacheKey("\(number)"), cost: 1, deadline: .max, releasing: &released)
            released = []
            #expect(table.count <= 130)
        }
        #expect(table.entry(for: CacheKey("5"), at: 0)?.image === kept)
    }
}
