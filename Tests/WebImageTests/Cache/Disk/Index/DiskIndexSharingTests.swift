import Foundation
import Synchronization
import Testing
import WebImageTesting

@testable import WebImage

/// Each cache opens the index for itself, with locks and memory of its own, as another process would.
@Suite("The disk cache's index: shared")
struct DiskIndexSharingTests {
    private let directory: CacheDirectory

    init() throws {
        directory = try CacheDirectory()
        let cache = directory.cache()
        for number in 0..<10 { try cache.store(.sample(), for: CacheKey("\(number)")) }
        _ = cache.usage()
    }

    private func present(_ cache: DiskCache) -> [Int] { (0..<20).filter { cache.contains(CacheKey("\($0)")) } }

    /// A cache that knows all that is there.
    private func open(_ fileSystem: any FileSystem = POSIXFileSystem()) -> DiskCache {
        let cache = directory.cache(fileSystem)
        _ = cache.usage()
        return cache
    }

    /// Does something on a thread of its own; the gate opens when it is done.
    private func beside(_ work: @escaping @Sendable () -> Void) -> Gate {
        let done = Gate()
        Thread {
            work()
            done.open()
        }.start()
        return done
    }

    private func expectSame(_ first: DiskCache, _ second: DiskCache) {
        let bytes = directory.files.reduce(0) { sum, path in
            sum + ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0)
        }
        let usage = DiskCacheUsage(count: directory.files.count, byteCount: bytes)
        #expect(first.usage() == usage && second.usage() == usage && open().usage() == usage)
    }

    @Test("each sees at once what the other stores, removes and clears")
    func eachOther() throws {
        let faulty = FaultyFileSystem()
        let (first, second) = (open(), open(faulty))
        let lists = faulty.count(of: .list)
        try first.store(.sample(), for: CacheKey("10"))
        #expect(present(second) == Array(0...10))
        try second.remove(for: CacheKey("3"))
        try second.store(.sample(count: 5), for: CacheKey("4"))
        #expect(present(first) == [0, 1, 2, 4, 5, 6, 7, 8, 9, 10])
        expectSame(first, second)
        #expect(faulty.count(of: .list) == lists, "no look at the files is needed for that")
        try first.removeAll()
        #expect(present(second) == [])
        expectSame(first, second)
    }

    @Test("complaint 5: while nobody does anything, nothing is asked of the file system")
    func quiet() throws {
        let faulty = FaultyFileSystem()
        let (first, second) = (open(), open(faulty))
        try first.store(.sample(), for: CacheKey("10"))
        #expect(present(second) == Array(0...10))
        let calls = faulty.calls.count
        for _ in 0..<100 { #expect(present(second).count == 11) }
        #expect(faulty.calls.count == calls)
    }

    @Test("complaint 5: what another process did is known 20 ms later, at one look at the page that both share")
    func anotherProcess() throws {
        let (clock, faulty) = (TestClock(), FaultyFileSystem())
        let (mine, other) = (directory.cache(faulty, clock: clock), directory.cache(isForeign: true))
        #expect(mine.usage() == other.usage() && present(mine) == Array(0..<10))
        try other.store(.sample(), for: CacheKey("10"))
        try other.remove(for: CacheKey("0"))
        clock.advance(by: 0.019)
        #expect(present(mine) == Array(0..<10))
        clock.advance(by: 0.002)
        #expect(present(mine) == Array(1...10))
        clock.advance(by: 0.021)
        let calls = faulty.calls.count
        #expect(present(mine) == Array(1...10))
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
        #expect(present(mine) == Array(0...12))
        try other.remove(for: CacheKey("12"))
        clock.advance(by: -3600)
        #expect(present(mine) == Array(0...11))
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
        #expect(present(second).count == 3 && second.contains(CacheKey("0")) && second.contains(CacheKey("1")))
        #expect(present(first) == present(second))
    }

    @Test("a new snapshot while another one stores loses nothing")
    func compactionWhileStoring() throws {
        let (writing, mayWrite) = (Gate(), Gate())
        let faulty = FaultyFileSystem()
        let (first, second) = (open(faulty), open())
        faulty.setGate { operation, path in
            guard operation == .link || operation == .rename, path.contains("index-1") else { return }
            writing.open()
            mayWrite.waitBlocking()
        }
        let done = beside { first.index.compact() }
        writing.waitBlocking()
        try second.store(.sample(count: 7), for: CacheKey("10"))
        try second.remove(for: CacheKey("0"))
        try first.store(.sample(count: 7), for: CacheKey("11"))
        mayWrite.open()
        done.waitBlocking()
        #expect(present(first) == Array(1...11) && present(second) == Array(1...11))
        expectSame(first, second)
    }

    @Test("who is about to append to a journal that is just closed appends to the next one as well")
    func lateAppend() throws {
        let (appending, mayAppend) = (Gate(), Gate())
        let faulty = FaultyFileSystem()
        let (first, second) = (open(), open(faulty))
        faulty.setGate { operation, path in
            guard operation == .write, path.contains("journal-") else { return }
            appending.open()
            mayAppend.waitBlocking()
        }
        let done = beside { try? second.store(.sample(), for: CacheKey("10")) }
        appending.waitBlocking()
        first.index.compact()
        mayAppend.open()
        done.waitBlocking()
        #expect(present(open()) == Array(0...10), "the next process sees it")
        expectSame(first, second)
    }

    @Test("two change one entry at once: the files decide, whoever was first in the journal", arguments: [true, false])
    func conflict(isStoreFirst: Bool) throws {
        let (appending, mayAppend) = (Gate(), Gate())
        let faulty = FaultyFileSystem()
        let (first, second) = (open(), open(faulty))
        let key = CacheKey("5")
        faulty.setGate { operation, path in
            guard operation == .write, path.contains("journal-") else { return }
            appending.open()
            mayAppend.waitBlocking()
        }
        // The second one's file comes first, and its note last.
        let done = beside {
            if isStoreFirst { try? second.store(.sample(count: 99), for: key) } else { try? second.remove(for: key) }
        }
        appending.waitBlocking()
        if isStoreFirst { try first.remove(for: key) } else { try first.store(.sample(count: 99), for: key) }
        mayAppend.open()
        done.waitBlocking()
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
        #expect(present(second) == Array(0..<13))
    }

    @Test("what one made anew from the files, the other takes over")
    func rebuilt() throws {
        let (first, second) = (open(), open())
        for path in directory.files { try FileManager.default.removeItem(atPath: path) }
        try FileManager.default.removeItem(atPath: "\(directory.path)/entries-1")
        try first.store(.sample(), for: CacheKey("3"))
        #expect(first.usage().count == 1)
        #expect(second.usage().count == 1 && present(second) == [3])
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
