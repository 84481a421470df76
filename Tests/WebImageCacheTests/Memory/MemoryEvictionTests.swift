import Testing
import WebImageCache
import WebImageCore
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Eviction from memory")
struct MemoryEvictionTests {
    private func key(_ number: Int) -> CacheKey { CacheKey("https://example.org/\(number).jpg") }

    @Test(
        "MEM-2 the cache evicts the same pictures as the textbook's algorithm, over random calls",
        arguments: [(3000, nil, 11), (nil, 40, 12), (3000, 40, 13), (500, nil, 14), (nil, 1, 15), (nil, 2, 16)]
            as [(Int?, Int?, UInt64)])
    func model(costLimit: Int?, countLimit: Int?, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let cache = MemoryCache(costLimit: costLimit, countLimit: countLimit)
        var model = EvictionModel(costLimit: costLimit, countLimit: countLimit)
        let image = try Image.sample()
        for step in 0..<6000 {
            // Some names are requested more often than others.
            let name = min(Int.random(in: 0..<150, using: &random), Int.random(in: 0..<150, using: &random))
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<35:
                let cost = Int.random(in: 0..<120, using: &random)
                cache.store(image, for: key(name), cost: cost)
                model.store(name, cost: cost)
            case 35..<38:
                cache.remove(for: key(name))
                model.remove(name)
            case 38 where step.isMultiple(of: 7):
                let cost = model.cost / 2
                cache.trim(toCost: cost)
                model.evict(cost, .max)
            default:
                #expect((cache.image(for: key(name)) != nil) == model.find(name))
            }
            let statistics = cache.statistics
            #expect(statistics.count == model.names.count && statistics.byteCount == model.cost)
            #expect(statistics.byteCount <= costLimit ?? .max)
            #expect(statistics.count <= countLimit ?? .max)
        }
    }

    @Test("complaint 3: pictures that are used once evict none that is used repeatedly")
    func scan() throws {
        let cache = MemoryCache(costLimit: nil, countLimit: 100)
        let image = try Image.sample()
        for number in 0..<50 { cache.store(image, for: key(number), cost: 1) }
        for _ in 0..<2 { for number in 0..<50 { _ = cache.image(for: key(number)) } }
        for number in 1000..<3000 { cache.store(image, for: key(number), cost: 1) }
        #expect((0..<50).allSatisfy { cache.image(for: key($0)) != nil })
    }

    @Test("a picture that returns soon after its eviction counts as used repeatedly")
    func ghost() throws {
        let cache = MemoryCache(costLimit: nil, countLimit: 10)
        let image = try Image.sample()
        for number in 0..<12 { cache.store(image, for: key(number), cost: 1) }
        #expect(cache.image(for: key(0)) == nil)
        cache.store(image, for: key(0), cost: 1)
        for number in 100..<200 { cache.store(image, for: key(number), cost: 1) }
        #expect(cache.image(for: key(0)) != nil)
        // A removed entry leaves nothing behind.
        cache.remove(for: key(0))
        cache.store(image, for: key(0), cost: 1)
        for number in 200..<300 { cache.store(image, for: key(number), cost: 1) }
        #expect(cache.image(for: key(0)) == nil)
    }

    @Test("MEM-2 a picture over a tenth of the limit is not kept, and evicts only its predecessor")
    func tooLarge() throws {
        let cache = MemoryCache(costLimit: 1000)
        let image = try Image.sample()
        cache.store(image, for: key(1), cost: 100)
        cache.store(image, for: key(2), cost: 40)
        cache.store(image, for: key(2), cost: 101)
        #expect(cache.image(for: key(1)) != nil)
        #expect(cache.image(for: key(2)) == nil)
        #expect(cache.statistics.byteCount == 100 && cache.statistics.evictions == 1)
        cache.costLimit = 999
        #expect(cache.image(for: key(1)) == nil, "a lower limit makes it too large")
    }

    @Test("trimming evicts the requested number, and keeps the limits")
    func trim() throws {
        let cache = MemoryCache(costLimit: nil)
        for number in 0..<100 { cache.store(try .sample(), for: key(number), cost: 10) }
        cache.trim(toCost: 333)
        #expect(cache.statistics.byteCount == 330)
        cache.trim(toCount: 5)
        #expect(cache.statistics.count == 5 && cache.costLimit == nil && cache.countLimit == nil)
        cache.trim(toCost: -1)
        #expect(cache.statistics.count == 0)
    }
}
