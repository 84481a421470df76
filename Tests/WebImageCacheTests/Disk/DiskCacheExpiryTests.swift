import Foundation
import Synchronization
import Testing
import WebImageCache
import WebImageCore
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Disk cache: age and size")
struct DiskCacheExpiryTests {
    private let directory: CacheDirectory
    private let clock = TestClock()

    init() throws { directory = try CacheDirectory() }

    private func key(_ number: Int) -> CacheKey { CacheKey("\(number)") }

    private func present(_ cache: DiskCache, of count: Int = 10) -> [Int] {
        (0..<count).filter { cache.contains(key($0)) }
    }

    /// Ten entries of one block each, stored a second apart.
    private func fill(_ cache: DiskCache) throws {
        for number in 0..<10 {
            try cache.store(.sample(), for: key(number))
            clock.advance(by: 1)
        }
    }

    @Test("CCF-8 DSK-6 entries older than the age are removed, to the second")
    func age() throws {
        let cache = directory.cache(clock: clock) { $0.maxDiskAge = .seconds(5) }
        try fill(cache)
        try cache.removeExpired()
        #expect(present(cache) == [6, 7, 8, 9])
        #expect(directory.files.count == 4)
    }

    @Test(
        "CCF-8 DSK-6 nothing stays longer than its age, and nothing goes more than a second before that",
        arguments: [0.1, 0.5, 0.9])
    func fractions(of second: TimeInterval) throws {
        clock.advance(by: clock.now.timeIntervalSince1970.rounded(.up) + second - clock.now.timeIntervalSince1970)
        let cache = directory.cache(clock: clock) { $0.maxDiskAge = .seconds(5) }
        try cache.store(.sample(), for: key(0))
        clock.advance(by: 3.99)
        try cache.removeExpired()
        #expect(cache.contains(key(0)))
        clock.advance(by: 1.02)
        try cache.removeExpired()
        #expect(!cache.contains(key(0)) && directory.files.isEmpty)
    }

    @Test("what is older than the age is shown until it is removed, or never, by choice", arguments: [false, true])
    func ignored(_ isIgnored: Bool) throws {
        for type in DiskCacheExpireType.allCases where type != .changeDate {
            // The times of the files are those of the system.
            let (directory, clock) = (try CacheDirectory(), TestClock())
            let cache = directory.cache(clock: clock) {
                $0.maxDiskAge = .seconds(5)
                $0.shouldIgnoreExpiredData = isIgnored
                $0.diskCacheExpireType = type
            }
            let key = CacheKey("\(type)")
            try cache.store(.sample(), for: key)
            clock.advance(by: 4)
            #expect(cache.contains(key) && cache.head(for: key) != nil)
            #expect(try cache.entry(for: key) != nil)
            clock.advance(by: 4)
            // It was read four seconds ago.
            let isShown = !isIgnored || type == .accessDate
            #expect(cache.contains(key) == isShown && (cache.head(for: key) != nil) == isShown)
            #expect((try cache.entry(for: key) != nil) == isShown)
            clock.advance(by: 6)
            #expect((try cache.entry(for: key) != nil) == !isIgnored)
        }
    }

    @Test("T4.13 with an age of a second, nothing is left when the second is over")
    func oneSecond() throws {
        let cache = directory.cache(clock: clock) { $0.maxDiskAge = .seconds(1) }
        try cache.store(.sample(), for: key(0))
        try cache.removeExpired()
        #expect(cache.usage().count == 1)
        clock.advance(by: 1)
        try cache.removeExpired()
        #expect(cache.usage().count == 0 && directory.files.isEmpty)
    }

    @Test("complaint 20: trimming removes the oldest until the rest is within all given limits, and no more")
    func trim() throws {
        let cache = directory.cache(clock: clock)
        try fill(cache)
        #expect(try cache.trim() == DiskCacheUsage(count: 0, byteCount: 0))
        let size = cache.usage().byteCount / 10
        #expect(try cache.trim(count: 9) == DiskCacheUsage(count: 1, byteCount: size))
        #expect(try cache.trim(toSize: 8 * 4096 + 1).count == 1)
        #expect(present(cache) == [2, 3, 4, 5, 6, 7, 8, 9])
        _ = try cache.entry(for: key(3))
        #expect(try cache.trim(toSize: 7 * 4096, count: 8, age: .seconds(5)).count == 3)
        #expect(present(cache) == [3, 6, 7, 8, 9] && directory.files.count == 5)
        #expect(try directory.cache(clock: clock).trim(toSize: 0) == DiskCacheUsage(count: 5, byteCount: 5 * size))
        #expect(directory.files.isEmpty && cache.usage().count == 0)
    }

    @Test("entries are evicted one at a time: other calls run between any two removals")
    func incremental() throws {
        let fileSystem = FaultyFileSystem()
        let cache = directory.cache(fileSystem, clock: clock) { $0.maxDiskAge = .seconds(5) }
        try fill(cache)
        _ = cache.usage()
        let counts = Mutex<[Int]>([])
        fileSystem.setGate { operation, path in
            guard operation == .remove, path.contains("entries-3") else { return }
            counts.withLock { $0.append((0..<10).count { cache.contains(CacheKey("\($0)")) }) }
        }
        try cache.removeExpired()
        #expect(counts.withLock { $0 } == [10, 9, 8, 7, 6, 5])
        #expect(present(cache) == [6, 7, 8, 9])
    }

    @Test("CCF-12 A32 DSK-4 by access date, an entry that was read stays; by modification date, it is evicted")
    func expireType() throws {
        // The times of the files are those of the system: each type has a directory of its own.
        for type in [DiskCacheExpireType.accessDate, .modificationDate] {
            let directory = try CacheDirectory()
            let cache = directory.cache(clock: clock) {
                $0.maxDiskAge = .seconds(5)
                $0.diskCacheExpireType = type
            }
            try fill(cache)
            _ = try cache.entry(for: key(2))
            try cache.removeExpired()
            #expect(present(cache) == (type == .accessDate ? [2, 6, 7, 8, 9] : [6, 7, 8, 9]))
        }
    }

    @Test(
        "CCF-8 A39 no age or a negative one keeps for ever, an age of zero nothing",
        arguments: [nil, .seconds(-1), .seconds(-0.5), .seconds(Int64.max), .zero] as [Duration?])
    func specialAges(age: Duration?) throws {
        let cache = directory.cache(clock: clock) { $0.maxDiskAge = age }
        try fill(cache)
        clock.advance(by: 1e9)
        try cache.removeExpired()
        #expect(present(cache).count == (age == .zero ? 0 : 10))
    }

    @Test("CCF-8 the default age is a week")
    func defaultAge() throws {
        let cache = directory.cache(clock: clock)
        try cache.store(.sample(), for: key(0))
        // The time of a file is that of the system, which may have passed the test's clock.
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.onlyFile)
        let storedAt = try #require(attributes[.modificationDate] as? Date)
        clock.advance(by: max(0, storedAt.timeIntervalSince(clock.now)))
        clock.advance(by: 7 * 86400 - 1)
        try cache.removeExpired()
        #expect(cache.contains(key(0)))
        clock.advance(by: 1)
        try cache.removeExpired()
        #expect(!cache.contains(key(0)))
    }

    @Test("DSK-7 CCF-9 above the size limit the least recently used are evicted until less than half of it is used")
    func size() throws {
        let cache = directory.cache(clock: clock) { $0.maxDiskSize = 9 * 4096 }
        try fill(cache)
        _ = try cache.entry(for: key(1))
        clock.advance(by: 1)
        try cache.removeExpired()
        // Four blocks are less than half of nine.
        #expect(present(cache) == [1, 7, 8, 9])
        #expect(directory.files.count == 4)
    }

    @Test("DSK-7 at the limit or below it, nothing is evicted")
    func atLimit() throws {
        let cache = directory.cache(clock: clock) {
            $0.maxDiskSize = 10 * 4096
            $0.maxDiskCount = 10
        }
        try fill(cache)
        try cache.removeExpired()
        #expect(present(cache).count == 10)
    }

    @Test(
        "the count limit works in the same way, and keeps one at least, unless it is zero",
        arguments: [(9, 4), (1, 1), (3, 1), (0, 0), (-1, 0)])
    func count(limit: Int, kept: Int) throws {
        let cache = directory.cache(clock: clock) { $0.maxDiskCount = limit }
        try fill(cache)
        try cache.removeExpired()
        #expect(present(cache) == Array((10 - kept)..<10))
    }

    @Test("T4.45 expired entries are removed before the size limit is checked")
    func ageFirst() throws {
        let cache = directory.cache(clock: clock) {
            $0.maxDiskAge = .seconds(5)
            $0.maxDiskSize = 8 * 4096
        }
        try fill(cache)
        try cache.removeExpired()
        #expect(present(cache) == [6, 7, 8, 9])
    }

    @Test("DSK-4 the order of use survives into the next process")
    func accessTimesAreSaved() throws {
        let first = directory.cache(clock: clock)
        try fill(first)
        clock.advance(by: 3600)
        for number in [3, 0] {
            _ = try first.entry(for: key(number))
            clock.advance(by: 1)
        }
        first.saveAccessTimes()
        let second = directory.cache(clock: clock) { $0.maxDiskCount = 4 }
        try second.removeExpired()
        #expect(present(second) == [0, 3])
        let third = directory.cache(clock: clock) { $0.maxDiskCount = 1 }
        try third.removeExpired()
        #expect(present(third) == [0])
    }

    @Test("DSK-4 an entry that is read during the listing is not evicted first")
    func readDuringScan() throws {
        let slow = FaultyFileSystem()
        let cache = directory.cache(slow, clock: clock)
        let scanning = HeldWork(at: [.list], wherePathHas: "/entries-3", of: slow) { [self] in
            try? cache.store(.sample(), for: key(0))
        }
        try fill(cache)
        clock.advance(by: 3600)
        _ = try cache.entry(for: key(3))
        scanning.finish()
        try cache.trim(count: 1)
        #expect(present(cache) == [3])
    }

    @Test(
        "access times are written in batches, not with each read, and not for a file whose date is less than a minute old"
    )
    func accessTimeBatches() throws {
        let fileSystem = FaultyFileSystem()
        let cache = directory.cache(fileSystem, clock: clock)
        try fill(cache)
        func readAll() throws { for number in 0..<10 { _ = try cache.entry(for: key(number)) } }
        clock.advance(by: 3600)
        for _ in 0..<20 { try readAll() }
        #expect(fileSystem.count(of: .setTimes) == 0)
        for _ in 0..<2 { cache.saveAccessTimes() }
        #expect(fileSystem.count(of: .setTimes) == 10)
        for wait in [59, 1.0] {
            #expect(fileSystem.count(of: .setTimes) == 10)
            clock.advance(by: wait)
            try readAll()
            cache.saveAccessTimes()
        }
        #expect(fileSystem.count(of: .setTimes) == 20)
    }

    @Test("CCF-4 a store that passes a limit, and the first of each hour, start an eviction in the background")
    func automatic() throws {
        let cache = directory.cache(clock: clock) {
            $0.shouldRemoveExpiredDataAutomatically = true
            $0.maxDiskCount = 10
            $0.maxDiskAge = .seconds(100)
        }
        try fill(cache)
        #expect(cache.usage().count == 10)
        try cache.store(.sample(), for: key(10))
        // The store has queued the eviction; this call runs after it on the same queue.
        #expect(cache.usage().count == 5)
        clock.advance(by: 3600)
        try cache.store(.sample(), for: key(11))
        #expect(cache.usage().count == 1)
        #expect(directory.files.count == 1)
    }

    @Test("CAC-16 CCF-4 a process that only reads evicts once an hour, too")
    func hourly() throws {
        let timers = Mutex<[(milliseconds: Int, job: @Sendable () -> Void)]>([])
        var config = ImageCacheConfig()
        config.maxDiskAge = .seconds(5000)
        let cache = DiskCache(
            directory: directory.path, config: config, fileSystem: POSIXFileSystem(), now: { [clock] in clock.now },
            warn: { _ in }, later: { milliseconds, job in timers.withLock { $0.append((milliseconds, job)) } })
        try cache.store(.sample(), for: key(0))
        for count in [1, 0] {
            _ = cache.usage()
            let hourly = timers.withLock { $0.filter { $0.milliseconds == 3_600_000 } }
            #expect(hourly.count == 1)
            timers.withLock { $0 = [] }
            clock.advance(by: 3600)
            for timer in hourly { timer.job() }
            #expect(cache.usage().count == count && directory.files.count == count)
        }
    }

    /// Entries expire after 100 s, and are removed automatically.
    private func automaticCache() -> DiskCache {
        directory.cache(clock: clock) {
            $0.shouldRemoveExpiredDataAutomatically = true
            $0.maxDiskAge = .seconds(100)
        }
    }

    private func fillAndClose(waiting seconds: TimeInterval) throws {
        try closing(automaticCache()) { cache in
            try fill(cache)
            _ = cache.usage()
            clock.advance(by: seconds)
        }
    }

    @Test(
        "CAC-16 CCF-4 a process that opens a full directory and only reads loads the index, and removes expired entries"
    )
    func readingOnly() throws {
        try fillAndClose(waiting: 95)
        let next = automaticCache()
        #expect(try next.entry(for: key(9)) != nil)
        // Runs after the background work of that read.
        next.saveAccessTimes()
        #expect(directory.files.count == 4)
        #expect(next.usage().count == 4)
    }

    @Test(
        "CAC-16 CCF-5 A37 no process waits for an eviction at its end: expired entries are removed at the next use of the cache"
    )
    func atTheEnd() throws {
        try fillAndClose(waiting: 200)
        #expect(directory.files.count == 10)
        let next = automaticCache()
        // A query starts the eviction, and does not wait for it.
        _ = next.contains(key(0))
        #expect(next.usage().count == 0 && directory.files.isEmpty)
    }

    @Test("dates out of range do no harm", arguments: [-1e300, 1e300, .infinity, -.infinity, .nan])
    func madClock(time: TimeInterval) throws {
        var config = ImageCacheConfig()
        config.maxDiskSize = 1
        let cache = DiskCache(
            directory: directory.path, config: config, fileSystem: POSIXFileSystem(),
            now: { Date(timeIntervalSince1970: time) }, warn: { _ in })
        let entry = DiskCacheEntry(data: Data([1]), storedAt: Date(timeIntervalSinceReferenceDate: 1e300))
        try cache.store(entry, for: key(0))
        _ = try cache.entry(for: key(0))
        cache.saveAccessTimes()
        try cache.removeExpired()
        #expect(cache.usage().count == 0)
    }
}
