import Foundation
import Synchronization
import Testing
import WebImageTesting

@testable import WebImageCache
@testable import WebImageCore
@testable import WebImageTestDoubles

@Suite("The disk cache's index: from one process to the next")
struct DiskIndexStartTests {
    private let directory: CacheDirectory
    private let clock = TestClock()

    init() throws { directory = try CacheDirectory() }

    /// Fills a directory with `count` entries, and closes the cache with a current snapshot.
    private func fill(_ count: Int = 50) throws {
        try closing(directory.cache(clock: clock)) { cache in
            for number in 0..<count { try cache.store(.sample(count: 10 * number), for: CacheKey("\(number)")) }
        }
        try directory.settle(clock: clock)
    }

    /// The directories of entries that were listed.
    private func listed(_ fileSystem: FaultyFileSystem) -> [String] {
        let paths = fileSystem.calls.filter { $0.operation == .list && $0.path.contains(/entries-3\/..$/) }.map(\.path)
        return paths.map { String($0.suffix(2)) }
    }

    private func directoryName(of key: String) -> String { String(DiskEntryName(CacheKey(key)).fileName.prefix(2)) }

    private func expectWhole(_ cache: DiskCache, count: Int) {
        #expect(cache.usage().count == count && directory.files.count == count)
        #expect(cache.usage() == directory.usageOfFiles)
    }

    @Test("complaint 5: the next process knows all entries, and lists no directory that has not changed")
    func nextProcess() throws {
        try fill()
        let fileSystem = FaultyFileSystem()
        expectWhole(directory.cache(fileSystem, clock: clock), count: 50)
        #expect(listed(fileSystem).isEmpty)
    }

    @Test(
        "complaint 11: a process is killed before it writes a snapshot: the next one lists the directories it has changed"
    )
    func killed() throws {
        try fill()
        let dying = FaultyFileSystem()
        try closing(directory.cache(dying, clock: clock)) { cache in
            _ = cache.usage()
            try cache.store(.sample(), for: CacheKey("new"))
            try cache.store(.sample(count: 3), for: CacheKey("1"))
            try cache.remove(for: CacheKey("2"))
            dying.kill(atCall: 0)
        }
        let fileSystem = FaultyFileSystem()
        closing(directory.cache(fileSystem, clock: clock)) { expectWhole($0, count: 50) }
        #expect(Set(listed(fileSystem)) == Set(["new", "1", "2"].map(directoryName)))
    }

    @Test("a directory that changed just before the snapshot is listed once more, and then no more")
    func racy() throws {
        try closing(directory.cache(clock: clock)) { cache in
            for number in 0..<5 { try cache.store(.sample(), for: CacheKey("\(number)")) }
            // A change of this very moment, however slow the machine is.
            try directory.dateDirectories(Date() + 60)
            _ = cache.usage()
        }
        let fileSystem = FaultyFileSystem()
        closing(directory.cache(fileSystem, clock: clock)) { expectWhole($0, count: 5) }
        #expect(Set(listed(fileSystem)) == Set((0..<5).map { directoryName(of: "\($0)") }))
        try directory.settle(clock: clock)
        let next = FaultyFileSystem()
        expectWhole(directory.cache(next, clock: clock), count: 5)
        #expect(listed(next).isEmpty)
    }

    @Test(
        "a directory in which a file may still be written is listed at the next start, which removes what a crash left")
    func unfinished() throws {
        try fill(5)
        let folder = try #require(directory.entryDirectories.first)
        let leftOver = "\(folder)/\(TemporaryName.make())"
        try Data(count: 10).write(to: URL(filePath: leftOver))
        try directory.settle(clock: clock)
        #expect(FileManager.default.fileExists(atPath: leftOver))
        // The file is as old as this run, which is slow under a sanitizer.
        clock.advance(by: 7200)
        closing(directory.cache(clock: clock)) { expectWhole($0, count: 5) }
        #expect(!FileManager.default.fileExists(atPath: leftOver))
    }

    @Test("DSK-4 a read before the index is loaded costs no more than a later one, and counts as a use, too")
    func readingFirst() throws {
        try fill(10)
        let fileSystem = FaultyFileSystem()
        let isHeld = Gate()
        fileSystem.setGate { operation, path in if path.hasSuffix("/owner") { isHeld.waitBlocking() } }
        let cache = directory.cache(fileSystem, clock: clock)
        clock.advance(by: 3600)
        for number in [3, 7] { #expect(try cache.entry(for: CacheKey("\(number)")) != nil) }
        let own = fileSystem.calls.filter { $0.path.contains(/entries-3\/.*\/.{32}$/) }
        #expect(own.map(\.operation) == [.read, .read])
        isHeld.open()
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

    @Test("no file of the index exists before the first entry")
    func noEntries() throws {
        let cache = directory.cache()
        #expect(cache.usage().count == 0 && !cache.contains(CacheKey("0")))
        try cache.removeExpired()
        #expect(directory.indexFiles.isEmpty)
        try cache.store(.sample(), for: CacheKey("0"))
        #expect(cache.usage().count == 1)
        #expect(!directory.indexFiles.isEmpty)
    }

    @Test("DSK-4 entries that a process only reads are the last that the next process evicts")
    func useWithoutChanges() throws {
        let directory = try CacheDirectory.filled(with: 10)
        try directory.settle(clock: clock)
        clock.advance(by: 3600)
        try closing(directory.cache(clock: clock)) { cache in
            for number in [3, 0] { _ = try cache.entry(for: CacheKey("\(number)")) }
            cache.saveAccessTimes()
        }
        let next = directory.cache(clock: clock)
        try next.trim(count: 2)
        #expect((0..<10).filter { next.contains(CacheKey("\($0)")) } == [0, 3])
    }

    @Test("DSK-4 the order of use survives into the next process, by the snapshot as well as by the files alone")
    func orderOfUse() throws {
        for isIndexLost in [false, true] {
            let directory = try CacheDirectory()
            try closing(directory.cache(clock: clock)) { cache in
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
            }
            if isIndexLost { for path in directory.indexFiles { try FileManager.default.removeItem(atPath: path) } }
            let next = directory.cache(clock: clock) { $0.maxDiskCount = 4 }
            try next.removeExpired()
            #expect((0..<10).filter { next.contains(CacheKey("\($0)")) } == [0, 3])
        }
    }

    @Test("by change date, access times are not written to files that say when they were changed")
    func changeDate() throws {
        let fileSystem = FaultyFileSystem()
        let cache = directory.cache(fileSystem, clock: clock) { $0.diskCacheExpireType = .changeDate }
        try cache.store(.sample(), for: CacheKey("0"))
        clock.advance(by: 3600)
        _ = try cache.entry(for: CacheKey("0"))
        cache.saveAccessTimes()
        #expect(fileSystem.count(of: .setTimes) == 0)
    }

    @Test(
        "complaint 1: files that were added, exchanged or removed by other means are found at the next start, also where the clock was set back",
        arguments: [0, -7200])
    func foreignChanges(clockSetBackBy seconds: TimeInterval) throws {
        try fill()
        let other = try CacheDirectory()
        try closing(other.cache()) { try $0.store(.sample(count: 7), for: CacheKey("new")) }
        let new = try other.onlyFile
        let place = directory.path + new.dropFirst(other.path.count)
        try? FileManager.default.createDirectory(
            atPath: String(place.dropLast(33)), withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: new, toPath: place)
        let victims = directory.files.filter { $0 != place }.sorted().prefix(10)
        for path in victims { try FileManager.default.removeItem(atPath: path) }
        for folder in Set((victims + [place]).map(\.directoryName)) where seconds != 0 {
            try FileManager.default.setAttributes(
                [.modificationDate: Date.fileTime(fromNow: seconds)], ofItemAtPath: folder)
        }
        closing(directory.cache(clock: clock)) { expectWhole($0, count: 41) }
        #expect(directory.cache(clock: clock).contains(CacheKey("new")))
    }

    @Test("once an hour the owner finds files that were removed by other means, without being asked")
    func hourly() throws {
        let timers = Mutex<[@Sendable () -> Void]>([])
        let cache = DiskCache(
            directory: directory.path, fileSystem: POSIXFileSystem(), now: { [clock] in clock.now }, warn: { _ in },
            later: { milliseconds, job in if milliseconds == 3_600_000 { timers.withLock { $0.append(job) } } })
        for number in 0..<5 { try cache.store(.sample(), for: CacheKey("\(number)")) }
        _ = cache.usage()
        try FileManager.default.removeItem(atPath: try #require(cache.cachePath(for: CacheKey("1"))))
        cache.saveAccessTimes()
        #expect(cache.index.usage.count == 5)
        for job in timers.withLock({ $0 }) { job() }
        cache.saveAccessTimes()
        #expect(cache.index.usage == directory.usageOfFiles && directory.files.count == 4)
    }

    @Test(
        "complaint 1: too many files are open to list the directories: no entry counts as removed, and they are listed later",
        arguments: ["/entries-3", "/entries-3/"], [true, false])
    func shortage(part: String, isSnapshotThere: Bool) throws {
        try fill()
        if !isSnapshotThere { try FileManager.default.removeItem(atPath: "\(directory.path)/entries-3/snapshot") }
        for path in directory.entryDirectories {
            // Makes each directory dirty.
            try FileManager.default.setAttributes(
                [.modificationDate: Date.fileTime(fromNow: -60)], ofItemAtPath: path)
        }
        let fileSystem = FaultyFileSystem()
        fileSystem.fail([.list], wherePathHas: part, with: EMFILE)
        try closing(directory.cache(fileSystem, clock: clock)) { cache in
            let usage = cache.usage()
            #expect(usage == (isSnapshotThere ? directory.usageOfFiles : DiskCacheUsage(count: 0, byteCount: 0)))
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
            try closing(directory.cache(clock: clock) { $0.diskCacheExpireType = .creationDate }) { cache in
                func store(_ number: Int, count: Int) throws {
                    try cache.store(
                        DiskCacheEntry(data: Data(count: count), storedAt: clock.now), for: CacheKey("\(number)"))
                    clock.advance(by: 2)
                }
                for number in 0..<6 { try store(number, count: 10) }
                // Changes the dates of the files, and not the entries' dates of creation.
                for number in [1, 0] { try store(number, count: 20) }
            }
            if isIndexLost {
                try? FileManager.default.removeItem(atPath: "\(directory.path)/entries-3/snapshot")
            } else {
                try directory.settle(clock: clock)
            }
            let next = directory.cache(clock: clock) {
                $0.diskCacheExpireType = .creationDate
                $0.maxDiskCount = 5
            }
            try next.removeExpired()
            #expect((0..<6).filter { next.contains(CacheKey("\($0)")) } == [4, 5])
        }
    }

    @Test("entries without an index are found")
    func noIndex() throws {
        try fill()
        for path in directory.indexFiles { try FileManager.default.removeItem(atPath: path) }
        let warnings = CollectedWarnings()
        expectWhole(directory.cache(clock: clock, warnings: warnings), count: 50)
        #expect(warnings.all.isEmpty)
    }

    @Test("a snapshot without its entries says nothing, and neither does that of another cache")
    func otherEntries() throws {
        try fill()
        let other = try CacheDirectory.filled(with: 7)
        try other.settle()
        try FileManager.default.removeItem(atPath: "\(other.path)/entries-3/snapshot")
        try FileManager.default.copyItem(
            atPath: "\(directory.path)/entries-3/snapshot", toPath: "\(other.path)/entries-3/snapshot")
        #expect(closing(other.cache()) { $0.usage() } == other.usageOfFiles && other.files.count == 7)
        for path in directory.entryDirectories { try FileManager.default.removeItem(atPath: path) }
        expectWhole(directory.cache(clock: clock), count: 0)
    }

    @Test("a snapshot of another version is replaced, and is not reported as damage")
    func otherVersion() throws {
        try fill()
        let path = URL(filePath: "\(directory.path)/entries-3/snapshot")
        var bytes = try Data(contentsOf: path)
        bytes[8] = 3
        try bytes.write(to: path)
        let warnings = CollectedWarnings()
        closing(directory.cache(clock: clock, warnings: warnings)) { expectWhole($0, count: 50) }
        #expect(warnings.all.isEmpty)
        #expect(try Data(contentsOf: path)[8] == 2)
    }

    @Test("a snapshot is written after many changes, and at the end; a few changes are left to the next start")
    func snapshots() throws {
        let fileSystem = FaultyFileSystem()
        func writeCount() -> Int {
            // Each is made without a name, in its directory.
            fileSystem.calls.count { $0.operation == .create && $0.path.hasSuffix("/entries-3") }
        }
        try closing(directory.cache(fileSystem, clock: clock)) { cache in
            for number in 0..<1024 { try cache.store(.sample(count: 1), for: CacheKey("\(number)")) }
            cache.saveAccessTimes()
            #expect(writeCount() == 0)
            for number in 1024..<1400 { try cache.store(.sample(count: 1), for: CacheKey("\(number)")) }
            cache.saveAccessTimes()
            #expect(writeCount() == 1)
        }
        #expect(writeCount() == 2)
        try directory.settle(clock: clock)
        closing(directory.cache(fileSystem, clock: clock)) { _ = $0.usage() }
        #expect(writeCount() == 2)
    }

    @Test("a program that ends while the snapshot is written leaves no part of it, whatever the moment")
    func endDuringSnapshot() throws {
        /// The number of calls; with `limit`, the process ends at that one.
        func save(limit: Int? = nil) throws -> Int {
            let fileSystem = FaultyFileSystem()
            let cache = directory.cache(fileSystem, clock: clock)
            for number in 0..<10 { try cache.store(.sample(count: 5), for: CacheKey("\(number)")) }
            _ = cache.usage()
            if let limit { fileSystem.kill(atCall: limit) }
            let former = fileSystem.calls.count
            cache.close()
            return fileSystem.calls.count - former
        }
        let (root, files) = (URL(filePath: "\(directory.path)/entries-3"), FileManager.default)
        let callCount = try save()
        let size = try Data(contentsOf: root.appending(path: "snapshot")).count
        for limit in 1...callCount {
            _ = try save(limit: limit)
            for name in try files.contentsOfDirectory(atPath: root.path) where TemporaryName.matches(name) {
                let path = root.appending(path: name)
                #expect(try Data(contentsOf: path).count == size, "call \(limit)")
                try files.removeItem(at: path)
            }
        }
    }

    @Test(
        "CCF-12 storing again does not change the creation date, but the change date",
        arguments: [true, false])
    func creationAndChange(isCreation: Bool) throws {
        func cache() -> DiskCache {
            directory.cache(clock: clock) {
                $0.maxDiskAge = .seconds(5)
                $0.diskCacheExpireType = isCreation ? .creationDate : .changeDate
            }
        }
        try closing(cache()) { first in
            for number in 0..<10 {
                try first.store(.sample(), for: CacheKey("\(number)"))
                clock.advance(by: 1)
            }
            _ = first.usage()
            try first.store(.sample(count: 5), for: CacheKey("2"))
            _ = try first.entry(for: CacheKey("3"))
        }
        let second = cache()
        try second.removeExpired()
        #expect((0..<10).filter { second.contains(CacheKey("\($0)")) } == (isCreation ? [] : [2]) + [6, 7, 8, 9])
    }
}
