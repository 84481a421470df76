import FoundationEssentials
import Glibc
import Testing
import WebImageCache
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Image cache: contents of the tiers", .timeLimit(.minutes(5)))
struct CacheContentsTests {
    private let directory: CacheDirectory
    private let bundle: CacheDirectory
    private let key = CacheKey("https://example.org/a.jpg")

    init() throws {
        directory = try CacheDirectory()
        bundle = try CacheDirectory()
    }

    private func cache(
        _ fileSystem: any FileSystem = POSIXFileSystem(), configure: (inout ImageCacheConfig) -> Void = { _ in }
    ) -> ImageCache {
        var config = ImageCacheConfig()
        configure(&config)
        return ImageCache(
            memoryCache: MemoryCache(), diskCache: directory.cache(fileSystem), config: config, readLimit: 4)
    }

    @Test("CAC-20 the tiers have SDWebImage's numbers, and are a set")
    func tiers() {
        #expect([ImageCacheType.noCache, .disk, .memory, .all].map(\.rawValue) == [0, 1, 2, 3])
        #expect(ImageCacheType.all == [.disk, .memory])
    }

    // MARK: Is it there?

    @Test("CAC-9 CAC-15 T4.53 a key is looked up by tier, blocking and not; memory comes before the disk")
    func contains() async throws {
        let cache = cache()
        #expect(await cache.contains(key) == .noCache)
        try await cache.store(.sample(), for: key)
        #expect(await cache.contains(key) == .disk)
        #expect(await cache.contains(key, in: .memory) == .noCache)
        #expect(cache.containsOnDiskBlocking(key) && !cache.containsInMemory(key))
        cache.storeInMemory(try .sample(), for: key)
        let found = Observed<[ImageCacheType]>([])
        cache.contains(key, in: .all) { tier in found.update { $0.append(tier) } }
        cache.contains(key, in: .noCache) { tier in found.update { $0.append(tier) } }
        // Neither has read the disk.
        #expect(found.value == [.memory, .noCache])
        #expect(await cache.contains(key, in: .disk) == .disk)
        #expect(cache.containsInMemory(key))
    }

    @Test("CAC-9 a key exists from the call of the store to the call of the removal, before the disk is ready")
    func staged() async throws {
        let gate = Gate()
        let fileSystem = FaultyFileSystem()
        let cache = cache(fileSystem)
        fileSystem.setGate { operation, _ in if operation == .create || operation == .remove { gate.waitBlocking() } }
        cache.storeOnDisk(.sample(), for: key, completion: nil)
        #expect(cache.containsOnDiskBlocking(key))
        cache.remove(for: key, from: .disk, completion: nil)
        #expect(!cache.containsOnDiskBlocking(key))
        gate.open()
        await cache.flush()
        #expect(await cache.contains(key) == .noCache)
    }

    @Test("complaint 5: a look-up of a key reads the beginning of one file, and nothing else")
    func oneFile() async throws {
        let fileSystem = FaultyFileSystem()
        let cache = cache(fileSystem)
        try await cache.store(.sample(), for: key)
        _ = await cache.usage()
        fileSystem.setGate { operation, path in
            if operation != .read && operation != .status { Issue.record("the disk was asked: \(operation) \(path)") }
        }
        #expect(cache.containsOnDiskBlocking(key))
        #expect(await cache.contains(key) == .disk)
        #expect(await cache.contains(CacheKey("other")) == .noCache)
        fileSystem.setGate { _, _ in }
    }

    @Test("T4.20 T4.21 CAC-14 an empty cache has no bytes; one store makes one entry")
    func usage() async throws {
        let cache = cache()
        #expect(await cache.usage() == DiskCacheUsage(count: 0, byteCount: 0))
        try await cache.store(.sample(count: 1000), for: key)
        let file = try Data(contentsOf: URL(filePath: try directory.onlyFile))
        #expect(await cache.usage() == DiskCacheUsage(count: 1, byteCount: file.count))
    }

    // MARK: Paths

    @Test("CAC-5 T4.31 T4.33 every key has a path, the same before and after its file is written")
    func path() async throws {
        let cache = cache()
        let path = try #require(cache.cachePath(for: key))
        #expect(path.hasPrefix(directory.path))
        try await cache.store(.sample(), for: key)
        #expect(try directory.onlyFile == path)
        #expect(cache.cachePath(for: CacheKey("../../etc/passwd"))?.hasPrefix(directory.path) == true)
    }

    @Test("T4.32 a tier without files has no paths")
    func noPath() {
        let cache = ImageCache(memoryCache: MemoryCache(), diskCache: DictionaryDisk())
        #expect(cache.cachePath(for: key) == nil)
    }

    // MARK: Files of the app

    @Test("CAC-4 another cache's directory is read where the disk has no entry, and never written")
    func additionalDirectory() async throws {
        try bundle.cache().store(.sample(seed: 1), for: key)
        let before = bundle.files
        let cache = cache { $0.additionalDirectories = ["/nonexistent", bundle.path] }
        #expect(try await cache.data(for: key) == DiskCacheEntry.sample(seed: 1).data)
        #expect(cache.containsOnDiskBlocking(key))
        #expect(directory.files.isEmpty)
        try await cache.store(.sample(seed: 2), for: key)
        #expect(try await cache.data(for: key) == DiskCacheEntry.sample(seed: 2).data)
        await cache.clear()
        #expect(try await cache.data(for: key) == DiskCacheEntry.sample(seed: 1).data)
        #expect(bundle.files == before)
    }

    @Test("CAC-4 a path for a key leads to a picture's own file, also through links; it comes last")
    func additionalPath() async throws {
        let photo = Fixtures.path("photo.jpg")
        let link = "\(bundle.path)/link.jpg"
        #expect(symlink(photo, link) == 0)
        let cache = cache { $0.additionalCachePath = { $0.string.hasSuffix("a.jpg") ? link : "/nonexistent" } }
        let result = try #require(try await cache.queryImage(for: key))
        #expect(result.cacheType == .disk)
        #expect(result.data == (try Fixtures.data("photo.jpg")))
        #expect(await cache.contains(key, in: .disk) == .disk)
        #expect(try await cache.queryImage(for: CacheKey("b.jpg")) == nil)
        #expect(await cache.contains(CacheKey("b.jpg")) == .noCache)
        #expect(directory.files.isEmpty)
    }

    @Test("CAC-4 the cache's own disk comes before a path for the same key, which is not requested then")
    func ownFileFirst() async throws {
        let asked = Observed(0)
        let photo = Fixtures.path("photo.jpg")
        let cache = cache {
            $0.additionalCachePath = { _ in
                asked.update { $0 += 1 }
                return photo
            }
        }
        try await cache.store(.sample(seed: 2), for: key)
        await cache.flush()
        #expect(try await cache.data(for: key) == DiskCacheEntry.sample(seed: 2).data)
        #expect(cache.containsOnDiskBlocking(key))
        #expect(asked.value == 0)
        try cache.removeFromDiskBlocking(for: key)
        #expect(try await cache.data(for: key) == (try Fixtures.data("photo.jpg")))
        #expect(asked.value > 0)
    }

    @Test("CAC-4 directories, damaged entries and those of another key count as nothing")
    func additionalNonsense() async throws {
        try bundle.cache().store(.sample(), for: key)
        let file = try bundle.onlyFile
        var bytes = try Data(contentsOf: URL(filePath: file))
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(filePath: file))
        let cache = cache {
            $0.additionalDirectories = [bundle.path]
            $0.additionalCachePath = { _ in "/" }
        }
        #expect(try await cache.data(for: key) == nil)
        #expect(cache.containsOnDiskBlocking(key), "its beginning is whole, and the look-up does not read the rest")
        // The cache must not remove another owner's file, whose index may be written meanwhile.
        #expect(bundle.files.contains(file))
    }

    @Test("CAC-4 a link in an additional directory is not followed", arguments: PlantedLink.allCases)
    func additionalLink(_ planted: PlantedLink) async throws {
        try bundle.cache().store(.sample(), for: key)
        #expect(try await bundleData() != nil)
        let outside = try CacheDirectory()
        let path = planted.path(from: try bundle.onlyFile)
        let target = "\(outside.path)/target"
        try #require(rename(path, target) == 0)
        try #require(symlink(target, path) == 0)
        #expect(try await bundleData() == nil)
        #expect(!outside.files.isEmpty)
    }

    /// The data of the key in the additional directory, for a cache that has never looked there; nil if it finds none.
    private func bundleData() async throws -> Data? {
        let cache = cache { $0.additionalDirectories = [bundle.path] }
        let data = try await cache.data(for: key)
        #expect(cache.containsOnDiskBlocking(key) == (data != nil))
        return data
    }

    // MARK: Makings

    @Test(
        "CAC-1 CCF-9 CCF-11 by default the number is not limited, and the sizes are; a cache copies its settings")
    func settings() async throws {
        var config = ImageCacheConfig()
        #expect(config.maxDiskSize == 4 << 30 && config.maxDiskEntrySize == 64 << 20)
        #expect(config.maxDiskCount == nil && config.maxMemoryCount == nil)
        let cache = ImageCache(directory: directory.path, config: config)
        config.maxDiskCount = 1
        #expect(cache.config.maxDiskCount == nil)
        for number in 0..<5 { try await cache.store(.sample(count: 10_000), for: CacheKey("\(number)")) }
        try await cache.removeExpired()
        #expect(await cache.usage().count == 5)
    }

    @Test("MEM-6 CCF-8 CCF-9 CCF-10 CCF-11 limits can be changed while the cache is used: an eviction follows")
    func liveLimits() async throws {
        var config = ImageCacheConfig()
        config.maxMemoryCost = nil
        let cache = ImageCache(directory: directory.path, config: config)
        for number in 0..<10 {
            cache.storeInMemory(try .sample(width: 10), for: CacheKey("\(number)"))
            try await cache.store(.sample(count: 10_000), for: CacheKey("\(number)"))
        }
        let memory = try #require(cache.memoryCache as? MemoryCache)
        cache.config.maxMemoryCount = 4
        #expect(memory.statistics.count == 4)
        cache.config.maxMemoryCost = 50
        #expect(memory.statistics.byteCount <= 50 && memory.costLimit == 50 && memory.countLimit == 4)
        #expect(await cache.usage().count == 10)
        cache.config.maxDiskCount = 9
        // The change has queued the eviction; this call runs after it on the same queue.
        #expect(await cache.usage().count == 4)
        cache.config.maxDiskSize = 3 * 12288
        #expect(await cache.usage().count == 1)
        cache.config.maxDiskAge = .zero
        #expect(await cache.usage().count == 0 && directory.files.isEmpty)
        cache.config.maxDiskAge = nil
        try await cache.store(.sample(), for: key)
        #expect(await cache.usage().count == 1)
    }

    @Test("a change of one tier's limits leaves those of the other alone, and both where the app does not evict")
    func unchangedLimits() async throws {
        let memory = MemoryCache(costLimit: 1000)
        let disk = directory.cache()
        let cache = ImageCache(memoryCache: memory, diskCache: disk)
        for number in 0..<3 { try await cache.store(.sample(), for: CacheKey("\(number)")) }
        cache.config.maxDiskCount = 1
        #expect(memory.costLimit == 1000)
        #expect(await cache.usage().count == 3)
        try await cache.removeExpired()
        #expect(await cache.usage().count == 1)
        cache.config.shouldCacheImagesInMemory = false
        cache.storeInMemory(try .sample(), for: key)
        #expect(!cache.containsInMemory(key) && memory.costLimit == 1000)
    }

    @Test("CAC-1 T4.03 caches of other names are separate; a name leads nowhere else")
    func namespaces() async throws {
        let avatars = ImageCache(namespace: "avatars", directory: directory.path)
        let photos = ImageCache(namespace: "photos", directory: directory.path)
        try await avatars.store(.sample(), for: key)
        #expect(try await photos.entry(for: key) == nil)
        #expect(avatars.cachePath(for: key)?.hasPrefix("\(directory.path)/avatars/") == true)
        let names = ["", ".", "..", "../../x", "a/b", "%2F", "\0"]
        let paths = names.map { ImageCache(namespace: $0, directory: directory.path).cachePath(for: key) ?? "" }
        #expect(Set(paths).count == names.count)
        let depth = directory.path.split(separator: "/").count + 4
        for path in paths {
            let parts = path.split(separator: "/")
            #expect(parts.count == depth && !parts.contains("..") && !parts.contains(".") && !path.contains("\0"))
        }
    }

    @Test("CCF-15 CCF-16 S4-27 T4.42 T4.43 an app's own tiers replace the built-in ones, by the settings of a cache")
    func ownTiers() async throws {
        var config = ImageCacheConfig()
        config.maxMemoryCount = 3
        config.makeMemoryCache = { MemoryCache(costLimit: nil, countLimit: $0.maxMemoryCount.map { $0 * 2 }) }
        config.makeDiskCache = { directory, _ in DictionaryDisk(directory) }
        let cache = ImageCache(directory: "/nonexistent/own", config: config)
        #expect((cache.memoryCache as? MemoryCache)?.countLimit == 6)
        #expect((cache.diskCache as? DictionaryDisk)?.directory == "/nonexistent/own")
        #expect(cache.config.maxMemoryCount == 3)
        try await cache.store(.sample(), for: key)
        #expect(try await cache.entry(for: key) != nil)
        #expect(await cache.usage().count == 1)
        await cache.clear()
        #expect(await cache.contains(key) == .noCache)
    }

    @Test("CCF-13 T4.41 the file system of a disk tier creates its directories, and its own error is reported")
    func ownFileSystem() async throws {
        let fileSystem = FaultyFileSystem()
        fileSystem.fail(.makeDirectory, with: EROFS)
        let cache = cache(fileSystem)
        let error = await #expect(throws: WebImageError.self) { try await cache.store(.sample(), for: key) }
        #expect(error?.stage == .store)
        #expect(directory.files.isEmpty)
    }

    @Test("CAC-13 CAC-14 expired entries are removed, and entries counted, with callbacks")
    func callbacks() async throws {
        let cache = cache()
        try await cache.store(.sample(), for: key)
        let words = Observed<[String]>([])
        cache.usage { usage in words.update { $0.append("\(usage.count)") } }
        try await words.wait { $0 == ["1"] }
        cache.removeExpired { result in words.update { $0.append((try? result.get()) == nil ? "failed" : "done") } }
        try await words.wait { $0 == ["1", "done"] }
    }
}

/// A link of an attacker in place of a part of an entry's path.
enum PlantedLink: CaseIterable {
    case file, folder, entries

    /// The path of that part, from the path of the entry's file.
    func path(from file: String) -> String {
        switch self {
        case .file: file
        case .folder: file.directoryName
        case .entries: file.directoryName.directoryName
        }
    }
}
