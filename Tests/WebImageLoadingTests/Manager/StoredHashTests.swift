import Foundation
import Testing
import WebImageCache
import WebImageCoders
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImagePixels
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// Hashes that are made where files are stored, and kept in their headers.
@Suite("Hashes of stored pictures", .timeLimit(.minutes(5)))
struct StoredHashTests {
    private let directory: CacheDirectory
    private let key = ManagerBench.key()
    private let photo = HashCoder()

    init() throws { directory = try CacheDirectory() }

    /// Decodes everything to one picture, since a hash of one colour would prove little.
    private struct HashCoder: ImageCoder {
        func canDecode(_ data: Data) -> Bool { true }
        func canDecode(_ format: ImageFormat) -> Bool { true }
        func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? { nil }
        func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
            do {
                return Image(bitmap: try HashPicture.bitmap(30, 20), decodeOptions: options)
            } catch {
                throw .cancelled()
            }
        }
        func canEncode(_ format: ImageFormat) -> Bool { true }
        func encode(
            _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
        ) throws(WebImageError) -> Data { Data("encoded".utf8) }
    }

    private var expected: ThumbHash {
        get throws { try ThumbHash(of: HashPicture.bitmap(30, 20)) }
    }

    private func bench(storesThumbHashes: Bool) -> ManagerBench {
        ManagerBench(cache: SuspendedCache(storesThumbHashes: storesThumbHashes), coder: photo)
    }

    @Test("a file gets the hash of its picture where the cache wants that, and else none", arguments: [true, false])
    func stored(isHashed: Bool) async throws {
        let bench = bench(storesThumbHashes: isHashed)
        _ = try await bench.load("a.jpg", .waitStoreCache, sending: Data("a".utf8)).get()
        let entry = try #require(bench.cache.disk[key])
        #expect(entry.data == Data("a".utf8))
        #expect(try entry.thumbHash == (isHashed ? expected : nil))
        #expect(entry.headers.keys.contains(":thumbhash") == isHashed)
    }

    @Test(
        "a thumbnail's file and its original have hashes; a page or a stretched picture does not tell that of the file")
    func derived() async throws {
        let bench = bench(storesThumbHashes: true)
        _ = try await bench.load("a.jpg", .waitStoreCache, sending: Data("a".utf8)) {
            $0.thumbnailPixelSize = .square(8)
        }.get()
        let thumbnail = key.thumbnail(.square(8), preservesAspectRatio: true)
        #expect(try bench.cache.disk[key]?.thumbHash == expected)
        #expect(try bench.cache.disk[thumbnail]?.thumbHash == expected)
        _ = try await bench.load("b.jpg", .waitStoreCache, sending: Data("b".utf8)) {
            $0.decodeOptions.thumbnailPixelSize = .square(8)
            $0.decodeOptions.preservesAspectRatio = false
        }.get()
        let original = try #require(bench.cache.disk[ManagerBench.key("b.jpg")])
        #expect(original.thumbHash == nil && original.data == Data("b".utf8))
    }

    @Test("in the real cache the hash is read without the file, also by the next process, and counts as no use")
    func onDisk() async throws {
        var config = ImageCacheConfig()
        config.storesThumbHashes = true
        let cache = ImageCache(directory: directory.path, config: config)
        let manager = WebImageManager(cache: cache, loader: SuspendedLoader(), coder: photo)
        let loader = try #require(manager.loader as? SuspendedLoader)
        let load = manager.observed(ImageRequest(try ManagerBench.url(), options: .waitStoreCache))
        try await loader.waitForLoads(1)[0].finish(Data(repeating: 7, count: 100_000))
        _ = try await load.result()
        let head = try #require(DiskCache(directory: directory.path).head(for: key))
        #expect(head.data.isEmpty)
        #expect(try head.thumbHash == expected)
        #expect(try cache.queryDiskBlocking(for: key)?.thumbHash == expected)
    }

    @Test("a head is that of the entry, and there is none for another key, after the expiry, or of a damaged file")
    func heads() throws {
        let clock = TestClock()
        let cache = directory.cache(clock: clock)
        var entry = DiskCacheEntry.sample(count: 50_000)
        entry.extendedData = Data("extended".utf8)
        entry.expiresAt = clock.now + 60
        entry.rights.credential = 9
        // Beyond the part of a file that is read at first.
        entry.headers["x-long"] = String(repeating: "x", count: 5000)
        entry.thumbHash = try expected
        try cache.store(entry, for: key)
        let head = try #require(cache.head(for: key))
        #expect(head.data.isEmpty && head.headers == entry.headers && head.extendedData == entry.extendedData)
        #expect(head.rights == entry.rights && head.thumbHash == entry.thumbHash && head.expiresAt == entry.expiresAt)
        #expect(cache.head(for: CacheKey("other")) == nil)
        clock.advance(by: 61)
        #expect(cache.head(for: key) == nil)
        entry.expiresAt = nil
        try cache.store(entry, for: key)
        #expect(cache.head(for: key) != nil)
        let file = URL(filePath: try directory.onlyFile)
        var bytes = try Data(contentsOf: file)
        bytes[200] ^= 1
        try bytes.write(to: file)
        #expect(cache.head(for: key) == nil)
    }

    @Test("a hash is found from the call of the store on, and not after a removal")
    func staged() async throws {
        var config = ImageCacheConfig()
        config.storesThumbHashes = true
        let cache = ImageCache(directory: directory.path, config: config)
        let image = Image(bitmap: try HashPicture.bitmap(30, 20))
        try await cache.store(ImageCacheRecord(key, image: image, data: Data("a".utf8)))
        #expect(try await cache.head(key)?.thumbHash == expected)
        // Of a file alone there are no pixels.
        try await cache.store(ImageCacheRecord(key, data: Data("b".utf8)))
        let bare = await cache.head(key)
        #expect(bare != nil && bare?.thumbHash == nil)
        cache.remove(for: key, from: .disk, completion: nil)
        #expect(await cache.head(key) == nil)
    }

    @Test("a file that is removed before its hash is made does not come back")
    func removedMeanwhile() async throws {
        var config = ImageCacheConfig()
        config.storesThumbHashes = true
        let cache = ImageCache(directory: directory.path, config: config)
        let queue = JobQueue.withOwnThreads(limit: 1)
        // Hashes are made at this priority, which does not delay decodes.
        let gate = DispatchSemaphore(value: 0)
        queue.submit(priority: .low) { gate.wait() }
        let loader = SuspendedLoader()
        let manager = WebImageManager(
            cache: cache, loader: loader, coder: photo, clock: ContinuousClock(), queue: queue)
        let load = manager.observed(ImageRequest(try ManagerBench.url()))
        try await loader.waitForLoads(1)[0].finish(Data("a".utf8))
        _ = try await load.result()
        cache.remove(for: key, from: .all, completion: nil)
        gate.signal()
        await withCheckedContinuation { continuation in
            queue.submit(priority: .low) { continuation.resume() }
        }
        await cache.flush()
        #expect(directory.files.isEmpty)
    }

    @Test("the hash stays when the server sends the same bytes, or says that the picture is current")
    func revalidated() async throws {
        let bench = bench(storesThumbHashes: true)
        let file = Data("a".utf8)
        func load(_ number: Int, _ field: String) async throws {
            bench.cache.clear(.memory, completion: nil)
            let load = try bench.load("a.jpg", .waitStoreCache) { $0.httpCachePolicy = .http }
            let response = HTTPResponse(
                url: try ManagerBench.url(), statusCode: 200, headers: ["cache-control": field])
            try await bench.transfer(number).finish(file, http: response)
            _ = try await load.result()
        }
        try await load(1, "max-age=0")
        try await load(2, "max-age=60")
        let entry = try #require(bench.cache.disk[key])
        #expect(try entry.headers["cache-control"] == "max-age=60" && entry.thumbHash == expected)
        let rules = HTTPCacheRules(headers: [":thumbhash": "x", "etag": "1"], storedAt: Date())
        #expect(rules.headers(updatedBy: ["etag": "2"]) == [":thumbhash": "x", "etag": "2"])
    }

    @Test("a picture that is not from HTTP is none because it has a hash: each refresh asks for it")
    func notHTTP() async throws {
        let bench = bench(storesThumbHashes: true)
        var entry = DiskCacheEntry(data: Data("a".utf8))
        entry.thumbHash = try expected
        bench.cache.put(entry, for: key)
        let load = try bench.load("a.jpg", .refreshCached)
        let transfer = try await bench.transfer()
        #expect(transfer.request.validators.isEmpty && load.words == ["cached disk 30x20"])
        transfer.finish(Data("a".utf8))
        #expect(try await load.result().cacheType == .disk)
    }

    @Test("the hash is one of the notes in the header fields, and goes with them")
    func entries() throws {
        var entry = DiskCacheEntry(data: Data(), headers: ["etag": "1"])
        #expect(entry.thumbHash == nil)
        entry.thumbHash = try expected
        #expect(try entry.headers == ["etag": "1", ":thumbhash": expected.base64])
        entry.thumbHash = nil
        #expect(entry.headers == ["etag": "1"])
    }
}

extension ImageCache {
    fileprivate func head(_ key: CacheKey) async -> DiskCacheEntry? {
        await withCheckedContinuation { continuation in queryHead(for: key) { continuation.resume(returning: $0) } }
    }
}
