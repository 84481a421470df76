import Testing

@testable import WebImageCache
@testable import WebImageCore
@testable import WebImageTestDoubles

@Suite("Memory budget")
struct MemoryBudgetTests {
    private func cache(_ budget: MemoryBudget, limit: Int? = nil) -> MemoryCache {
        MemoryCache(limits: MemoryCacheLimits(cost: limit), pressure: nil, budget: budget)
    }

    private func key(_ number: Int) -> CacheKey { CacheKey("http://host/\(number)") }

    @Test("pictures of all caches together stay within the budget")
    func pictures() throws {
        let budget = MemoryBudget(byteLimit: 1000)
        let caches = [cache(budget), cache(budget)]
        for number in 0..<40 {
            caches[number % 2].store(try .sample(), for: key(number), cost: 100)
            #expect(budget.usedByteCount <= 1000)
        }
        #expect(budget.pictureByteCount == caches.reduce(0) { $0 + $1.statistics.byteCount })
        #expect(budget.pictureByteCount == 1000)
    }

    @Test("frames evict pictures until they have half of the budget")
    func frames() throws {
        let budget = MemoryBudget(byteLimit: 1000)
        let cache = cache(budget)
        for number in 0..<10 { cache.store(try .sample(), for: key(number), cost: 100) }
        #expect(budget.takeFrame(300, isNeeded: false))
        #expect(cache.statistics.byteCount == 700)
        #expect(budget.takeFrame(200, isNeeded: false))
        #expect(!budget.takeFrame(100, isNeeded: false))
        #expect(!budget.takeFrame(100, isNeeded: true), "no other frames can be dropped")
        #expect(cache.statistics.byteCount == 500)
        budget.giveBackFrame(500)
        #expect(budget.usedByteCount == 500)
    }

    @Test("frames may have all that pictures leave, and pictures what frames leave")
    func room() throws {
        let budget = MemoryBudget(byteLimit: 1000)
        let cache = cache(budget)
        #expect(budget.takeFrame(900, isNeeded: false))
        for number in 0..<3 { cache.store(try .sample(), for: key(number), cost: 100) }
        #expect(cache.statistics.count == 1)
        #expect(budget.usedByteCount == 1000)
        budget.giveBackFrame(900)
        for number in 0..<30 { cache.store(try .sample(), for: key(number), cost: 100) }
        #expect(cache.statistics.count == 10)
    }

    @Test("a lower limit applies at once")
    func lowered() throws {
        let budget = MemoryBudget(byteLimit: 1000)
        let cache = cache(budget)
        for number in 0..<10 { cache.store(try .sample(), for: key(number), cost: 100) }
        budget.byteLimit = 450
        #expect(budget.usedByteCount == 400)
        budget.byteLimit = -1
        #expect(budget.byteLimit == 0)
        #expect(budget.usedByteCount == 0)
        cache.store(try .sample(), for: key(1), cost: 1)
        #expect(cache.statistics.count == 0)
    }

    @Test("a cache's own limit applies, too, and the budget gets back what a released cache held")
    func ownLimit() throws {
        let budget = MemoryBudget(byteLimit: 1000)
        var cache: MemoryCache? = cache(budget, limit: 300)
        for number in 0..<40 { cache?.store(try .sample(), for: key(number), cost: 30) }
        #expect(budget.pictureByteCount == 300)
        cache?.remove(for: key(39))
        #expect(budget.pictureByteCount == 270)
        cache = nil
        #expect(budget.pictureByteCount == 0)
    }

    @Test("by default it is a quarter of the free memory, or of the control group's limit")
    func byDefault() {
        let text = "MemTotal:       24576000 kB\nMemFree:  1 kB\nMemAvailable:    8192000 kB\n"
        let free = 8_192_000 << 10
        #expect(MemoryBudget.defaultByteLimit(memoryInformation: text, groupLimit: nil) == free / 4)
        #expect(MemoryBudget.defaultByteLimit(memoryInformation: text, groupLimit: 1 << 30) == 1 << 28)
        #expect(MemoryBudget.defaultByteLimit(memoryInformation: "", groupLimit: nil) == 1 << 27)
        #expect(MemoryBudget.shared.byteLimit > 1 << 20)
    }
}
