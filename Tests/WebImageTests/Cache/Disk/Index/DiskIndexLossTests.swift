import Foundation
import Synchronization
import Testing
import WebImageTesting

@testable import WebImage

/// Each cache is as a process of its own; a foreign one hears of the others 20 ms later.
@Suite("The disk cache's index: what is lost or read anew while others are at work", .timeLimit(.minutes(2)))
struct DiskIndexLossTests {
    private let directory: CacheDirectory
    private let clock = TestClock()

    init() throws { directory = try CacheDirectory.filled() }

    private var files: DiskCacheUsage { directory.usageOfFiles }

    private func open(_ fileSystem: any FileSystem = POSIXFileSystem(), isForeign: Bool = false) -> DiskCache {
        directory.openCache(fileSystem, clock: clock, isForeign: isForeign)
    }

    @Test(
        "complaint 11: the page that all share is removed: nobody takes another one's place, and all hear of each other"
    )
    func lostPlaces() throws {
        let first = open()
        try FileManager.default.removeItem(atPath: "\(directory.path)/index-1/state")
        let second = open(isForeign: true)
        for round in 0..<3 {
            try first.store(.sample(count: round), for: CacheKey("\(20 + round)"))
            _ = first.usage()
            try second.store(.sample(count: round), for: CacheKey("\(30 + round)"))
            try second.remove(for: CacheKey("\(round)"))
            clock.advance(by: 1)
            let wanted = (round + 1..<10) + Array(20...20 + round) + Array(30...30 + round)
            #expect(first.present() == wanted && second.present() == wanted)
        }
        #expect(first.usage() == files && second.usage() == files)
        #expect(open(isForeign: true).usage() == files)
    }

    @Test("complaint 11: an index is removed that a process has told of files which it removes later: all are counted")
    func lostRemovals() throws {
        let faulty = FaultyFileSystem()
        let (evicting, other) = (open(faulty), open(isForeign: true))
        try evict(faulty, evicting) {
            try? FileManager.default.removeItem(atPath: "\(directory.path)/index-1")
            #expect(other.usage() == files && open(isForeign: true).usage() == files)
        }
        #expect(evicting.usage() == files && other.usage() == files && files.count == 0)
    }

    @Test("complaint 11: somebody looks at all files while another one removes some that he has told of: they are gone")
    func scanDuringEviction() throws {
        let faulty = FaultyFileSystem()
        let (evicting, other) = (open(faulty), open(isForeign: true))
        try evict(faulty, evicting) {
            _ = other.usage()
            other.index.distrust()
            #expect(other.usage() == files)
        }
        #expect(other.usage() == files && evicting.usage() == files && files.count == 0)
    }

    /// Does something while all entries are about to be removed, and the others were told.
    private func evict(_ faulty: FaultyFileSystem, _ cache: DiskCache, meanwhile work: () throws -> Void) throws {
        let removing = HeldWork(at: [.remove], wherePathHas: "/entries-2/", of: faulty) { try? cache.removeAll() }
        try work()
        removing.finish()
    }

    @Test("what is read while all files are looked at counts as read, also when the others were told of it meanwhile")
    func readsDuringScan() throws {
        let faulty = FaultyFileSystem()
        let (cache, other) = (open(faulty), open(isForeign: true))
        cache.index.distrust()
        let scan = HeldWork(at: [.list], wherePathHas: "/entries-2/", of: faulty) { _ = cache.usage() }
        clock.advance(by: 10)
        for number in 0..<2 { #expect(try cache.entry(for: CacheKey("\(number)")) != nil) }
        _ = cache.index.tellUses()
        #expect(try other.entry(for: CacheKey("2")) != nil)
        _ = other.index.tellUses()
        scan.finish()
        clock.advance(by: 1)
        try cache.trim(count: 3)
        #expect(cache.present() == [0, 1, 2])
    }

    @Test("who reads an index anew in the middle of a change is not taken for dead")
    func reloadsDuringChange() throws {
        let (slow, counting) = (FaultyFileSystem(), FaultyFileSystem())
        let (first, second) = (open(slow), open(counting))
        let writing = HeldWork(at: [.write], wherePathHas: "entries-2", of: slow) {
            try? first.store(.sample(), for: CacheKey("20"))
        }
        second.index.distrust()
        #expect(second.usage() == files)
        let scans = counting.count(of: .list)
        #expect(first.usage() == files && second.usage() == files)
        #expect(counting.count(of: .list) == scans)
        writing.finish()
        #expect(first.usage() == files && second.usage() == files && second.present() == Array(0..<10) + [20])
        #expect(counting.count(of: .list) == scans)
    }

    @Test("complaint 11: who makes a new snapshot has read what the others told in a journal that they began meanwhile")
    func journalBetween() throws {
        let (first, second) = (open(), open())
        first.index.compact()
        try first.store(.sample(), for: CacheKey("20"))
        second.index.compact()
        #expect(second.present() == Array(0..<10) + [20])
        #expect(open().usage() == files && first.usage() == files && second.usage() == files)
    }
}
