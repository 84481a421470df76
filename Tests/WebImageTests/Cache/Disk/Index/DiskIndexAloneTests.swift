import Foundation
import Synchronization
import Testing
import WebImageTesting

@testable import WebImage

/// Each cache is as a process of its own; a foreign one hears of the others 20 ms later.
@Suite("The disk cache's index: a process that cannot use it, or not now", .timeLimit(.minutes(2)))
struct DiskIndexAloneTests {
    private let directory: CacheDirectory
    private let clock = TestClock()

    init() throws { directory = try CacheDirectory.filled() }

    private var files: DiskCacheUsage { directory.usageOfFiles }

    private func open(_ fileSystem: any FileSystem = POSIXFileSystem(), isForeign: Bool = false) -> DiskCache {
        directory.openCache(fileSystem, clock: clock, isForeign: isForeign)
    }

    // MARK: Alone

    @Test("complaint 11: one append fails, and what that process stores from then on is in everybody's account")
    func failedAppend() throws {
        let faulty = FaultyFileSystem()
        let (alone, living) = (open(faulty), open(isForeign: true))
        faulty.fail([.write], wherePathHas: "/journal-", with: ENOSPC)
        try alone.store(.sample(), for: CacheKey("20"))
        // A living one learns of the damage, and looks at the files.
        clock.advance(by: 1)
        #expect(living.contains(CacheKey("20")))
        #expect(living.usage() == files)
        // That has mended the damage; who comes next has to know of what is stored after it.
        try alone.store(.sample(count: 7), for: CacheKey("21"))
        #expect(open(isForeign: true).usage() == files)
        try alone.store(.sample(count: 8), for: CacheKey("22"))
        #expect(alone.usage() == files && open(isForeign: true).usage() == files)
    }

    @Test("complaint 11: who was alone tells the others of it as soon as the index can be used again")
    func rejoins() throws {
        let faulty = FaultyFileSystem()
        let (alone, living) = (open(faulty), open(isForeign: true))
        faulty.fail([.write], wherePathHas: "/journal-", with: ENOSPC)
        try alone.store(.sample(), for: CacheKey("20"))
        _ = living.usage()
        try alone.store(.sample(count: 5), for: CacheKey("21"))
        try alone.remove(for: CacheKey("0"))
        faulty.allowAllPaths()
        clock.advance(by: 3601)
        #expect(alone.usage() == files && alone.present() == Array(1..<10) + [20, 21])
        #expect(living.usage() == files && living.present() == Array(1..<10) + [20, 21])
        #expect(open(isForeign: true).usage() == files)
        try alone.store(.sample(), for: CacheKey("22"))
        clock.advance(by: 1)
        #expect(living.present() == Array(1..<10) + [20, 21, 22])
    }

    @Test("complaint 11: where there is no place in the index, the next process finds what was stored without one")
    func noPlace() throws {
        let faulty = FaultyFileSystem()
        faulty.fail([.lock], wherePathHas: "/state", with: ENOLCK)
        let living = open(isForeign: true)
        let alone = directory.cache(faulty, clock: clock)
        for number in 20..<24 {
            try alone.store(.sample(count: number), for: CacheKey("\(number)"))
            if number % 2 == 0 { #expect(open(isForeign: true).usage() == files) }
            #expect(living.usage() == files)
        }
        try living.store(.sample(count: 7), for: CacheKey("30"))
        #expect(alone.contains(CacheKey("30")) && alone.usage() == files, "who is told nothing looks at the files")
    }

    @Test("complaint 11: an index that fails is asked for again after a second, and then less and less often")
    func failurePauses() throws {
        let faulty = FaultyFileSystem()
        let alone = open(faulty)
        var isShared: Bool { alone.index.state.withLock { $0.shared != nil } }
        func fail() { faulty.fail([.write], wherePathHas: "/journal-", with: ENOSPC) }
        fail()
        try alone.store(.sample(), for: CacheKey("20"))
        for pause in [1.0, 2, 4, 8] {
            clock.advance(by: pause - 0.01)
            #expect(!alone.index.isJoiningDue, "after \(pause) s")
            clock.advance(by: 0.02)
            #expect(alone.index.isJoiningDue, "after \(pause) s")
            #expect(alone.usage() == files && !isShared)
        }
        faulty.allowAllPaths()
        clock.advance(by: 17)
        #expect(alone.usage() == files && isShared)
        // It has done for long: the next failure is a first one.
        clock.advance(by: 100)
        fail()
        try alone.store(.sample(), for: CacheKey("21"))
        #expect(!isShared && !alone.index.isJoiningDue)
        clock.advance(by: 1.01)
        #expect(alone.index.isJoiningDue)
    }

    @Test("an hour without the index is over, also where the clock is set back by a year meanwhile")
    func clockSetBack() throws {
        let faulty = FaultyFileSystem()
        let alone = open(faulty)
        faulty.fail([.write], wherePathHas: "/journal-", with: ENOSPC)
        try alone.store(.sample(), for: CacheKey("20"))
        faulty.allowAllPaths()
        clock.advance(by: -365 * 86_400)
        #expect(alone.usage() == files)
        #expect(alone.index.state.withLock { $0.shared != nil })
    }

    @Test("CCF-4 an hour after the last eviction the next one is due, also where the clock was set back by a year")
    func evictionAfterSettingBack() {
        let index = open().index
        let time = FileTime(clock.now)
        index.didEvict(at: time, hasSucceeded: true)
        #expect(!index.isEvictionDue(ImageCacheConfig(), now: time.before(-3599)))
        #expect(index.isEvictionDue(ImageCacheConfig(), now: time.before(-3600)))
        #expect(index.isEvictionDue(ImageCacheConfig(), now: time.before(365 * 86_400)))
    }

    // MARK: Somebody else has the lock

    /// Another process that is stopped while it has locks.
    private final class Stopped {
        private let system = POSIXFileSystem()
        private let file: OpenFile

        init(in directory: CacheDirectory, with locks: Range<Int>) throws {
            file = try system.openToChange("\(directory.path)/index-1/state")
            // The threads of others who use the index may have it for a moment.
            while try !system.lock(file, bytes: locks, as: .exclusive) { sched_yield() }
        }

        func goOn() { system.close(file) }
    }

    private static let allLocks = [
        IndexState.headerLock, IndexState.snapshotLock,
        IndexState.headerLock.lowerBound..<IndexState.snapshotLock.upperBound,
    ]

    /// The index's own thread may just have it locked: then that is asked for once more.
    private func expectJoins(_ cache: DiskCache) {
        while cache.index.state.withLock({ $0.shared == nil }) { _ = cache.usage() }
    }

    @Test("complaint 5: nobody waits for a process that is stopped while it has the index locked", arguments: allLocks)
    func stopped(locks: Range<Int>) throws {
        let stopped = try Stopped(in: directory, with: locks)
        let living = open(isForeign: true)
        let cache = directory.cache(clock: clock)
        for number in 20..<25 { try cache.store(.sample(), for: CacheKey("\(number)")) }
        #expect(cache.contains(CacheKey("24")) && cache.contains(CacheKey("1")))
        #expect(cache.usage() == files && living.usage() == files)
        try cache.remove(for: CacheKey("24"))
        try cache.removeExpired()
        living.index.compact()
        closing(directory.cache(clock: clock)) { _ in }
        stopped.goOn()
        // It goes on: now all are told.
        expectJoins(cache)
        expectJoins(living)
        #expect(cache.usage() == files && living.usage() == files)
        #expect(open(isForeign: true).usage() == files)
    }

    @Test("complaint 5: an index that is locked is asked for again soon, and used as soon as it is not")
    func asksAgain() throws {
        let stopped = try Stopped(in: directory, with: IndexState.headerLock)
        let index = directory.cache(clock: clock).index
        #expect((0..<8).map { _ in index.care() } == [20, 40, 80, 160, 320, 640, 1000, 1000])
        #expect(index.isComplete, "in the end the files were looked at")
        stopped.goOn()
        while index.care() != nil { sched_yield() }
        #expect(index.isComplete && index.state.withLock { $0.shared != nil })
    }

    @Test(
        "complaint 11: who stores while the index is locked, and dies before it is not, is found out",
        arguments: allLocks)
    func diesWaiting(locks: Range<Int>) throws {
        let stopped = try Stopped(in: directory, with: locks)
        let dying = FaultyFileSystem()
        try closing(directory.cache(dying, clock: clock)) { cache in
            try cache.store(.sample(count: 99), for: CacheKey("20"))
            dying.kill(atCall: 0)
        }
        stopped.goOn()
        #expect(open(isForeign: true).usage() == files)
    }

    @Test("whoever has been using the index goes on to do so while somebody else has it locked", arguments: allLocks)
    func locked(locks: Range<Int>) throws {
        let (first, second) = (open(), open(isForeign: true))
        expectJoins(first)
        expectJoins(second)
        let stopped = try Stopped(in: directory, with: locks)
        first.index.compact()
        try first.store(.sample(), for: CacheKey("20"))
        clock.advance(by: 1)
        #expect(second.present() == Array(0..<10) + [20])
        stopped.goOn()
        #expect(first.usage() == files && second.usage() == files)
    }

    // MARK: Files

    @Test("a file of the index is closed once, and not used after that, whatever fails on the way to the next journal")
    func closedOnce() async throws {
        for number in 1..<12 {
            let tracking = ClosingFileSystem()
            do {
                let (first, second) = (open(isForeign: true), open(tracking))
                first.index.compact()
                try first.store(.sample(), for: CacheKey("a\(number)"))
                // Its next store finds that the journal is closed, and reads on before it appends once more.
                tracking.failWrite(number)
                try? second.store(.sample(), for: CacheKey("b\(number)"))
                tracking.failWrite(0)
                try second.store(.sample(), for: CacheKey("c\(number)"))
                #expect(second.usage() == files)
                second.index.compact()
            }
            // The index's own thread may have been the last to need it.
            try await tracking.openCount.wait { $0 == 0 }
            #expect(tracking.mistakes == 0, "write \(number) has failed")
        }
    }

    // MARK: Handlers

    @Test("a handler of warnings may use the cache that warns: no lock is held while it is called")
    func handler() async throws {
        let faulty = FaultyFileSystem()
        let box = Mutex<DiskCache?>(nil)
        let done = Observed(0)
        var config = ImageCacheConfig()
        config.shouldRemoveExpiredDataAutomatically = false
        let cache = DiskCache(
            directory: directory.path, config: config, fileSystem: faulty,
            warn: { _ in
                guard let cache = box.withLock({ $0 }) else { return }
                _ = cache.usage()
                // Of all stripes, the one that was being changed as well.
                for number in 0..<200 { try? cache.store(.sample(count: 1), for: CacheKey("handler \(number)")) }
                try? cache.removeExpired()
                done.update { $0 += 1 }
            })
        box.withLock { $0 = cache }
        defer { box.withLock { $0 = nil } }
        _ = cache.usage()
        faulty.fail([.write], wherePathHas: "/journal-", with: EIO)
        Thread.detachNewThread { try? cache.store(.sample(), for: CacheKey("20")) }
        try await done.wait { $0 == 1 }
        #expect(cache.usage() == files)
    }

    // MARK: Dates

    @Test(
        "CCF-12 a process whose first act is a store leaves the entry its first date",
        arguments: DiskCacheExpireType.allCases)
    func storesFirst(order: DiskCacheExpireType) throws {
        let born = clock.now
        let key = CacheKey("born")
        func cache() -> DiskCache { directory.cache(clock: clock) { $0.diskCacheExpireType = order } }
        func entry(_ count: Int) -> DiskCacheEntry { DiskCacheEntry(data: Data(count: count), storedAt: clock.now) }
        try closing(cache()) { try $0.store(entry(10), for: key) }
        for round in 1...3 {
            clock.advance(by: 100)
            if round == 2 { try FileManager.default.removeItem(atPath: "\(directory.path)/index-1") }
            let created = try closing(cache()) { next in
                if round == 3 { _ = next.usage() }
                try next.store(entry(10 + round), for: key)
                return try #require(try next.entry(for: key)?.createdAt)
            }
            #expect(abs(created.timeIntervalSince(born)) < 2, "round \(round)")
        }
    }
}

/// Files that are watched: which are open, and whether one is closed or used that is not.
private final class ClosingFileSystem: ForwardingFileSystem {
    private struct State {
        var open: [Int32: String] = [:]
        var mistakes = 0
        var failing = 0
    }

    let base = POSIXFileSystem()
    private let state = Mutex(State())

    var mistakes: Int { state.withLock { $0.mistakes } }
    let openCount = Observed(0)

    /// The `number`th write to the index from now on fails, and all after it; 0 for none.
    func failWrite(_ number: Int) { state.withLock { $0.failing = number } }

    private func opened(_ file: OpenFile) -> OpenFile {
        openCount.update { $0 += 1 }
        state.withLock { $0.open[file.descriptor] = file.path }
        return file
    }

    private func use(_ file: OpenFile) {
        state.withLock { if $0.open[file.descriptor] != file.path { $0.mistakes += 1 } }
    }

    func openToAppend(_ path: String) throws(FileSystemError) -> OpenFile { opened(try base.openToAppend(path)) }
    func openToChange(_ path: String) throws(FileSystemError) -> OpenFile { opened(try base.openToChange(path)) }
    func create(_ path: String) throws(FileSystemError) -> OpenFile { opened(try base.create(path)) }
    func createUnnamed(in directory: String) throws(FileSystemError) -> OpenFile {
        opened(try base.createUnnamed(in: directory))
    }

    func close(_ file: OpenFile) {
        let isOpen = state.withLock { state in
            guard state.open[file.descriptor] == file.path else {
                state.mistakes += 1
                return false
            }
            state.open[file.descriptor] = nil
            return true
        }
        guard isOpen else { return }
        base.close(file)
        openCount.update { $0 -= 1 }
    }

    func write(_ parts: [Data], to file: OpenFile) throws(FileSystemError) {
        use(file)
        let fails = state.withLock { state in
            guard state.failing > 0, file.path.contains("/journal-") else { return false }
            if state.failing > 1 { state.failing -= 1 }
            return state.failing == 1
        }
        if fails { throw FileSystemError(.write, file.path, code: ENOSPC) }
        try base.write(parts, to: file)
    }

    func write(_ bytes: Data, to file: OpenFile, at offset: Int) throws(FileSystemError) {
        use(file)
        try base.write(bytes, to: file, at: offset)
    }

    func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        use(file)
        return try base.read(file, at: offset, count: count)
    }

    func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
        use(file)
        return try base.status(of: file)
    }

    func lock(_ file: OpenFile, bytes: Range<Int>, as kind: FileLock) throws(FileSystemError) -> Bool {
        use(file)
        return try base.lock(file, bytes: bytes, as: kind)
    }

    func unlock(_ file: OpenFile, bytes: Range<Int>) throws(FileSystemError) {
        use(file)
        try base.unlock(file, bytes: bytes)
    }
}
