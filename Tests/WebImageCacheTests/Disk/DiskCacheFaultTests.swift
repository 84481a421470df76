import Foundation
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageCache
@testable import WebImageTestDoubles

@Suite("Disk cache: a file system that fails")
struct DiskCacheFaultTests {
    private let directory: CacheDirectory
    private let key = CacheKey("https://example.org/a.jpg")

    init() throws { directory = try CacheDirectory() }

    private func play(in directory: CacheDirectory, _ fileSystem: FaultyFileSystem) {
        let clock = TestClock()
        closing(directory.cache(fileSystem, clock: clock) { $0.maxDiskCount = 3 }) { script($0, clock) }
    }

    /// Stores new entries, replaces and removes; each of the keys "0" to "4" has, at any moment, one of the sizes below
    /// or none.
    private func script(_ cache: DiskCache, _ clock: TestClock) {
        for number in 0..<5 { try? cache.store(.sample(count: 3000, seed: UInt8(number)), for: CacheKey("\(number)")) }
        for number in 0..<3 { try? cache.store(.sample(count: 500, seed: UInt8(number)), for: CacheKey("\(number)")) }
        try? cache.remove(for: CacheKey("0"))
        clock.advance(by: 3600)
        _ = try? cache.entry(for: CacheKey("1"))
        cache.saveAccessTimes()
        try? cache.removeExpired()
    }

    @Test(
        "DSK-5 killed at any call to the file system, every entry reads back whole or is absent",
        arguments: [true, false])
    func kill(hasUnnamedFiles: Bool) throws {
        func fileSystem() -> FaultyFileSystem {
            let fileSystem = FaultyFileSystem()
            if !hasUnnamedFiles { fileSystem.refuseUnnamedFiles() }
            return fileSystem
        }
        let counting = fileSystem()
        play(in: directory, counting)
        let total = counting.calls.count
        #expect(total > 50)

        for call in 1...total {
            let directory = try CacheDirectory()
            let dying = fileSystem()
            dying.kill(atCall: call)
            play(in: directory, dying)

            let survivor = directory.cache()
            // Counted before any read: a read of a file that the index does not know adds it to the index.
            let usage = survivor.usage()
            let present = (0..<5).filter { survivor.contains(CacheKey("\($0)")) }
            var found: [Int] = []
            for number in 0..<5 {
                guard let data = try survivor.entry(for: CacheKey("\(number)"))?.data else { continue }
                found.append(number)
                let versions = [3000, 500].map { DiskCacheEntry.sample(count: $0, seed: UInt8(number)).data }
                #expect(versions.contains(data), "entry \(number), killed at call \(call)")
            }
            #expect(usage.count == found.count && present == found, "killed at call \(call)")
            #expect(survivor.usage() == usage, "killed at call \(call)")
            #expect(survivor.usage() == directory.cache().usage())
            #expect(throws: Never.self) { try survivor.store(.sample(), for: key) }
        }
    }

    @Test(
        "CCF-7 while an entry is replaced, the old one is read whole; then the new one, and no other file is left",
        arguments: [true, false])
    func replaced(hasUnnamedFiles: Bool) throws {
        let fileSystem = FaultyFileSystem()
        if !hasUnnamedFiles { fileSystem.refuseUnnamedFiles() }
        let (writing, reading) = (directory.cache(fileSystem), directory.cache())
        let (old, new) = (DiskCacheEntry.sample(count: 3000, seed: 1), DiskCacheEntry.sample(count: 500, seed: 2))
        try writing.store(old, for: key)
        let store = HeldWork(at: [.link, .rename], wherePathHas: "/entries-3/", of: fileSystem) { [key] in
            try? writing.store(new, for: key)
        }
        #expect(try reading.entry(for: key)?.data == old.data)
        store.finish()
        #expect(try reading.entry(for: key)?.data == new.data)
        #expect(directory.files.count == 1)
    }

    @Test("an entry whose store succeeded before the kill is found afterwards")
    func storedIsThere() throws {
        let fileSystem = FaultyFileSystem()
        let cache = directory.cache(fileSystem)
        try cache.store(.sample(seed: 1), for: key)
        fileSystem.kill(atCall: 3)
        #expect(throws: WebImageError.self) { try cache.store(.sample(seed: 2), for: key) }
        #expect(try directory.cache().entry(for: key)?.data == DiskCacheEntry.sample(seed: 1).data)
    }

    @Test(
        "a disk that fills up in the middle of a write: a clear error, the old entry stays, no partial file is left",
        arguments: [true, false], [0, 1, 100, 900, 1100])
    func diskFull(hasUnnamedFiles: Bool, space: Int) throws {
        let fileSystem = FaultyFileSystem()
        if !hasUnnamedFiles { fileSystem.refuseUnnamedFiles() }
        let cache = directory.cache(fileSystem)
        let entry = DiskCacheEntry.sample(seed: 1)
        try cache.store(entry, for: key)
        let usage = cache.usage()
        fileSystem.limitSpace(to: space)
        let error = #expect(throws: WebImageError.self) { try cache.store(.sample(count: 2000, seed: 2), for: key) }
        #expect(error?.code == .diskFull && error?.stage == .store && error?.kind == .transient)
        #expect(error?.description.contains(String(cString: strerror(ENOSPC))) == true)
        #expect(throws: WebImageError.self) { try cache.store(.sample(count: 2000, seed: 2), for: CacheKey("new")) }
        #expect(directory.files.count == 1)
        #expect(entry.isSame(as: try cache.entry(for: key)))
        #expect(cache.usage() == usage)
        fileSystem.limitSpace(to: nil)
        try cache.store(.sample(seed: 3), for: key)
        #expect(try cache.entry(for: key)?.data == DiskCacheEntry.sample(seed: 3).data)
    }

    @Test(
        "a directory that cannot be written: each store reports it, the log once",
        arguments: [EACCES, EPERM, EROFS])
    func notWritable(code: Int32) throws {
        let fileSystem = FaultyFileSystem()
        fileSystem.fail(.create, with: code)
        let warnings = CollectedWarnings()
        let cache = directory.cache(fileSystem, warnings: warnings)
        for number in 0..<5 {
            let error = #expect(throws: WebImageError.self) { try cache.store(.sample(), for: CacheKey("\(number)")) }
            #expect(error?.code == .accessDenied && error?.kind == .permanent)
            #expect(error?.description.contains(directory.path) == true)
        }
        #expect(try cache.entry(for: key) == nil)
        #expect(warnings.all.count == 1)
        #expect(warnings.all.first?.contains(directory.path) == true)
    }

    @Test("a directory that cannot be created is one clear error")
    func cannotMakeDirectory() throws {
        try Data().write(to: URL(fileURLWithPath: "\(directory.path)/file"))
        let cache = DiskCache(directory: "\(directory.path)/file/cache", fileSystem: POSIXFileSystem(), warn: { _ in })
        let error = #expect(throws: WebImageError.self) { try cache.store(.sample(), for: key) }
        #expect(error?.code == .fileFailed && error?.kind == .permanent)
        #expect(cache.usage().count == 0)
        #expect(throws: WebImageError.self) { try cache.removeAll() }
    }

    @Test(
        "removing all reports the directories that cannot be listed because too many files are open",
        arguments: ["", "/"])
    func removingAllOutOfDescriptors(part: String) throws {
        try closing(directory.cache()) { cache in
            for number in 0..<10 { try cache.store(.sample(), for: CacheKey("\(number)")) }
        }
        let fileSystem = FaultyFileSystem()
        let cache = directory.cache(fileSystem)
        fileSystem.fail([.list], wherePathHas: "/entries-3\(part)", with: EMFILE)
        #expect(throws: WebImageError.self) { try cache.removeAll() }
        #expect(directory.files.count == 10)
        fileSystem.allowAllPaths()
        try cache.removeAll()
        #expect(directory.files.isEmpty)
    }

    @Test(
        "trimming and removing expired entries report that directories cannot be listed because too many files are open",
        arguments: ["", "/"])
    func evictingOutOfDescriptors(part: String) throws {
        try closing(directory.cache()) { cache in
            for number in 0..<10 { try cache.store(.sample(), for: CacheKey("\(number)")) }
        }
        let fileSystem = FaultyFileSystem()
        fileSystem.fail([.list], wherePathHas: "/entries-3\(part)", with: EMFILE)
        let cache = directory.cache(fileSystem)
        let trimming = #expect(throws: WebImageError.self) { try cache.trim(count: 5) }
        let expiring = #expect(throws: WebImageError.self) { try cache.removeExpired() }
        for error in [trimming, expiring] {
            #expect(error?.stage == .store && error?.kind == .transient)
            #expect(error?.description.contains("/entries-3") == true)
        }
        fileSystem.allowAllPaths()
        try cache.trim(count: 5)
        try cache.removeExpired()
        #expect(cache.usage().count == 5 && directory.files.count == 5)
    }

    @Test("an entry whose status cannot be read hides no other one: all others are counted and removed")
    func refusedStatus() throws {
        let keys = (0..<600).map { CacheKey("\($0)") }
        let refused = keys[0]
        let cache = directory.cache(RefusingStatus(name: DiskEntryName(refused).fileName))
        for key in keys { try cache.store(DiskCacheEntry(data: Data()), for: key) }
        #expect(cache.usage().count == 599)
        #expect(throws: WebImageError.self) { try cache.removeAll() }
        #expect(directory.files == [try #require(cache.cachePath(for: refused))])
    }

    @Test("a file that exists and cannot be read is an error, and stays")
    func unreadable() throws {
        let fileSystem = FaultyFileSystem()
        let cache = directory.cache(fileSystem)
        try cache.store(.sample(), for: key)
        fileSystem.fail(.read, with: EIO)
        let error = #expect(throws: WebImageError.self) { try cache.entry(for: key) }
        #expect(error?.code == .fileFailed && error?.stage == .disk && error?.kind == .transient)
        fileSystem.fail(.read, with: nil)
        #expect(try cache.entry(for: key) != nil)
    }

    @Test("without /proc, files get their names by renaming")
    func noProc() throws {
        let fileSystem = FaultyFileSystem()
        fileSystem.fail(.link, with: ENOENT)
        let cache = directory.cache(fileSystem)
        try cache.store(.sample(seed: 1), for: key)
        try cache.store(.sample(seed: 2), for: key)
        #expect(try cache.entry(for: key)?.data == DiskCacheEntry.sample(seed: 2).data)
        #expect(directory.files.count == 1)
    }

    @Test("a real device without space gives the error of a full disk")
    func devFull() throws {
        let descriptor = open("/dev/full", O_WRONLY)
        try #require(descriptor >= 0)
        let file = OpenFile(descriptor: descriptor, path: "/dev/full")
        let system = POSIXFileSystem()
        defer { system.close(file) }
        let error = #expect(throws: FileSystemError.self) { try system.write([Data([1]), Data([2])], to: file) }
        #expect(error?.webImageError(stage: .store).code == .diskFull)
    }

    @Test("entries that cannot be removed are reported, and all others are removed")
    func cannotRemove() throws {
        let fileSystem = FaultyFileSystem()
        let cache = directory.cache(fileSystem) { $0.maxDiskAge = .seconds(0) }
        for number in 0..<3 { try cache.store(.sample(), for: CacheKey("\(number)")) }
        fileSystem.fail(.remove, with: EACCES)
        #expect(throws: WebImageError.self) { try cache.removeExpired() }
        #expect(throws: WebImageError.self) { try cache.removeAll() }
        #expect(cache.usage().count == 3)
        fileSystem.fail(.remove, with: nil)
        try cache.removeExpired()
        #expect(cache.usage().count == 0 && directory.files.isEmpty)
    }

    @Test("expired entries that cannot be removed do not let the cache grow above its limits")
    func cannotRemoveOld() throws {
        let (fileSystem, clock) = (FaultyFileSystem(), TestClock())
        let cache = directory.cache(fileSystem, clock: clock) {
            $0.maxDiskAge = .seconds(100)
            $0.maxDiskCount = 10
        }
        try cache.store(.sample(), for: CacheKey("old"))
        let path = try #require(cache.cachePath(for: CacheKey("old")))
        fileSystem.fail([.remove], wherePathHas: path, with: EACCES)
        clock.advance(by: 101)
        for number in 0..<12 {
            clock.advance(by: 1)
            try cache.store(.sample(), for: CacheKey("\(number)"))
        }
        #expect(throws: WebImageError.self) { try cache.removeExpired() }
        #expect(cache.usage().count <= 6)
        #expect(cache.contains(CacheKey("old")) && cache.contains(CacheKey("11")))
    }

    @Test("removing many entries checks each directory once for successive entries")
    func removingMany() throws {
        let fileSystem = FaultyFileSystem()
        let cache = directory.cache(fileSystem)
        for number in 0..<500 { try cache.store(DiskCacheEntry(data: Data()), for: CacheKey("\(number)")) }
        _ = cache.usage()
        let (looks, writes) = (fileSystem.count(of: .status), fileSystem.count(of: .write))
        try cache.removeAll()
        #expect(cache.usage().count == 0 && directory.files.isEmpty)
        #expect(fileSystem.count(of: .status) - looks < 300 && fileSystem.count(of: .write) - writes < 20)
    }
}

/// A file system that refuses the status of one entry when it lists.
private struct RefusingStatus: ForwardingFileSystem {
    let base = POSIXFileSystem()
    let name: String

    func forEachItem(of directory: String, _ body: (RawSpan, FileStatus) -> Void) throws(FileSystemError) {
        var isFound = false
        try base.forEachItem(of: directory) { bytes, status in
            if bytes.text(in: 0..<bytes.byteCount) == name { isFound = true } else { body(bytes, status) }
        }
        if isFound { throw FileSystemError(.status, "\(directory)/\(name)", code: EACCES) }
    }
}
