import Foundation
import Testing
import WebImageCache
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite(
    "Disk cache in trouble: pictures come from the network, and the log says why once", .timeLimit(.minutes(5)))
struct DiskCacheTroubleTests {
    private let directory: CacheDirectory
    private let warnings = CollectedWarnings()
    private let fileSystem = FaultyFileSystem()

    init() throws { directory = try CacheDirectory() }

    /// Loads `names` one after the other, each from the network.
    private func load(_ names: [String], by manager: WebImageManager, _ loader: SuspendedLoader) async throws {
        for (index, name) in names.enumerated() {
            let url = try ManagerBench.url(name)
            let load = manager.observed(ImageRequest(url, options: .waitStoreCache))
            try await loader.waitForLoads(index + 1)[index].finish(ScriptedCoder.file(2, 1))
            let result = try await load.result()
            #expect(result.cacheType == .noCache && result.image.bitmap.size == PixelSize(width: 2, height: 1))
        }
    }

    private func loadFromTheNetwork(_ names: [String], cache: DiskCache) async throws {
        let loader = SuspendedLoader()
        // No memory tier, so that each load reads the disk.
        let imageCache = ImageCache(
            memoryCache: MemoryCache(costLimit: 1, countLimit: 1), diskCache: cache, config: ImageCacheConfig())
        let manager = WebImageManager(
            cache: imageCache, loader: loader, coder: ScriptedCoder(), clock: ContinuousClock(),
            queue: .withOwnThreads())
        try await load(names, by: manager, loader)
    }

    @Test(
        "a disk that is full, read-only, forbidden, failing or out of descriptors when it is written",
        arguments: [ENOSPC, EROFS, EACCES, EIO, EMFILE], [FileSystemError.Operation.create, .write, .link])
    func writing(code: Int32, operation: FileSystemError.Operation) async throws {
        fileSystem.fail(operation, with: code)
        try await loadFromTheNetwork(["a", "b", "c"], cache: directory.cache(fileSystem, warnings: warnings))
        #expect(warnings.all.count == 1)
        #expect(warnings.all.first?.contains(String(systemError: code)) == true)
        #expect(directory.files.isEmpty)
    }

    @Test(
        "a disk that is forbidden, failing or out of descriptors when it is read",
        arguments: [EACCES, EIO, EMFILE])
    func reading(code: Int32) async throws {
        try closing(directory.cache()) { cache in
            for name in ["a", "b", "c"] { try cache.store(.sample(), for: ManagerBench.key(name)) }
        }
        fileSystem.fail(.read, with: code)
        try await loadFromTheNetwork(["a", "b", "c"], cache: directory.cache(fileSystem, warnings: warnings))
        #expect(warnings.all.count == 1)
        #expect(warnings.all.first?.contains(String(systemError: code)) == true)
    }

    @Test("one warning for each kind of trouble")
    func kinds() async throws {
        let cache = directory.cache(fileSystem, warnings: warnings)
        for code in [ENOSPC, EACCES, ENOSPC] {
            fileSystem.fail(.create, with: code)
            for number in 0..<3 { try? cache.store(.sample(), for: CacheKey("\(number)")) }
        }
        fileSystem.fail(.read, with: EIO)
        for _ in 0..<3 { _ = try? cache.entry(for: CacheKey("0")) }
        #expect(warnings.all.count == 3)
    }

    @Test(
        "a lock's file without permission: one warning says what, where and what to do; stores without permission warn, too",
        arguments: [EACCES, EPERM])
    func foreignLock(code: Int32) throws {
        try closing(directory.cache()) { try $0.store(.sample(), for: CacheKey("a")) }
        fileSystem.fail([.create], wherePathHas: "/entries-3/owner", with: code)
        let cache = directory.cache(fileSystem, warnings: warnings)
        for _ in 0..<2 { #expect(cache.usage().count == 1) }
        #expect(warnings.all.count == 1)
        let warning = try #require(warnings.all.first)
        for part in ["evicts nothing", "\(directory.path)/entries-3/owner", String(systemError: code), "remove"] {
            #expect(warning.contains(part))
        }
        fileSystem.fail(.create, with: code)
        for _ in 0..<2 { #expect(throws: WebImageError.self) { try cache.store(.sample(), for: CacheKey("b")) } }
        #expect(warnings.all.count == 2)
    }

    @Test("damage to the index is reported, also where the directories cannot be listed at once")
    func damagedAndShort() throws {
        try closing(directory.cache()) { cache in
            try cache.store(.sample(), for: CacheKey("a"))
            _ = cache.usage()
        }
        try Data([1]).write(to: URL(filePath: "\(directory.path)/entries-3/snapshot"))
        fileSystem.fail([.list], wherePathHas: "/entries-3", with: EMFILE)
        _ = directory.cache(fileSystem, warnings: warnings).usage()
        #expect(warnings.all.count == 1 && warnings.all.first?.contains("damaged") == true)
    }

    @Test("complaint 11: a file whose checksum does not match is removed, loaded again and reported once")
    func damaged() async throws {
        try closing(directory.cache()) { cache in
            for name in ["a", "b"] {
                try cache.store(DiskCacheEntry(data: ScriptedCoder.file(9, 9)), for: ManagerBench.key(name))
            }
        }
        for file in directory.files {
            let handle = try FileHandle(forUpdating: URL(filePath: file))
            try handle.seek(toOffset: try handle.seekToEnd() - 1)
            try handle.write(contentsOf: Data("8".utf8))
            try handle.close()
        }
        let cache = directory.cache(warnings: warnings)
        try await loadFromTheNetwork(["a", "b"], cache: cache)
        #expect(warnings.all.count == 1)
        for name in ["a", "b"] {
            #expect(try cache.entry(for: ManagerBench.key(name))?.data == ScriptedCoder.file(2, 1))
        }
    }

    @Test("a file of another version of the format is no entry; that is no trouble to report")
    func otherVersion() throws {
        let key = CacheKey("a")
        try closing(directory.cache()) { try $0.store(.sample(), for: key) }
        let file = URL(filePath: try directory.onlyFile)
        var bytes = try Data(contentsOf: file)
        bytes[8] = 1
        try bytes.write(to: file)
        let cache = directory.cache(warnings: warnings)
        #expect(try cache.entry(for: key) == nil)
        #expect(warnings.all.isEmpty && directory.files.isEmpty)
    }

    @Test("in place of a file a link, a pipe, a directory, a socket: no entry, no call blocks, loads continue")
    func otherThings() async throws {
        let outside = try CacheDirectory()
        try closing(outside.cache()) { cache in
            try cache.store(DiskCacheEntry(data: ScriptedCoder.file(9, 9)), for: ManagerBench.key("link"))
        }
        let cache = directory.cache(warnings: warnings)
        let names = ["link", "pipe", "directory"]
        for name in names { try cache.store(.sample(), for: ManagerBench.key(name)) }
        let paths = try names.map { try #require(cache.cachePath(for: ManagerBench.key($0))) }
        for path in paths { try FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createSymbolicLink(atPath: paths[0], withDestinationPath: try outside.onlyFile)
        try #require(mkfifo(paths[1], 0o600) == 0)
        try FileManager.default.createDirectory(atPath: paths[2] + "/inside", withIntermediateDirectories: true)
        try await loadFromTheNetwork(names, cache: cache)
        #expect(outside.files.count == 1)
        for name in names { #expect(try cache.entry(for: ManagerBench.key(name)) != nil) }
        #expect(cache.usage().count == 3 && directory.files.count == 3, "the names of entries are the cache's own")
        #expect(warnings.all.count == 1, "one of damage")
    }

    @Test("B39 extended data of more than 1 MiB are refused, and the old entry stays")
    func extendedData() throws {
        let cache = directory.cache(warnings: warnings)
        var entry = DiskCacheEntry.sample()
        entry.extendedData = Data(count: DiskCacheEntry.largestExtendedData)
        try cache.store(entry, for: CacheKey("a"))
        entry.extendedData = Data(count: DiskCacheEntry.largestExtendedData + 1)
        let error = #expect(throws: WebImageError.self) { try cache.store(entry, for: CacheKey("a")) }
        #expect(error?.code == .limitExceeded && error?.kind == .policy)
        #expect(try cache.entry(for: CacheKey("a"))?.extendedData?.count == DiskCacheEntry.largestExtendedData)
    }

    @Test("complaint 20: an entry counts as none from its expiry date on, in this process and the next")
    func expiry() throws {
        let clock = TestClock()
        let key = CacheKey("a")
        let cache = directory.cache(clock: clock) { $0.maxDiskAge = .seconds(-1) }
        try cache.store(DiskCacheEntry(data: Data([1]), expiresAt: clock.now + 100), for: key)
        try cache.store(DiskCacheEntry(data: Data([2])), for: CacheKey("b"))
        clock.advance(by: 99)
        #expect(try cache.entry(for: key) != nil)
        clock.advance(by: 2)
        #expect(try directory.cache(clock: clock).entry(for: key) == nil)
        #expect(try cache.entry(for: key) == nil && !cache.contains(key))
        #expect(try cache.entry(for: CacheKey("b")) != nil)
        #expect(directory.files.count == 1 && cache.usage().count == 1)
    }

    @Test("complaint 20: an expired entry is not found by a query that does not read it, whatever the index knows")
    func expiryUnread() async throws {
        let clock = TestClock()
        let cache = directory.cache(clock: clock)
        let (short, long) = (CacheKey("short"), CacheKey("long"))
        try cache.store(DiskCacheEntry(data: Data([1]), expiresAt: clock.now + 100), for: short)
        try cache.store(DiskCacheEntry(data: Data([2])), for: long)
        _ = cache.usage()
        #expect(cache.contains(short) && cache.contains(long))
        clock.advance(by: 100)
        for cache in [cache, directory.cache(clock: clock)] { #expect(!cache.contains(short) && cache.contains(long)) }
        #expect(directory.files.count == 2, "it was not read")
    }

    @Test(
        "complaint 20: an entry stored with a date in the past is not found, before it is written and after")
    func expiryStaged() async throws {
        let cache = ImageCache(memoryCache: MemoryCache(), diskCache: directory.cache())
        var record = ImageCacheRecord(CacheKey("a"), data: Data([1]), cacheType: .disk)
        record.expiresAt = Date() - 1
        cache.store(record, completion: nil)
        #expect(await cache.contains(record.key) == .noCache)
        await cache.flush()
        #expect(await cache.contains(record.key) == .noCache)
    }

    @Test("an entry keeps its date of creation when it is stored again after a read")
    func creation() throws {
        let cache = directory.cache()
        let createdAt = Date(timeIntervalSinceReferenceDate: 700_000_000)
        try cache.store(DiskCacheEntry(data: Data([1]), storedAt: createdAt), for: CacheKey("a"))
        var entry = try #require(try cache.entry(for: CacheKey("a")))
        entry.storedAt = createdAt + 1000
        entry.headers["etag"] = "\"2\""
        try cache.store(entry, for: CacheKey("a"))
        let again = try #require(try cache.entry(for: CacheKey("a")))
        #expect(again.createdAt == createdAt && again.storedAt == createdAt + 1000)
        #expect(again.headers == ["etag": "\"2\""])
    }
}
