import Foundation
import Synchronization
import Testing
import WebImageCache
import WebImageCore
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Image cache", .timeLimit(.minutes(5)))
struct ImageCacheTests {
    private let directory: CacheDirectory
    private let key = CacheKey("https://example.org/a.jpg")

    init() throws { directory = try CacheDirectory() }

    private func cache(
        _ fileSystem: any FileSystem = POSIXFileSystem(), readLimit: Int = 4,
        warnings: CollectedWarnings = CollectedWarnings(),
        config: ImageCacheConfig = ImageCacheConfig()
    ) -> ImageCache {
        ImageCache(
            memoryCache: MemoryCache(), diskCache: directory.cache(fileSystem, warnings: warnings), config: config,
            readLimit: readLimit)
    }

    @Test("T4.06 a picture stored in memory is there at once; bytes stored on disk, at the next query")
    func storeAndFind() async throws {
        let cache = cache()
        let image = try Image.sample(width: 3)
        cache.storeInMemory(image, for: key)
        #expect(cache.imageFromMemory(for: key) === image)
        #expect((cache.memoryCache as? MemoryCache)?.statistics.byteCount == 12)

        let entry = DiskCacheEntry.sample()
        cache.storeOnDisk(entry, for: key, completion: nil)
        #expect(entry.isSame(as: try await cache.entry(for: key)))
        await cache.flush()
        #expect(try directory.cache().entry(for: key)?.data == entry.data)
        #expect(try await cache.data(for: key) == entry.data)
        #expect(try await cache.data(for: "other") == nil)
        #expect(await cache.usage().count == 1)
    }

    @Test("CAC-3 a cache shows the settings of its creation, its tiers and the place of its files")
    func parts() throws {
        var config = ImageCacheConfig()
        config.maxDiskAge = .seconds(123)
        let cache = ImageCache(directory: directory.path, config: config)
        config.maxDiskAge = .seconds(5)
        let disk = try #require(cache.diskCache as? DiskCache)
        #expect(
            cache.config.maxDiskAge == .seconds(123) && disk.limits.age == .seconds(123)
                && disk.directory == directory.path)
        let image = try Image.sample()
        cache.memoryCache.store(image, for: key, cost: 4, expiresAfter: nil)
        #expect(cache.imageFromMemory(for: key) === image)
        try disk.store(.sample(), for: key)
        #expect(cache.containsOnDiskBlocking(key))
    }

    @Test("CCF-14 several entries are read at once", .timeLimit(.minutes(5)))
    func readers() async throws {
        let fileSystem = FaultyFileSystem()
        let cache = cache(fileSystem, readLimit: 3)
        let keys = (0..<5).map { CacheKey("\($0)") }
        for key in keys { try await cache.store(.sample(), for: key) }
        // Lets the index finish its initial work on the files.
        _ = await cache.usage()
        let (mayRead, reading, found) = (Gate(), Observed(0), Observed(0))
        fileSystem.setGate { operation, path in
            guard operation == .read, path.contains("/entries-3/") else { return }
            reading.update { $0 += 1 }
            mayRead.waitBlocking()
        }
        for key in keys {
            _ = cache.queryDisk(for: key, priority: .normal) { result in
                if case .success(_?) = result { found.update { $0 += 1 } }
            }
        }
        try await reading.wait { $0 == 3 }
        #expect(found.value == 0)
        mayRead.open()
        try await found.wait { $0 == 5 }
    }

    @Test("CCF-14 entries are written one at a time, in the order of the calls", .timeLimit(.minutes(5)))
    func writer() async throws {
        let (fileSystem, writing, most) = (FaultyFileSystem(), Observed(0), Observed(0))
        let paths = Observed<[String]>([])
        let cache = cache(fileSystem)
        fileSystem.setGate { operation, path in
            guard path.contains(/entries-3\/..(\/|$)/) else { return }
            if operation == .write {
                let count = writing.update { count in
                    count += 1
                    return count
                }
                most.update { $0 = max($0, count) }
            } else if operation == .link {
                writing.update { $0 -= 1 }
                paths.update { $0.append(path) }
            }
        }
        let keys = (0..<20).map { CacheKey("\($0)") }
        for key in keys { cache.storeOnDisk(.sample(), for: key, completion: nil) }
        await cache.flush()
        #expect(most.value == 1)
        #expect(paths.value == keys.map { cache.cachePath(for: $0) })
    }

    @Test("CCF-2 memory can be left out")
    func withoutMemory() throws {
        var config = ImageCacheConfig()
        config.shouldCacheImagesInMemory = false
        let cache = cache(config: config)
        cache.storeInMemory(try .sample(), for: key)
        #expect(cache.imageFromMemory(for: key) == nil)
    }

    @Test(
        "T4.04 T4.05 T4.54 clearing one tier leaves the other",
        arguments: [ImageCacheType.memory, .disk, .all, .noCache])
    func clear(tiers: ImageCacheType) async throws {
        let cache = cache()
        cache.storeInMemory(try .sample(), for: key)
        try await cache.store(.sample(), for: key)
        await cache.clear(tiers)
        #expect((cache.imageFromMemory(for: key) == nil) == tiers.contains(.memory))
        #expect((try await cache.entry(for: key) == nil) == tiers.contains(.disk))
        #expect(directory.files.count == (tiers.contains(.disk) ? 0 : 1))
    }

    @Test("T4.10 T4.11 T4.12 B29 removing is by tier", arguments: [ImageCacheType.memory, .disk, .all, .noCache])
    func remove(tiers: ImageCacheType) async throws {
        let cache = cache()
        cache.storeInMemory(try .sample(), for: key)
        try await cache.store(.sample(), for: key)
        await cache.remove(for: key, from: tiers)
        #expect((cache.imageFromMemory(for: key) == nil) == tiers.contains(.memory))
        #expect((try await cache.entry(for: key) == nil) == tiers.contains(.disk))
    }

    @Test("CAC-12 CAC-13 T4.55 removing from memory and emptying it end at once, whatever the disk is doing")
    func memoryAlone() throws {
        let gate = Gate()
        defer { gate.open() }
        let fileSystem = FaultyFileSystem()
        fileSystem.setGate { operation, _ in if operation == .create { gate.waitBlocking() } }
        let cache = cache(fileSystem)
        cache.storeInMemory(try .sample(), for: key)
        cache.storeOnDisk(.sample(), for: key, completion: nil)
        let ended = Mutex<[String]>([])
        cache.remove(for: key, from: .memory) { ended.withLock { $0.append("removed") } }
        cache.clear(.memory) { ended.withLock { $0.append("cleared") } }
        cache.clear(.noCache) { ended.withLock { $0.append("nothing") } }
        #expect(ended.withLock { $0 } == ["removed", "cleared", "nothing"])
        #expect(cache.imageFromMemory(for: key) == nil)
    }

    @Test("CAC-12 CAC-13 an entry that cannot be removed is found again, and one warning says why")
    func unremovable() async throws {
        let fileSystem = FaultyFileSystem()
        let warnings = CollectedWarnings()
        let cache = cache(fileSystem, warnings: warnings)
        try await cache.store(.sample(), for: key)
        // The index has finished its work, and has nothing to remove.
        _ = await cache.usage()
        fileSystem.fail(.remove, with: EROFS)
        await cache.remove(for: key, from: .disk)
        #expect(try await cache.entry(for: key) != nil)
        await cache.clear(.disk)
        #expect(try await cache.entry(for: key) != nil)
        #expect(warnings.all.count == 1)
        #expect(warnings.all.first?.contains("cannot be removed") == true)
        #expect(throws: WebImageError.self) { try cache.removeFromDiskBlocking(for: key) }
    }

    @Test("an expired file is not found while it waits to be written, either")
    func expiredAhead() async throws {
        let gate = Gate()
        defer { gate.open() }
        let fileSystem = FaultyFileSystem()
        fileSystem.setGate { operation, _ in if operation == .create { gate.waitBlocking() } }
        let cache = cache(fileSystem)
        let over = DiskCacheEntry(data: Data([1]), expiresAt: Date(timeIntervalSinceNow: -1))
        cache.storeOnDisk(over, for: key, completion: nil)
        #expect(try await cache.entry(for: key) == nil && !cache.containsOnDiskBlocking(key))
        let ahead = DiskCacheEntry(data: Data([2]), expiresAt: Date(timeIntervalSinceNow: 100))
        cache.storeOnDisk(ahead, for: key, completion: nil)
        #expect(try await cache.entry(for: key)?.data == Data([2]) && cache.containsOnDiskBlocking(key))
    }

    @Test("A31 a query after a store or a removal sees it while the disk is still held up")
    func stagedWrites() async throws {
        let gate = Gate()
        let fileSystem = FaultyFileSystem()
        let cache = cache(fileSystem)
        try await cache.store(.sample(seed: 1), for: key)
        fileSystem.setGate { operation, _ in if operation == .create || operation == .remove { gate.waitBlocking() } }

        cache.storeOnDisk(.sample(seed: 2), for: key, completion: nil)
        #expect(try await cache.data(for: key) == DiskCacheEntry.sample(seed: 2).data)
        cache.storeOnDisk(.sample(seed: 3), for: key, completion: nil)
        #expect(try await cache.data(for: key) == DiskCacheEntry.sample(seed: 3).data)
        cache.remove(for: key, from: .disk, completion: nil)
        #expect(try await cache.data(for: key) == nil)
        cache.storeOnDisk(.sample(seed: 4), for: CacheKey("other"), completion: nil)
        cache.clear(.disk, completion: nil)
        #expect(try await cache.data(for: "other") == nil)
        cache.storeOnDisk(.sample(seed: 5), for: key, completion: nil)
        #expect(try await cache.data(for: key) == DiskCacheEntry.sample(seed: 5).data)

        gate.open()
        await cache.flush()
        #expect(try await cache.data(for: key) == DiskCacheEntry.sample(seed: 5).data)
        #expect(try await cache.data(for: "other") == nil)
        #expect(directory.files.count == 1)
    }

    @Test("a cache directory that cannot be written: stores end with the error, one warning, queries find nothing")
    func unwritable() async throws {
        let fileSystem = FaultyFileSystem()
        fileSystem.fail(.create, with: EACCES)
        let warnings = CollectedWarnings()
        let cache = cache(fileSystem, warnings: warnings)
        for number in 0..<10 {
            let key = CacheKey("\(number)")
            let error = await #expect(throws: WebImageError.self) { try await cache.store(.sample(), for: key) }
            #expect(error?.code == .accessDenied)
            #expect(try await cache.entry(for: key) == nil)
        }
        #expect(warnings.all.count == 1)
    }

    @Test("CAC-13 removing expired entries goes through the facade, with its error")
    func removeExpired() async throws {
        let fileSystem = FaultyFileSystem()
        let disk = directory.cache(fileSystem) { $0.maxDiskAge = .seconds(0) }
        let cache = ImageCache(memoryCache: MemoryCache(), diskCache: disk)
        try await cache.store(.sample(), for: key)
        fileSystem.fail(.remove, with: EACCES)
        await #expect(throws: WebImageError.self) { try await cache.removeExpired() }
        fileSystem.fail(.remove, with: nil)
        try await cache.removeExpired()
        #expect(await cache.usage() == DiskCacheUsage(count: 0, byteCount: 0))
    }

    @Test(
        "T4.01 T4.02 CAC-2 the shared cache is one, in a directory of the program's own in the user's cache directory")
    func defaultDirectory() {
        #expect(ImageCache.shared === ImageCache.shared)
        func path(_ environment: [String: String]) -> String {
            ImageCache.defaultDirectory(program: "org.example.Shop") { environment[$0] }
        }
        #expect(path(["XDG_CACHE_HOME": "/x/c", "HOME": "/h"]) == "/x/c/org.example.Shop/webimage")
        #expect(path(["XDG_CACHE_HOME": "relative", "HOME": "/h"]) == "/h/.cache/org.example.Shop/webimage")
        #expect(path(["XDG_CACHE_HOME": "", "HOME": "/h/"]) == "/h/.cache/org.example.Shop/webimage")
        #expect(ImageCache.defaultDirectory(program: "a/..") { _ in "/x" } == "/x/a%2F../webimage")
        #expect(path([:]).hasSuffix("/.cache/org.example.Shop/webimage") && path([:]).hasPrefix("/"))
    }
}
