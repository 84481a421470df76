import Foundation
import Synchronization
import Testing
import WebImageTesting

@testable import WebImage

/// Each cache opens the index for itself, with locks and memory of its own, as another process would.
@Suite("The disk cache's index: shared")
struct DiskIndexSharingTests {
    private let directory: CacheDirectory

    init() throws { directory = try CacheDirectory.filled() }

    private func open(_ fileSystem: any FileSystem = POSIXFileSystem()) -> DiskCache { directory.openCache(fileSystem) }

    private func expectSame(_ first: DiskCache, _ second: DiskCache) {
        let usage = directory.usageOfFiles
        #expect(first.usage() == usage && second.usage() == usage && open().usage() == usage)
    }

    @Test("each sees at once what the other stores, removes and clears")
    func eachOther() throws {
        let faulty = FaultyFileSystem()
        let (first, second) = (open(), open(faulty))
        let lists = faulty.count(of: .list)
        try first.store(.sample(), for: CacheKey("10"))
        #expect(second.present() == Array(0...10))
        try second.remove(for: CacheKey("3"))
        try second.store(.sample(count: 5), for: CacheKey("4"))
        #expect(first.present() == [0, 1, 2, 4, 5, 6, 7, 8, 9, 10])
        expectSame(first, second)
        #expect(faulty.count(of: .list) == lists, "no look at the files is needed for that")
        try first.removeAll()
        #expect(second.present() == [])
        expectSame(first, second)
    }

    @Test("a cache that was opened before there was a directory sees what others store in it")
    func openedBeforeDirectory() throws {
        let directory = try CacheDirectory()
        let early = directory.openCache(isForeign: true)
        try directory.cache().store(.sample(), for: CacheKey("a"))
        #expect(early.contains(CacheKey("a")) && early.usage().count == 1)
    }

    @Test("complaint 5: while nobody does anything, nothing is asked of the file system")
    func quiet() throws {
        let faulty = FaultyFileSystem()
        let (first, second) = (open(), open(faulty))
        try first.store(.sample(), for: CacheKey("10"))
        #expect(second.present() == Array(0...10))
        let calls = faulty.calls.count
        for _ in 0..<100 { #expect(second.present().count == 11) }
        #expect(faulty.calls.count == calls)
    }

    @Test("complaint 5: what another process did is known 20 ms later, at one look at the page that both share")
    func anotherProcess() throws {
        let (clock, faulty) = (TestClock(), FaultyFileSystem())
        let (mine, other) = (directory.cache(faulty, clock: clock), directory.cache(isForeign: true))
        #expect(mine.usage() == other.usage() && mine.present() == Array(0..<10))
        try other.store(.sample(), for: CacheKey("10"))
        try other.remove(for: CacheKey("0"))
        clock.advance(by: 0.019)
        #expect(mine.present() == Array(0..<10))
        clock.advance(by: 0.002)
        #expect(mine.present() == Array(1...10))
        clock.advance(by: 0.021)
        let calls = faulty.calls.count
        #expect(mine.present() == Array(1...10))
        let asked = faulty.calls.dropFirst(calls)
        #expect(asked.count { $0.operation == .read } == 1 && asked.allSatisfy { $0.path.contains("/index-1/") })
        #expect(asked.count <= 3, "the page, and whether it and the journal still have their names")
        try other.store(.sample(), for: CacheKey("11"))
        #expect(try !mine.contains(CacheKey("11")) && mine.entry(for: CacheKey("11")) != nil, "its file is asked")
    }

    @Test("whoever asks for the usage, or writes himself, hears of the others at once, whatever the clock says")
    func atOnce() throws {
        let clock = TestClock()
        let (mine, other) = (directory.cache(clock: clock), directory.cache(isForeign: true))
        #expect(mine.usage() == other.usage())
        try other.store(.sample(), for: CacheKey("10"))
        #expect(mine.usage().count == 11 && mine.contains(CacheKey("10")))
        try other.store(.sample(), for: CacheKey("11"))
        try mine.store(.sample(), for: CacheKey("12"))
        #expect(mine.present() == Array(0...12))
        try other.remove(for: CacheKey("12"))
        clock.advance(by: -3600)
        #expect(mine.present() == Array(0...11))
    }

    @Test("DSK-7 what another process used is not the first to go")
    func uses() throws {
        let clock = TestClock()
        let first = directory.cache(clock: clock)
        let second = directory.cache(clock: clock) { $0.maxDiskCount = 6 }
        #expect(first.usage() == second.usage())
        clock.advance(by: 10)
        for number in [0, 1] { _ = try first.entry(for: CacheKey("\(number)")) }
        first.saveAccessTimes()
        clock.advance(by: 10)
        try second.removeExpired()
        #expect(second.present().count == 3 && second.contains(CacheKey("0")) && second.contains(CacheKey("1")))
        #expect(first.present() == second.present())
    }

    @Test("a new snapshot while another one stores loses nothing")
    func compactionWhileStoring() throws {
        let faulty = FaultyFileSystem()
        let (first, second) = (open(faulty), open())
        let writing = HeldWork(at: [.link, .rename], wherePathHas: "index-1", of: faulty) { first.index.compact() }
        try second.store(.sample(count: 7), for: CacheKey("10"))
        try second.remove(for: CacheKey("0"))
        try first.store(.sample(count: 7), for: CacheKey("11"))
        writing.finish()
        #expect(first.present() == Array(1...11) && second.present() == Array(1...11))
        expectSame(first, second)
    }

    @Test("who is about to append to a journal that is just closed appends to the next one as well")
    func lateAppend() throws {
        let faulty = FaultyFileSystem()
        let (first, second) = (open(), open(faulty))
        let appending = HeldWork(at: [.write], wherePathHas: "journal-", of: faulty) {
            try? second.store(.sample(), for: CacheKey("10"))
        }
        first.index.compact()
        appending.finish()
        #expect(open().present() == Array(0...10), "the next process sees it")
        expectSame(first, second)
    }

    @Test("two change one entry at once: the files decide, whoever was first in the journal", arguments: [true, false])
    func conflict(isStoreFirst: Bool) throws {
        let faulty = FaultyFileSystem()
        let (first, second) = (open(), open(faulty))
        let key = CacheKey("5")
        // The second one's file comes first, and its note last.
        let appending = HeldWork(at: [.write], wherePathHas: "journal-", of: faulty) {
            if isStoreFirst { try? second.store(.sample(count: 99), for: key) } else { try? second.remove(for: key) }
        }
        if isStoreFirst { try first.remove(for: key) } else { try first.store(.sample(count: 99), for: key) }
        appending.finish()
        expectSame(second, first)
        #expect(first.contains(key) == !isStoreFirst && second.contains(key) == !isStoreFirst)
    }

    @Test("a process that slept through two snapshots reads the last one")
    func longSleep() throws {
        let (first, second) = (open(), open())
        for number in 10..<13 {
            try first.store(.sample(count: number), for: CacheKey("\(number)"))
            first.index.compact()
        }
        expectSame(second, first)
        #expect(second.present() == Array(0..<13))
    }

    @Test("what one made anew from the files, the other takes over")
    func rebuilt() throws {
        let (first, second) = (open(), open())
        for path in directory.files { try FileManager.default.removeItem(atPath: path) }
        try FileManager.default.removeItem(atPath: "\(directory.path)/entries-2")
        try first.store(.sample(), for: CacheKey("3"))
        #expect(first.usage().count == 1)
        #expect(second.usage().count == 1 && second.present() == [3])
        expectSame(first, second)
    }

    @Test("many threads of three processes at once: each entry reads whole, and all accounts equal the files")
    func hammer() async throws {
        let caches = [open(), open(), open()]
        await withTaskGroup { group in
            for (worker, cache) in (caches + caches).enumerated() {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(worker))
                    for step in 0..<300 {
                        let number = Int.random(in: 0..<20, using: &random)
                        let key = CacheKey("\(number)")
                        switch Int.random(in: 0..<10, using: &random) {
                        case 0..<4: try? cache.store(.sample(count: 100 * number, seed: 1), for: key)
                        case 4..<6: try? cache.remove(for: key)
                        case 6: _ = cache.contains(key)
                        default:
                            guard let data = try? cache.entry(for: key)?.data else { continue }
                            #expect(data.count == 100 * number || data.count == 1000)
                        }
                        if step % 100 == 99 { cache.index.compact() }
                    }
                }
            }
        }
        // Doubts of one are news for the others.
        for _ in 0..<2 { for cache in caches { _ = cache.usage() } }
        expectSame(caches[0], caches[1])
        expectSame(caches[1], caches[2])
    }
}
