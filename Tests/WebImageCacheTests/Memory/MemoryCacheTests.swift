import Foundation
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageCache
@testable import WebImageTestDoubles

@Suite("Memory cache", .timeLimit(.minutes(5)))
struct MemoryCacheTests {
    private func key(_ number: Int) -> CacheKey { CacheKey("https://example.org/pictures/\(number).jpg") }

    @Test("MEM-1 a picture stored is found until it is removed")
    func storeAndRemove() throws {
        let cache = MemoryCache()
        let image = try Image.sample()
        cache.store(image, for: key(1), cost: 4)
        #expect(cache.image(for: key(1)) === image)
        #expect(cache.image(for: key(2)) == nil)
        cache.remove(for: key(1))
        cache.remove(for: key(1))
        #expect(cache.image(for: key(1)) == nil)
        let statistics = cache.statistics
        #expect((statistics.hits, statistics.misses, statistics.evictions) == (1, 2, 0))
        #expect((statistics.count, statistics.byteCount) == (0, 0))
    }

    @Test(
        "MEM-1 a picture is found by its key's text alone, also by a weak reference, and counts as used"
    )
    func text() throws {
        let cache = MemoryCache()
        cache.keepsWeakReferences = true
        let image = try Image.sample()
        cache.store(image, for: key(1), cost: 4)
        #expect(cache.image(for: key(1).string) === image && cache.image(for: key(2).string) == nil)
        cache.trim(toCount: 0)
        #expect(cache.statistics.count == 0 && cache.image(for: key(1).string) === image)
        let statistics = cache.statistics
        #expect((statistics.hits, statistics.misses, statistics.count) == (2, 1, 1))
    }

    @Test("MEM-1 storing under a key again replaces the picture and its cost")
    func replace() throws {
        let cache = MemoryCache()
        cache.store(try .sample(), for: key(1), cost: 100)
        let second = try Image.sample()
        cache.store(second, for: key(1), cost: 7)
        #expect(cache.image(for: key(1)) === second)
        #expect(cache.statistics.byteCount == 7)
        #expect(cache.statistics.count == 1)
    }

    @Test("MEM-2 CCF-10 C10 C13 the byte limit holds after each store, and the oldest goes first")
    func costLimit() throws {
        let cache = MemoryCache(costLimit: 1000)
        for number in 0..<50 {
            cache.store(try .sample(), for: key(number), cost: 30 + number)
            #expect(cache.statistics.byteCount <= 1000)
        }
        #expect(cache.image(for: key(49)) != nil)
        #expect(cache.image(for: key(0)) == nil)
        let statistics = cache.statistics
        #expect(statistics.count + statistics.evictions == 50)
    }

    @Test("CCF-11 the count limit holds after each store")
    func countLimit() throws {
        let cache = MemoryCache(limits: MemoryCacheLimits(count: 3), budget: MemoryBudget(byteLimit: .max))
        for number in 0..<10 { cache.store(try .sample(), for: key(number), cost: 1 << 50) }
        #expect((0..<10).filter { cache.image(for: key($0)) != nil } == [7, 8, 9])
    }

    @Test("CCF-10 CCF-11 nil is no limit, whatever the costs add up to")
    func unlimited() throws {
        let cache = MemoryCache(limits: MemoryCacheLimits(), budget: MemoryBudget(byteLimit: .max))
        let image = try Image.sample()
        for number in 0..<2000 { cache.store(image, for: key(number), cost: .max) }
        #expect(cache.statistics.count == 2000)
        cache.store(image, for: key(0), cost: -5)
        #expect(cache.statistics.count == 2000)
    }

    @Test("a limit of zero, or below, keeps nothing", arguments: [0, -1])
    func nothing(limit: Int) throws {
        for cache in [MemoryCache(costLimit: limit), MemoryCache(costLimit: nil, countLimit: limit)] {
            cache.store(try .sample(), for: key(0), cost: 0)
            cache.store(try .sample(), for: key(1), cost: 1)
            #expect(cache.statistics.count == 0 && cache.image(for: key(0)) == nil)
        }
        let cache = MemoryCache(costLimit: nil)
        cache.store(try .sample(), for: key(0), cost: 0)
        cache.countLimit = limit
        #expect(cache.statistics.count == 0)
    }

    @Test("MEM-6 a lower limit takes effect at once")
    func liveLimits() throws {
        let cache = MemoryCache(costLimit: nil)
        for number in 0..<20 { cache.store(try .sample(), for: key(number), cost: 10) }
        cache.costLimit = 105
        #expect(cache.statistics.byteCount == 100)
        cache.countLimit = 2
        #expect(cache.statistics.count == 2)
        #expect(cache.image(for: key(19)) != nil)
        #expect(cache.costLimit == 105 && cache.countLimit == 2)
    }

    @Test("MEM-2 a picture that was used outlives newer ones that were not")
    func usedStays() throws {
        let cache = MemoryCache(costLimit: nil, countLimit: 4)
        for number in 0..<4 { cache.store(try .sample(), for: key(number), cost: 1) }
        for _ in 0..<2 { #expect(cache.image(for: key(0)) != nil) }
        for number in 4..<7 { cache.store(try .sample(), for: key(number), cost: 1) }
        #expect(cache.image(for: key(0)) != nil)
        #expect(cache.image(for: key(1)) == nil)
    }

    @Test("MEM-2 if every picture was used, one is still evicted")
    func allUsed() throws {
        let cache = MemoryCache(costLimit: nil, countLimit: 4)
        for number in 0..<4 { cache.store(try .sample(), for: key(number), cost: 1) }
        for number in 0..<4 { _ = cache.image(for: key(number)) }
        cache.store(try .sample(), for: key(4), cost: 1)
        #expect((0..<5).filter { cache.image(for: key($0)) != nil } == [1, 2, 3, 4])
    }

    @Test("complaint 3: an evicted picture is freed at once")
    func evictedIsFreed() throws {
        let cache = MemoryCache(costLimit: nil, countLimit: 1)
        weak var first: Image?
        do {
            let image = try Image.sample()
            first = image
            cache.store(image, for: key(1), cost: 1)
        }
        #expect(first != nil)
        cache.store(try .sample(), for: key(2), cost: 1)
        #expect(first == nil)
    }

    @Test("MEM-1 removing all leaves an empty cache that works")
    func removeAll() throws {
        let cache = MemoryCache()
        for number in 0..<100 { cache.store(try .sample(), for: key(number), cost: 3) }
        cache.removeAll()
        #expect(cache.statistics.count == 0 && cache.statistics.byteCount == 0)
        cache.store(try .sample(), for: key(1), cost: 3)
        #expect(cache.image(for: key(1)) != nil)
    }

    @Test("keys that only look alike, or end at a NUL, are different keys")
    func keysByBytes() throws {
        let cache = MemoryCache()
        let texts = ["caf\u{E9}", "cafe\u{301}", "a", "a\0", "a\0b", "", "\0"]
        let images = try texts.map { _ in try Image.sample() }
        for (text, image) in zip(texts, images) { cache.store(image, for: CacheKey(text), cost: 4) }
        for (text, image) in zip(texts, images) { #expect(cache.image(for: CacheKey(text)) === image) }
        #expect(Set(texts.map { CacheKey($0) }).count == texts.count)
    }

    @Test("a model of the cache agrees with it over 20,000 random calls")
    func model() throws {
        var random = SeededGenerator(seed: 7)
        let cache = MemoryCache(costLimit: nil)
        var model: [Int: (image: Image, cost: Int)] = [:]
        for _ in 0..<20_000 {
            let number = Int.random(in: 0..<300, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<40:
                let (image, cost) = (try Image.sample(), Int.random(in: 0..<100, using: &random))
                cache.store(image, for: key(number), cost: cost)
                model[number] = (image, cost)
            case 40..<70:
                cache.remove(for: key(number))
                model[number] = nil
            case 99 where number < 3:
                cache.removeAll()
                model = [:]
            default: #expect(cache.image(for: key(number)) === model[number]?.image)
            }
        }
        #expect(cache.statistics.count == model.count)
        #expect(cache.statistics.byteCount == model.values.reduce(0) { $0 + $1.cost })
    }

    @Test("many threads at once leave exact totals")
    func hammer() async throws {
        let cache = MemoryCache(costLimit: 5000, countLimit: 80)
        cache.keepsWeakReferences = true
        let images = try (0..<200).map { _ in try Image.sample() }
        await withTaskGroup { group in
            for worker in 0..<4 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(worker))
                    for _ in 0..<5000 {
                        let number = Int.random(in: 0..<200, using: &random)
                        switch Int.random(in: 0..<20, using: &random) {
                        case 0..<8: cache.store(images[number], for: key(number), cost: number)
                        case 8: cache.remove(for: key(number))
                        case 9: cache.costLimit = 2500 + number * 10
                        default: if let image = cache.image(for: key(number)) { #expect(image === images[number]) }
                        }
                    }
                }
            }
        }
        cache.keepsWeakReferences = false
        let held = (0..<200).filter { cache.image(for: key($0)) != nil }
        #expect(cache.statistics.count == held.count)
        #expect(cache.statistics.byteCount == held.reduce(0, +))
        #expect(cache.statistics.byteCount <= cache.costLimit ?? 0 && held.count <= 80)
    }
}
