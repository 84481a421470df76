import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles

/// Stores whose encoder the test holds, and other operations meanwhile.
@Suite("Image cache: during an encode", .timeLimit(.minutes(5)))
struct CacheEncodingTests {
    private let directory: CacheDirectory
    private let cache: ImageCache
    private let key = CacheKey("https://example.org/a.jpg")
    private let isEncoding = Gate()
    private let mayEncode = Gate()
    private let coder: ScriptedCoder
    private let outcome = Observed<[String]>([])

    init() throws {
        directory = try CacheDirectory()
        cache = ImageCache(memoryCache: MemoryCache(), diskCache: directory.cache())
        coder = ScriptedCoder(willEncode: { [isEncoding, mayEncode] in
            isEncoding.open()
            mayEncode.waitBlocking()
        })
    }

    /// Stores a picture whose encoder has begun, and waits for ``mayEncode``.
    private func beginStore() async throws {
        cache.store(try .plain(4, 4), for: key, context: .coder(coder), cacheType: .disk) { [outcome] result in
            outcome.update { $0.append((try? result.get()) == nil ? "failed" : "stored") }
        }
        try await isEncoding.wait()
    }

    private func finish() async throws -> Data? {
        mayEncode.open()
        try await outcome.wait { !$0.isEmpty }
        await cache.flush()
        #expect(outcome.value == ["stored"])
        return try directory.cache().entry(for: key)?.data
    }

    @Test("CAC-7 other files are written meanwhile: an encoder blocks no write")
    func othersGoOn() async throws {
        try await beginStore()
        try await cache.store(.sample(), for: CacheKey("other"))
        #expect(directory.files.count == 1)
        #expect(outcome.value.isEmpty)
        #expect(try await finish() == ScriptedCoder.file(4, 4))
    }

    @Test("CAC-7 A31 a removal during an encode wins")
    func removal() async throws {
        try await beginStore()
        await cache.remove(for: key)
        #expect(try await finish() == nil)
        #expect(try await cache.entry(for: key) == nil)
    }

    @Test("CAC-7 A31 a clearing during an encode wins")
    func clearing() async throws {
        try await beginStore()
        await cache.clear()
        #expect(try await finish() == nil)
    }

    @Test("CAC-7 A31 a newer file during an encode wins")
    func newerFile() async throws {
        try await beginStore()
        try await cache.store(.sample(seed: 7), for: key)
        #expect(try await finish() == DiskCacheEntry.sample(seed: 7).data)
    }

    @Test("CAC-7 A31 a removal on the calling thread during an encode wins")
    func blockingRemoval() async throws {
        try await beginStore()
        try cache.removeFromDiskBlocking(for: key)
        #expect(try await finish() == nil)
    }

    @Test("CAC-7 CAC-9 a picture exists during its encode, and flush waits for its file")
    func isThere() async throws {
        try await beginStore()
        #expect(cache.containsOnDiskBlocking(key))
        #expect(await cache.contains(key) == .disk)
        let isFlushed = Observed(false)
        let flush = Task { [cache] in
            await cache.flush()
            isFlushed.update { $0 = true }
        }
        // If the flush does not wait, later disk operations are queued behind it.
        try await cache.store(.sample(), for: CacheKey("other"))
        #expect(!isFlushed.value)
        #expect(try await finish() == ScriptedCoder.file(4, 4))
        await flush.value
        #expect(directory.files.count == 2)
    }

    @Test("CAC-7 A31 a query during an encode finds the picture's file")
    func query() async throws {
        try await beginStore()
        let cache = cache
        let key = key
        async let found = cache.data(for: key)
        mayEncode.open()
        #expect(try await found == ScriptedCoder.file(4, 4))
        #expect(try await finish() == ScriptedCoder.file(4, 4))
    }
}
