import Foundation
import Synchronization
import Testing
import WebImageTesting

@testable import WebImage

@Suite("The disk cache's index: from one process to the next")
struct DiskIndexStartTests {
    private let directory: CacheDirectory
    private let clock = TestClock()

    init() throws { directory = try CacheDirectory() }

    /// A cache of so many entries with an index, and closed.
    private func fill(_ count: Int = 50) throws {
        try closing(directory.cache(clock: clock)) { cache in
            _ = cache.usage()
            for number in 0..<count { try cache.store(.sample(count: 10 * number), for: CacheKey("\(number)")) }
            _ = cache.usage()
        }
    }

    private func files() throws -> IndexFiles { IndexFiles(cache: directory.path, fileSystem: POSIXFileSystem()) }

    /// How many directories of entries were listed.
    private func listCount(_ fileSystem: FaultyFileSystem) -> Int {
        fileSystem.calls.count { $0.operation == .list && $0.path.contains(/entries-2\/..$/) }
    }

    private func expectWhole(_ cache: DiskCache, count: Int) {
        #expect(cache.usage().count == count)
        #expect(directory.files.count == count)
        #expect(cache.usage() == directory.usageOfFiles)
    }

    @Test("complaint 5: the next process knows what is there without a look at the files, but for the last changes'")
    func nextProcess() throws {
        try fill()
        let fileSystem = FaultyFileSystem()
        let cache = directory.cache(fileSystem, clock: clock)
        expectWhole(cache, count: 50)
        // Those that were changed in the same tick of the clock as the journal may have been changed after it.
        #expect(listCount(fileSystem) < 50)
        let calls = fileSystem.calls.count
        #expect((0..<50).allSatisfy { cache.contains(CacheKey("\($0)")) } && !cache.contains(CacheKey("50")))
        #expect(fileSystem.calls.dropFirst(calls).allSatisfy { $0.path.hasSuffix("/index-1/state") })
    }

    @Test("DSK-4 what is read before the index is there costs no more than later, and counts as read all the same")
    func readingFirst() throws {
        try fill(10)
        let fileSystem = FaultyFileSystem()
        var config = ImageCacheConfig()
        config.shouldRemoveExpiredDataAutomatically = false
        let isHeld = Gate()
        fileSystem.setGate { operation, path in
            if path.contains("/index-1"), operation != .status { isHeld.waitBlocking() }
        }
        let cache = DiskCache(
            directory: directory.path, config: config, fileSystem: fileSystem, now: { [clock] in clock.now },
            warn: { _ in })
        clock.advance(by: 3600)
        for number in [3, 7] { #expect(try cache.entry(for: CacheKey("\(number)")) != nil) }
        let own = fileSystem.calls.filter { $0.path.contains("/entries-2/") && $0.operation != .status }
        #expect(own.map(\.operation) == [.read, .read])
        isHeld.open()
        _ = cache.usage()
        let times = cache.index.tellUses()
        #expect(Set(times.map(\.name)) == Set([3, 7].map { DiskEntryName(CacheKey("\($0)")) }))
        try cache.trim(count: 2)
        #expect((0..<10).filter { cache.contains(CacheKey("\($0)")) } == [3, 7])
    }

    @Test("reading one entry again and again asks for one timer")
    func timers() throws {
        let timers = Mutex(0)
        let cache = DiskCache(
            directory: directory.path, fileSystem: POSIXFileSystem(), warn: { _ in },
            later: { milliseconds, _ in if milliseconds == 10_000 { timers.withLock { $0 += 1 } } })
        for number in 0..<2 { try cache.store(.sample(), for: CacheKey("\(number)")) }
        for number in 0..<100 { _ = try cache.entry(for: CacheKey("\(number / 50)")) }
        #expect(timers.withLock { $0 } == 1)
    }

    @Test("nothing of the index is there before there are entries")
    func noEntries() throws {
        let cache = directory.cache()
        #expect(cache.usage().count == 0 && !cache.contains(CacheKey("0")))
        try cache.removeExpired()
        #expect(directory.indexFiles.isEmpty)
        try cache.store(.sample(), for: CacheKey("0"))
        #expect(cache.usage().count == 1)
        #expect(!directory.indexFiles.isEmpty)
    }

    @Test("DSK-4 the order of use survives into the next process, by the journal as well as by the files alone")
    func orderOfUse() throws {
        for isIndexLost in [false, true] {
            let directory = try CacheDirectory()
            let cache = directory.cache(clock: clock)
            for number in 0..<10 {
                try cache.store(.sample(), for: CacheKey("\(number)"))
                clock.advance(by: 1)
            }
            _ = cache.usage()
            clock.advance(by: 3600)
            for number in [3, 0] {
                _ = try cache.entry(for: CacheKey("\(number)"))
                clock.advance(by: 1)
            }
            cache.saveAccessTimes()
            if isIndexLost { try FileManager.default.removeItem(atPath: "\(directory.path)/index-1") }
            let next = directory.cache(clock: clock) { $0.maxDiskCount = 4 }
            try next.removeExpired()
            #expect((0..<10).filter { next.contains(CacheKey("\($0)")) } == [0, 3])
        }
    }

    @Test("access times that go to the journal are not written to files that say when they were changed")
    func changeDate() throws {
        let fileSystem = FaultyFileSystem()
        let cache = directory.cache(fileSystem, clock: clock) { $0.diskCacheExpireType = .changeDate }
        try cache.store(.sample(), for: CacheKey("0"))
        clock.advance(by: 3600)
        _ = try cache.entry(for: CacheKey("0"))
        cache.saveAccessTimes()
        #expect(fileSystem.count(of: .setTimes) == 0)
    }

    @Test("somebody who died in the middle of a change is found out: the next one looks at all files")
    func unfinished() throws {
        try fill()
        let seat = try #require(try IndexSeat.take(try files()))
        seat.state.begin()
        seat.leave()
        let fileSystem = FaultyFileSystem()
        let warnings = Warnings()
        closing(directory.cache(fileSystem, clock: clock, warnings: warnings)) { expectWhole($0, count: 50) }
        #expect(listCount(fileSystem) >= 40)
        #expect(warnings.all.isEmpty, "that is nothing to tell anybody")
        let next = FaultyFileSystem()
        expectWhole(directory.cache(next, clock: clock), count: 50)
        #expect(listCount(next) == 0, "what was mended is mended")
    }

    @Test(
        "complaint 1: files that somebody added, exchanged or removed while nobody looked are found at the next start, also where the clock was set back by an hour before",
        arguments: [0, 3600])
    func foreignChanges(setBackBy seconds: TimeInterval) throws {
        try fill()
        // As the system dates a file, it is never ahead of the clock.
        for path in directory.indexFiles where seconds > 0 {
            try FileManager.default.setAttributes([.modificationDate: Date() + seconds], ofItemAtPath: path)
        }
        let other = try CacheDirectory()
        try closing(other.cache()) { try $0.store(.sample(count: 7), for: CacheKey("new")) }
        let new = try other.onlyFile
        let place = directory.path + new.dropFirst(other.path.count)
        try? FileManager.default.createDirectory(
            atPath: String(place.dropLast(33)), withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: new, toPath: place)
        let victims = directory.files.filter { $0 != place }.sorted().prefix(10)
        for path in victims { try FileManager.default.removeItem(atPath: path) }
        closing(directory.cache(clock: clock)) { expectWhole($0, count: 41) }
        #expect(directory.cache(clock: clock).contains(CacheKey("new")))
    }

    @Test(
        "complaint 1: too many files are open to look into the directories: nothing counts as gone, and they are looked at later",
        arguments: ["/entries-2", "/entries-2/"], [true, false])
    func shortage(part: String, isIndexThere: Bool) throws {
        try fill()
        if !isIndexThere { try FileManager.default.removeItem(atPath: "\(directory.path)/index-1") }
        for path in Set(directory.files.map(\.directoryName)) {
            // As if somebody had changed something in each.
            try FileManager.default.setAttributes([.modificationDate: Date() + 5], ofItemAtPath: path)
        }
        let fileSystem = FaultyFileSystem()
        fileSystem.fail([.list], wherePathHas: part, with: EMFILE)
        try closing(directory.cache(fileSystem, clock: clock)) { cache in
            let usage = cache.usage()
            #expect(usage == (isIndexThere ? directory.usageOfFiles : DiskCacheUsage(count: 0, byteCount: 0)))
            #expect((0..<50).allSatisfy { cache.contains(CacheKey("\($0)")) })
            try cache.store(.sample(), for: CacheKey("new"))
            fileSystem.allowAllPaths()
            expectWhole(cache, count: 51)
        }
        expectWhole(directory.cache(clock: clock), count: 51)
    }

    @Test("CCF-12 by creation date, the order outlives the loss of the index, and a change of the order")
    func creationWithoutIndex() throws {
        for isIndexLost in [true, false] {
            let directory = try CacheDirectory()
            let cache = directory.cache(clock: clock) { $0.diskCacheExpireType = .creationDate }
            func store(_ number: Int, count: Int) throws {
                try cache.store(
                    DiskCacheEntry(data: Data(count: count), storedAt: clock.now), for: CacheKey("\(number)"))
                clock.advance(by: 2)
            }
            for number in 0..<6 { try store(number, count: 10) }
            // Younger as files, and no younger as entries.
            for number in [1, 0] { try store(number, count: 20) }
            if isIndexLost {
                _ = cache.usage()
                try FileManager.default.removeItem(atPath: "\(directory.path)/index-1")
            } else {
                let other = directory.cache(clock: clock)
                _ = other.usage()
                other.index.compact()
            }
            let next = directory.cache(clock: clock) {
                $0.diskCacheExpireType = .creationDate
                $0.maxDiskCount = 5
            }
            try next.removeExpired()
            #expect((0..<6).filter { next.contains(CacheKey("\($0)")) } == [4, 5])
        }
    }

    @Test("entries without an index, of an older version, are found")
    func noIndex() throws {
        try fill()
        try FileManager.default.removeItem(atPath: "\(directory.path)/index-1")
        let warnings = Warnings()
        expectWhole(directory.cache(clock: clock, warnings: warnings), count: 50)
        #expect(warnings.all.isEmpty)
    }

    @Test("an index without its entries says nothing")
    func noEntriesLeft() throws {
        try fill()
        try FileManager.default.removeItem(atPath: "\(directory.path)/entries-2")
        #expect(closing(directory.cache(clock: clock)) { $0.usage().count } == 0)
        try closing(directory.cache(clock: clock)) { cache in
            try cache.store(.sample(), for: CacheKey("0"))
        }
        // Later than the journal, a directory's date would tell of others that were in it.
        for path in Set(directory.files.map(\.directoryName)) {
            try FileManager.default.setAttributes([.modificationDate: Date() - 3600], ofItemAtPath: path)
        }
        expectWhole(directory.cache(clock: clock), count: 1)
    }

    @Test("half a record at the journal's end is forgotten, and changes go on after it")
    func tornJournal() throws {
        try fill()
        for count in [1, 20, 55] {
            let journal = try #require(directory.indexFiles.first { $0.contains("journal-") })
            let handle = try #require(FileHandle(forWritingAtPath: journal))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(repeating: 7, count: count))
            try handle.close()
            let warnings = Warnings()
            try closing(directory.cache(clock: clock, warnings: warnings)) { cache in
                expectWhole(cache, count: 50)
                try cache.store(.sample(count: count), for: CacheKey("1"))
            }
            #expect(warnings.all.isEmpty)
        }
        expectWhole(directory.cache(clock: clock), count: 50)
    }

    @Test("a newer version's index is left alone, and a fresh one made beside it")
    func newerVersion() throws {
        try fill()
        let state = "\(directory.path)/index-1/state"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: state))
        bytes[8] = 2
        try bytes.write(to: URL(fileURLWithPath: state))
        let before = try contents(of: "index-1")
        for number in 50..<60 {
            let warnings = Warnings()
            try closing(directory.cache(clock: clock, warnings: warnings)) { cache in
                expectWhole(cache, count: number)
                try cache.store(.sample(), for: CacheKey("\(number)"))
                expectWhole(cache, count: number + 1)
            }
            #expect(warnings.all.isEmpty)
        }
        #expect(try contents(of: "index-1") == before)
        #expect(directory.indexFiles.contains { $0.contains("/index-1-beside/") })
    }

    private func contents(of folder: String) throws -> [String: Data] {
        let paths = directory.indexFiles.filter { $0.contains("/\(folder)/") }
        return try Dictionary(uniqueKeysWithValues: paths.map { ($0, try Data(contentsOf: URL(fileURLWithPath: $0))) })
    }

    @Test("a snapshot takes the place of a long journal, and says the same")
    func compaction() throws {
        try fill()
        let cache = directory.cache(clock: clock)
        _ = cache.usage()
        for _ in 0..<3 {
            try cache.store(.sample(count: 3), for: CacheKey("1"))
            try cache.remove(for: CacheKey("2"))
            try cache.store(.sample(count: 20), for: CacheKey("2"))
            cache.index.compact()
        }
        #expect(directory.indexFiles.count == 3)
        expectWhole(cache, count: 50)
        expectWhole(directory.cache(clock: clock), count: 50)
    }

    @Test(
        "CCF-12 by creation date, storing again makes nothing younger; by change date, it does",
        arguments: [true, false])
    func creationAndChange(isCreation: Bool) throws {
        func cache() -> DiskCache {
            directory.cache(clock: clock) {
                $0.maxDiskAge = 5
                $0.diskCacheExpireType = isCreation ? .creationDate : .changeDate
            }
        }
        let first = cache()
        for number in 0..<10 {
            try first.store(.sample(), for: CacheKey("\(number)"))
            clock.advance(by: 1)
        }
        _ = first.usage()
        try first.store(.sample(count: 5), for: CacheKey("2"))
        _ = try first.entry(for: CacheKey("3"))
        let second = cache()
        try second.removeExpired()
        #expect((0..<10).filter { second.contains(CacheKey("\($0)")) } == (isCreation ? [] : [2]) + [6, 7, 8, 9])
    }
}
