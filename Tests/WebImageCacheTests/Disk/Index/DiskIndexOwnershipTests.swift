import Foundation
import Glibc
import Synchronization
import Testing
import WebImageTesting

@testable import WebImageCache
@testable import WebImageCore
@testable import WebImageTestDoubles

/// Two caches of one directory in one process behave as two processes do: a lock belongs to the open file.
@Suite("The disk cache's index: one owner and its guests")
struct DiskIndexOwnershipTests {
    private let directory: CacheDirectory
    private let clock = TestClock()

    init() throws { directory = try CacheDirectory.filled() }

    private func expectAccounts(_ caches: DiskCache..., count: Int, _ comment: Comment? = nil) {
        for cache in caches { #expect(cache.usage() == directory.usageOfFiles, comment) }
        #expect(directory.usageOfFiles.count == count, comment)
    }

    @Test("the first cache that changes or counts entries is the owner; each finds at once what another one stores")
    func ownerAndGuest() throws {
        let (owner, guest) = (directory.openCache(clock: clock), directory.openCache(clock: clock))
        #expect(owner.index.isOwner && !guest.index.isOwner)
        for (number, cache) in [(20, owner), (21, guest)] { try cache.store(.sample(), for: CacheKey("\(number)")) }
        try guest.remove(for: CacheKey("3"))
        for cache in [owner, guest] {
            #expect(cache.present() == [0, 1, 2, 4, 5, 6, 7, 8, 9, 20, 21])
            #expect(try cache.entry(for: CacheKey("21")) != nil && cache.entry(for: CacheKey("3")) == nil)
        }
        expectAccounts(owner, guest, count: 11)
    }

    @Test("a guest keeps no table: its totals are discarded after the answer")
    func guestTable() throws {
        let owner = directory.openCache(clock: clock)
        let guest = directory.openCache(clock: clock)
        #expect(guest.index.usage.count == 0 && !guest.index.isComplete)
        try guest.store(.sample(), for: CacheKey("new"))
        #expect(guest.index.usage.count == 0)
        expectAccounts(guest, owner, count: 11)
    }

    @Test("when the owner ends, a guest becomes the owner at its next refresh")
    func succession() throws {
        let guest = try closing(directory.openCache(clock: clock)) { owner in
            let guest = directory.openCache(clock: clock)
            try guest.store(.sample(), for: CacheKey("1"))
            #expect(!guest.index.isOwner && owner.index.isOwner)
            return guest
        }
        clock.advance(by: 10)
        try guest.store(.sample(), for: CacheKey("2"))
        // Runs after the background work of that call.
        guest.saveAccessTimes()
        #expect(guest.index.isOwner && guest.index.usage == directory.usageOfFiles)
    }

    @Test("an owner that ends is no owner, even while a child process still has its files open")
    func inheritedLock() throws {
        let fileSystem = InheritedLocks()
        defer { fileSystem.endChild() }
        closing(directory.cache(fileSystem, clock: clock)) { #expect($0.usage().count == 10 && $0.index.isOwner) }
        let next = directory.openCache(clock: clock)
        #expect(next.index.isOwner)
    }

    @Test("an owner that is stopped in the middle of a change blocks no guest, and its change succeeds later")
    func stoppedOwner() throws {
        let slow = FaultyFileSystem()
        let owner = directory.openCache(slow, clock: clock)
        let writing = HeldWork(at: [.link], wherePathHas: "/entries-3/", of: slow) {
            try? owner.store(.sample(), for: CacheKey("20"))
        }
        let guest = directory.openCache(clock: clock)
        for number in 20..<30 { try guest.store(.sample(count: number), for: CacheKey("\(number)")) }
        try guest.remove(for: CacheKey("1"))
        try guest.trim(count: 15)
        expectAccounts(guest, count: 15)
        writing.finish()
        expectAccounts(owner, guest, count: 15)
    }

    @Test("the owner counts the entries of guests some seconds later, without being asked")
    func mark() throws {
        let (owner, guest) = (directory.openCache(clock: clock), directory.openCache(clock: clock))
        for number in 20..<30 { try guest.store(.sample(), for: CacheKey("\(number)")) }
        #expect(owner.index.usage.count == 10)
        clock.advance(by: 10)
        try owner.store(.sample(), for: CacheKey("30"))
        owner.saveAccessTimes()
        #expect(owner.index.usage == directory.usageOfFiles && owner.index.usage.count == 21)
    }

    @Test("an owner that only reads counts the entries of guests some seconds later, too")
    func markWhileReading() throws {
        let (owner, guest) = (directory.openCache(clock: clock), directory.openCache(clock: clock))
        for number in 20..<30 { try guest.store(.sample(), for: CacheKey("\(number)")) }
        for (seconds, count) in [(9, 10), (1, 20)] {
            clock.advance(by: TimeInterval(seconds))
            _ = try owner.entry(for: CacheKey("1"))
            owner.saveAccessTimes()
            #expect(owner.index.usage.count == count)
        }
    }

    @Test("without guests, the owner lists nothing again for its own changes")
    func noGuests() throws {
        let fileSystem = FaultyFileSystem()
        let owner = directory.openCache(fileSystem, clock: clock)
        let count = fileSystem.count(of: .list)
        for number in 20..<30 {
            clock.advance(by: 10)
            try owner.store(.sample(), for: CacheKey("\(number)"))
            owner.saveAccessTimes()
        }
        #expect(fileSystem.count(of: .list) == count && owner.index.usage == directory.usageOfFiles)
    }

    @Test("a store makes no call to the file system beyond those of the file itself")
    func calls() throws {
        let fileSystem = FaultyFileSystem()
        let owner = directory.openCache(fileSystem, clock: clock)
        let count = fileSystem.calls.count
        try owner.store(.sample(), for: CacheKey("1"))
        let entries = "\(directory.path)/entries-3"
        let replacing = fileSystem.calls.dropFirst(count).filter { $0.path.hasPrefix(entries) }.map(\.operation)
        #expect(replacing == [.status, .status, .create, .write, .rename])
        let name = try #require(owner.cachePath(for: CacheKey("1"))?.split(separator: "/").last)
        #expect(name.count == 32)
    }

    @Test("a guest evicts when it is asked to, and not by itself")
    func guestEviction() throws {
        let owner = directory.openCache(clock: clock)
        let guest = directory.cache(clock: clock) {
            $0.shouldRemoveExpiredDataAutomatically = true
            $0.maxDiskCount = 5
        }
        try guest.store(.sample(), for: CacheKey("20"))
        // Entries that were used in the same second have no order: filling the directory may take until the next one.
        clock.advance(by: 3600)
        _ = try guest.entry(for: CacheKey("20"))
        guest.saveAccessTimes()
        #expect(directory.usageOfFiles.count == 11)
        try guest.removeExpired()
        expectAccounts(guest, owner, count: 2)
        #expect(guest.contains(CacheKey("20")))
    }

    @Test("DSK-4 a guest that evicts spares what it has just read itself")
    func guestReadsItself() throws {
        let owner = directory.openCache(clock: clock)
        let guest = directory.openCache(clock: clock)
        clock.advance(by: 3600)
        for number in [3, 7] { _ = try guest.entry(for: CacheKey("\(number)")) }
        try guest.trim(count: 2)
        #expect(owner.present() == [3, 7])
    }

    @Test("DSK-4 the owner does not evict an entry that a guest has read, according to its file")
    func guestReads() throws {
        let owner = directory.openCache(clock: clock)
        let guest = directory.cache(clock: clock)
        clock.advance(by: 3600)
        for number in [3, 7] { _ = try guest.entry(for: CacheKey("\(number)")) }
        guest.saveAccessTimes()
        try owner.trim(count: 2)
        #expect(owner.present() == [3, 7])
    }

    @Test(
        "complaint 11: a guest is killed at any call of a store or a removal, and the owner's totals equal the files",
        arguments: 1...12)
    func killedGuest(call: Int) throws {
        let owner = directory.openCache(clock: clock)
        let dying = FaultyFileSystem()
        let guest = directory.openCache(dying, clock: clock)
        dying.kill(atCall: call)
        try? guest.store(.sample(count: 7), for: CacheKey("1"))
        try? guest.store(.sample(count: 7), for: CacheKey("20"))
        try? guest.remove(for: CacheKey("2"))
        #expect(owner.usage() == directory.usageOfFiles)
        #expect(directory.cache().usage() == directory.usageOfFiles)
    }

    @Test(
        "complaint 11: the owner is killed at any call, and the next owner's totals equal the files",
        arguments: 1...25)
    func killedOwner(call: Int) throws {
        try directory.settle(clock: clock)
        let dying = FaultyFileSystem()
        closing(directory.cache(dying, clock: clock)) { owner in
            dying.kill(atCall: call)
            for number in 0..<3 { try? owner.store(.sample(count: number), for: CacheKey("\(number)")) }
            try? owner.remove(for: CacheKey("4"))
            _ = owner.usage()
            try? owner.store(.sample(count: 7), for: CacheKey("20"))
            _ = try? owner.trim(count: 4)
        }
        let next = directory.openCache(clock: clock)
        #expect(next.index.isOwner && next.usage() == directory.usageOfFiles)
        #expect(next.present() == next.present().filter { (try? next.entry(for: CacheKey("\($0)"))) ?? nil != nil })
    }

    @Test("a directory that is removed while it is owned gets another owner, and both processes continue")
    func removedDirectory() throws {
        let owner = directory.openCache(clock: clock)
        try FileManager.default.removeItem(atPath: "\(directory.path)/entries-3")
        let next = directory.cache(clock: clock)
        for number in 30..<33 { try next.store(.sample(), for: CacheKey("\(number)")) }
        #expect(next.index.isOwner)
        try owner.store(.sample(), for: CacheKey("40"))
        #expect(!owner.index.isOwner)
        expectAccounts(owner, next, count: 4)
        #expect(next.index.isOwner && !owner.index.isOwner)
    }

    @Test("a removed directory is created again by the next store, with exact totals")
    func removedAlone() throws {
        let owner = directory.openCache(clock: clock)
        try FileManager.default.removeItem(atPath: directory.path)
        #expect(try owner.entry(for: CacheKey("1")) == nil && !owner.contains(CacheKey("2")))
        for number in 30..<33 { try owner.store(.sample(), for: CacheKey("\(number)")) }
        expectAccounts(owner, count: 3)
        #expect(owner.index.isOwner)
    }

    @Test(
        "an owner keeps a directory that was replaced before it took the lock, whatever it has read in the former one")
    func replacedBefore() throws {
        let fileSystem = FaultyFileSystem()
        let cache = closing(directory.openCache(clock: clock)) { _ in
            let guest = directory.openCache(fileSystem, clock: clock)
            #expect(guest.contains(CacheKey("1")) && !guest.index.isOwner)
            return guest
        }
        // Moved and not removed: the system gives the number of a removed directory to the next one.
        try FileManager.default.moveItem(
            atPath: "\(directory.path)/entries-3", toPath: "\(directory.path)/former")
        try closing(directory.cache(clock: clock)) { try $0.store(.sample(), for: CacheKey("1")) }
        #expect(cache.usage().count == 1 && cache.index.isOwner)
        try closing(directory.cache(clock: clock)) { try $0.store(.sample(count: 7), for: CacheKey("1")) }
        let count = fileSystem.count(of: .lock)
        #expect(try cache.entry(for: CacheKey("1"))?.data.count == 7)
        cache.saveAccessTimes()
        #expect(cache.index.isOwner && fileSystem.count(of: .lock) == count)
    }

    enum Obstacle: CaseIterable { case link, directory, pipe }

    @Test(
        "a link, a directory or a pipe in the place of the lock's file is removed, and the process becomes the owner",
        arguments: Obstacle.allCases)
    func obstacle(_ kind: Obstacle) throws {
        let (path, outside) = ("\(directory.path)/entries-3/owner", "\(directory.path)/outside")
        try FileManager.default.removeItem(atPath: path)
        try Data("mine".utf8).write(to: URL(filePath: outside))
        switch kind {
        case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: outside)
        case .directory:
            try FileManager.default.createDirectory(atPath: "\(path)/inside", withIntermediateDirectories: true)
        case .pipe: try #require(mkfifo(path, 0o600) == 0)
        }
        let warnings = CollectedWarnings()
        let cache = directory.cache(clock: clock, warnings: warnings)
        #expect(cache.usage().count == 10 && cache.index.isOwner && warnings.all.isEmpty)
        #expect(try String(contentsOfFile: outside, encoding: .utf8) == "mine")
    }

    @Test("if the lock's file is removed, the owner gives up ownership at its next refresh")
    func removedLock() throws {
        let owner = directory.openCache(clock: clock)
        try FileManager.default.removeItem(atPath: "\(directory.path)/entries-3/owner")
        let next = directory.openCache(clock: clock)
        #expect(next.index.isOwner)
        for (number, cache) in [(20, owner), (21, next)] { try cache.store(.sample(), for: CacheKey("\(number)")) }
        expectAccounts(owner, next, count: 12)
        #expect(!owner.index.isOwner && next.index.isOwner)
    }

    @Test(
        "a directory with read permission only has guests only: entries are read, and no warning is logged",
        arguments: [EROFS, EACCES])
    func readOnly(code: Int32) throws {
        let fileSystem = FaultyFileSystem()
        fileSystem.fail(
            [.create, .write, .link, .rename, .remove, .makeDirectory, .setTimes], wherePathHas: "/", with: code)
        let warnings = CollectedWarnings()
        let cache = directory.cache(fileSystem, clock: clock, warnings: warnings)
        #expect(cache.usage() == directory.usageOfFiles && cache.present().count == 10)
        #expect(try cache.entry(for: CacheKey("1")) != nil)
        cache.saveAccessTimes()
        #expect(!cache.index.isOwner && warnings.all.isEmpty)
        #expect(throws: WebImageError.self) { try cache.store(.sample(), for: CacheKey("20")) }
        #expect(warnings.all.count == 1)
    }
}

/// Plays a child process that is forked while a lock is held: it has the locked file open, too.
private final class InheritedLocks: ForwardingFileSystem {
    let base = POSIXFileSystem()
    private let descriptors = Mutex<[Int32]>([])

    func lock(_ file: OpenFile) throws(FileSystemError) -> Bool {
        let isLocked = try base.lock(file)
        if isLocked { descriptors.withLock { $0.append(dup(file.descriptor)) } }
        return isLocked
    }

    func endChild() {
        for descriptor in descriptors.withLock({ $0 }) { _ = Glibc.close(descriptor) }
    }
}
