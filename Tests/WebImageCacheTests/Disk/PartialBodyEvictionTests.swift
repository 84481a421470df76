import Foundation
import Testing
import WebImageCache
import WebImageCore
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Partial bodies in the budget of the disk cache")
struct PartialBodyEvictionTests {
    private let directory: CacheDirectory
    private let clock = TestClock()

    init() throws { directory = try CacheDirectory() }

    private func key(_ number: Int) -> CacheKey { CacheKey("http://example.org/\(number).png") }

    /// Stores ten whole entries and, later than those, five partial bodies, a second apart.
    private func fill(_ cache: DiskCache) throws {
        for number in 0..<10 {
            try cache.store(.sample(), for: key(number))
            clock.advance(by: 1)
        }
        for number in 0..<5 {
            try cache.store(.sample(), for: key(number).partialBody)
            clock.advance(by: 1)
        }
    }

    private func whole(in cache: DiskCache) -> [Int] { (0..<10).filter { cache.contains(key($0)) } }

    private func partial(in cache: DiskCache) -> [Int] { (0..<5).filter { cache.contains(key($0).partialBody) } }

    @Test("they count, and go before all whole entries, the oldest first", arguments: DiskCacheExpireType.allCases)
    func order(type: DiskCacheExpireType) throws {
        let cache = directory.cache(clock: clock) { $0.diskCacheExpireType = type }
        try fill(cache)
        #expect(cache.usage().count == 15)
        let bytes = cache.usage().byteCount
        #expect(try cache.trim(count: 12).count == 3)
        #expect(whole(in: cache) == Array(0..<10))
        if [.accessDate, .modificationDate].contains(type) { #expect(partial(in: cache) == [3, 4]) }
        #expect(cache.usage().byteCount == bytes / 15 * 12)
        #expect(try cache.trim(count: 9).count == 3)
        #expect(partial(in: cache).isEmpty && whole(in: cache).count == 9)
    }

    @Test("a full cache makes room with them")
    func automatic() throws {
        let cache = directory.cache(clock: clock) { $0.maxDiskSize = 14 * 4096 }
        try fill(cache)
        try cache.removeExpired()
        // Six blocks are less than half of fourteen.
        #expect(partial(in: cache).isEmpty && whole(in: cache) == [4, 5, 6, 7, 8, 9])
    }

    @Test("the next owner and a guest know them, with a snapshot and without", arguments: [true, false])
    func relaunch(hasSnapshot: Bool) throws {
        var first: DiskCache? = directory.cache(clock: clock)
        try fill(try #require(first))
        first?.close()
        first = nil
        if !hasSnapshot { for file in directory.indexFiles { try FileManager.default.removeItem(atPath: file) } }
        let owner = directory.cache(clock: clock)
        #expect(owner.usage().count == 15)
        #expect(try owner.entry(for: key(1).partialBody)?.data == DiskCacheEntry.sample().data)
        let guest = directory.cache(clock: clock)
        try guest.trim(count: 14)
        #expect(whole(in: guest).count == 10 && partial(in: guest).count == 4)
        try owner.trim(count: 10)
        #expect(whole(in: owner).count == 10 && partial(in: owner).isEmpty)
    }

    @Test("those that are young stay when older whole entries expire")
    func age() throws {
        let cache = directory.cache(clock: clock) { $0.maxDiskAge = .seconds(8) }
        try fill(cache)
        try cache.removeExpired()
        #expect(whole(in: cache) == [8, 9] && partial(in: cache) == [0, 1, 2, 3, 4])
    }
}
