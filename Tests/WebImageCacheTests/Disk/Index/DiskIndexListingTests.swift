import Foundation
import Testing
import WebImageTesting

@testable import WebImageCache
@testable import WebImageCore
@testable import WebImageTestDoubles

@Suite("The disk cache's index: what a listing finds, and what happens during it", .timeLimit(.minutes(2)))
struct DiskIndexListingTests {
    private let directory: CacheDirectory
    private let clock = TestClock()
    private let fileSystem = FaultyFileSystem()

    init() throws {
        directory = try CacheDirectory.filled(with: 50)
        try directory.settle(clock: clock)
    }

    private func name(_ number: Int) -> DiskEntryName { DiskEntryName(CacheKey("\(number)")) }

    private func dateBack(_ path: String, by seconds: TimeInterval = 3600) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date.fileTime(fromNow: -seconds)], ofItemAtPath: path)
    }

    @Test(
        "the entries of a directory that could not be listed are found by the next listing, without a change of the directory",
        arguments: [EACCES, EIO])
    func unlisted(code: Int32) throws {
        try FileManager.default.removeItem(atPath: "\(directory.path)/entries-3/snapshot")
        let folder = try #require(directory.entryDirectories.first)
        fileSystem.fail([.list], wherePathHas: folder, with: code)
        let cache = directory.cache(fileSystem, clock: clock)
        #expect((1..<50).contains(cache.usage().count))
        fileSystem.allowAllPaths()
        #expect(cache.usage() == directory.usageOfFiles && cache.usage().count == 50)
    }

    @Test(
        "a directory in which this process changes an entry during a listing is listed again: another process may have changed the entry since"
    )
    func changedMeanwhile() throws {
        let cache = directory.openCache(fileSystem, clock: clock)
        let listing = HeldWork(at: [.write], wherePathHas: "/entries-3/owner", of: fileSystem) { _ = cache.usage() }
        try cache.store(.sample(), for: CacheKey("1"))
        let path = try #require(cache.cachePath(for: CacheKey("1")))
        try FileManager.default.removeItem(atPath: path)
        try dateBack(path.directoryName)
        listing.finish()
        #expect(cache.usage() == directory.usageOfFiles && cache.usage().count == 49)
    }

    @Test("a listing during which the whole directory is replaced is not published, and is repeated")
    func overtaken() throws {
        let cache = directory.openCache(fileSystem, clock: clock)
        let folder = try #require(cache.cachePath(for: CacheKey("1"))?.directoryName)
        try dateBack(folder, by: 60)
        let usage = Observed(DiskCacheUsage(count: -1, byteCount: 0))
        let listing = HeldWork(at: [.list], wherePathHas: folder, of: fileSystem) {
            usage.update { $0 = cache.usage() }
        }
        try FileManager.default.removeItem(atPath: "\(directory.path)/entries-3")
        try cache.store(.sample(), for: CacheKey("new"))
        listing.finish()
        #expect(usage.value == directory.usageOfFiles && usage.value.count == 1)
        #expect(cache.index.isOwner)
    }

    @Test("a snapshot that a crash left half written is removed after some minutes, and not before")
    func partialSnapshots() throws {
        let paths = (0..<2).map { _ in "\(directory.path)/entries-3/\(TemporaryName.make())" }
        for path in paths { try Data([1]).write(to: URL(filePath: path)) }
        try dateBack(paths[0])
        let cache = directory.openCache(clock: clock)
        #expect(paths.map(FileManager.default.fileExists) == [false, true])
        clock.advance(by: 3600)
        #expect(cache.usage() == directory.usageOfFiles)
        #expect(!FileManager.default.fileExists(atPath: paths[1]))
    }

    @Test("a read without a listing at work asks for none")
    func readWithoutListing() throws {
        let cache = directory.openCache(fileSystem, clock: clock)
        let count = fileSystem.count(of: .list)
        for number in [3, 7] {
            clock.advance(by: 10)
            _ = try cache.entry(for: CacheKey("\(number)"))
            cache.saveAccessTimes()
        }
        #expect(fileSystem.count(of: .list) == count)
    }

    @Test(
        "DSK-4 C11 a read is written to its file once, and counts for that file only, before a listing as well as during it"
    )
    func usesOnce() throws {
        let cache = directory.openCache(fileSystem, clock: clock)
        clock.advance(by: 3600)
        _ = try cache.entry(for: CacheKey("3"))
        let listing = HeldWork(at: [.write], wherePathHas: "/entries-3/owner", of: fileSystem) { _ = cache.usage() }
        _ = try cache.entry(for: CacheKey("7"))
        listing.finish()
        let now = IndexDate(FileTime(clock.now))
        #expect(cache.index[name(3)]?.used == now && cache.index[name(7)]?.used == now)
        for _ in 0..<2 { cache.saveAccessTimes() }
        let written = fileSystem.calls.filter { $0.operation == .setTimes }.map { String($0.path.suffix(32)) }
        #expect(Set(written) == [name(3).fileName, name(7).fileName] && written.count == 2)

        try closing(directory.cache(clock: clock)) { other in
            for number in [3, 7] { try other.store(.sample(count: 7), for: CacheKey("\(number)")) }
        }
        #expect(cache.usage() == directory.usageOfFiles)
        for number in [3, 7] { #expect(try #require(cache.index[name(number)]?.used) < now) }
    }

    enum Change: CaseIterable { case stored, removed, expired, damaged }

    /// Changes an entry without the knowledge of the cache.
    private func make(_ change: Change, in cache: DiskCache) throws -> CacheKey {
        let key = CacheKey(change == .stored ? "new" : "1")
        let path = try #require(cache.cachePath(for: key))
        switch change {
        case .stored: try closing(directory.cache(clock: clock)) { try $0.store(.sample(), for: key) }
        case .removed: try FileManager.default.removeItem(atPath: path)
        case .expired:
            try cache.store(DiskCacheEntry(data: Data([1]), expiresAt: clock.now + 1), for: key)
            clock.advance(by: 1)
        case .damaged: try Data([1]).write(to: URL(filePath: path))
        }
        return key
    }

    @Test("a read of an entry whose file has changed waits for no store", arguments: Change.allCases)
    func readDuringStore(change: Change) async throws {
        let cache = directory.openCache(fileSystem, clock: clock)
        let key = try make(change, in: cache)
        // Entries whose directories have the same remainder share a lock.
        let neighbor = try #require(
            (1000..<9000).first { name($0).directory % 64 == DiskEntryName(key).directory % 64 })
        let store = HeldWork(at: [.link], wherePathHas: "/entries-3/", of: fileSystem) {
            try? cache.store(.sample(), for: CacheKey("\(neighbor)"))
        }
        defer { store.finish() }
        let isFound = Observed<Bool?>(nil)
        Thread.detachNewThread {
            let entry = try? cache.entry(for: key)
            isFound.update { $0 = entry != nil }
        }
        #expect(try await isFound.wait { $0 != nil } == (change == .stored))
    }

    @Test("the next read of an entry whose file has changed notes the change", arguments: Change.allCases)
    func noted(change: Change) throws {
        let cache = directory.openCache(fileSystem, clock: clock)
        let key = try make(change, in: cache)
        #expect((cache.index[DiskEntryName(key)] == nil) == (change == .stored))
        #expect((try cache.entry(for: key) != nil) == (change == .stored))
        #expect((cache.index[DiskEntryName(key)] != nil) == (change == .stored))
        #expect(cache.index.usage == directory.usageOfFiles)
    }
}
