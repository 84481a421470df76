import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: stores", .timeLimit(.minutes(5)))
struct StoreTests {
    private let bench = ManagerBench()
    private static let key = ManagerBench.key()
    private static let file = ScriptedCoder.file(40, 40)
    private static let thumbnailKey = key.thumbnail(.square(8), preservesAspectRatio: true)

    private static func thumbnail(_ context: inout WebImageContext) { context.thumbnailPixelSize = .square(8) }

    struct Tiers: Sendable {
        let store: ImageCacheType
        let memory: Int
        let disk: Int
    }

    @Test(
        "B3 CTX-18 a plain picture is stored in the tiers of its store type, and each file once",
        arguments: [
            Tiers(store: .all, memory: 1, disk: 1), Tiers(store: .memory, memory: 1, disk: 0),
            Tiers(store: .disk, memory: 0, disk: 1), Tiers(store: .noCache, memory: 0, disk: 0),
        ])
    func plain(tiers: Tiers) async throws {
        let serializer = ScriptedSerializer(nil)
        _ = try await bench.load("a.jpg", .waitStoreCache, sending: Self.file) { context in
            context.storeCacheType = tiers.store
            context.cacheSerializer = serializer
        }.get()
        #expect(bench.cache.memory.count == tiers.memory)
        #expect(bench.cache.stores.count == tiers.disk)
        #expect(serializer.calls.count == tiers.disk)
    }

    @Test("PIPE-11 two caches that are values both get the file")
    func valueCaches() async throws {
        struct Wrapped: ImageCaching {
            let cache: SuspendedCache
            func imageFromMemory(for key: CacheKey) -> Image? { nil }
            func storeInMemory(_ image: Image, for key: CacheKey) {}
            func queryDisk(
                for key: CacheKey, priority: LoadPriority,
                completion: @escaping @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void
            ) -> any CancellableTask { cache.queryDisk(for: key, priority: priority, completion: completion) }
            func queryDiskBlocking(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry? { nil }
            func storeOnDisk(
                _ entry: DiskCacheEntry, for key: CacheKey,
                completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
            ) { cache.storeOnDisk(entry, for: key, completion: completion) }
            func remove(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {}
            func clear(_ tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {}
        }
        let (pictures, originals) = (SuspendedCache(), SuspendedCache())
        _ = try await bench.load("a.jpg", .waitStoreCache, sending: Self.file) { context in
            context.cache = Wrapped(cache: pictures)
            context.originalCache = Wrapped(cache: originals)
        }.get()
        #expect(pictures.stores == [Self.key])
        #expect(originals.stores == [Self.key])
    }

    @Test(
        "CTX-27 PIPE-11 the original goes under the plain key, in the tiers of its own setting, as the serializer made it"
    )
    func original() async throws {
        let serializer = ScriptedSerializer(Data("serialized".utf8))
        _ = try await bench.load("a.jpg", .waitStoreCache, sending: Self.file) { context in
            context.transformer = ScriptedTransformer()
            context.storeCacheType = .memory
            context.originalStoreCacheType = .all
            context.cacheSerializer = serializer
        }.get()
        #expect(bench.cache.stores == [Self.key])
        #expect(bench.cache.disk[Self.key]?.data == Data("serialized".utf8))
        #expect(bench.cache.memory[Self.key]?.pixelSize == .square(40))
        #expect(bench.cache.memory[Self.key.transformed("Scripted")]?.pixelSize == .square(41))
        #expect(serializer.calls.map(\.original) == [Self.file])
    }

    @Test("PIPE-11 CUS-2 a serializer runs once for each file: for the original without a thumbnail's picture")
    func serializerOfThumbnails() async throws {
        let serializer = ScriptedSerializer(nil)
        _ = try await bench.load("a.jpg", .waitStoreCache, sending: Self.file) { context in
            Self.thumbnail(&context)
            context.cacheSerializer = serializer
        }.get()
        #expect(serializer.calls.count == 2)
        #expect(serializer.calls.contains { $0.size == nil && $0.original == Self.file })
        #expect(serializer.calls.contains { $0.size == .square(8) && $0.original == nil })
        #expect(bench.cache.disk[Self.key]?.data == Self.file)
        #expect(bench.cache.disk[Self.thumbnailKey]?.data == ScriptedCoder.file(8, 8))
    }

    @Test(
        "CTX-21 PIPE-5 PIPE-11 originals have a cache of their own, which is queried and filled in place of the other")
    func originalCache() async throws {
        let originals = SuspendedCache()
        let configure: (inout WebImageContext) -> Void = { context in
            Self.thumbnail(&context)
            context.originalCache = originals
        }
        _ = try await bench.load("a.jpg", .waitStoreCache, sending: Self.file, configure: configure).get()
        #expect(originals.disk.keys.map(\.string) == [Self.key.string])
        #expect(bench.cache.stores == [Self.thumbnailKey])
        bench.cache.clear(.all, completion: nil)
        let again = try bench.load(configure: configure)
        _ = try await again.result()
        #expect(again.words == ["disk 8x8"])
        #expect(bench.loader.loads.count == 1)
    }

    @Test("PIPE-12 A41 a derived picture is encoded by the load's coder, with the load's options")
    func encoding() async throws {
        let coder = ScriptedCoder()
        var small = ImageEncodeOptions()
        small.compressionQuality = 0.25
        for options in [nil, ImageEncodeOptions(), small] {
            _ = try await bench.load("a.jpg", [.waitStoreCache, .fromLoaderOnly], sending: Self.file) { context in
                Self.thumbnail(&context)
                context.coder = coder
                context.encodeOptions = options
            }.get()
        }
        #expect(coder.encodeOptions.map(\.compressionQuality) == [0.9, 0.9, 0.25])
        #expect(bench.cache.disk[Self.thumbnailKey]?.data == ScriptedCoder.file(8, 8))
    }

    @Test("A25 A23 a thumbnail that is made of an original on disk writes itself and leaves the original alone")
    func madeOfOriginal() async throws {
        bench.cache.put(Self.file, for: Self.key)
        let load = try bench.load("a.jpg", .waitStoreCache, configure: Self.thumbnail)
        _ = try await load.result()
        #expect(load.words == ["disk 8x8"])
        #expect(bench.cache.stores == [Self.thumbnailKey])
        #expect(bench.loader.loads.isEmpty)
    }

    @Test("a thumbnail that is made of an original on disk is as old as that")
    func ageOfThumbnail() async throws {
        let old = Date(timeIntervalSince1970: 1_000_000_000)
        bench.cache.put(DiskCacheEntry(data: Self.file, storedAt: old), for: Self.key)
        _ = try await bench.load("a.jpg", .waitStoreCache, configure: Self.thumbnail).result()
        #expect(bench.cache.disk[Self.thumbnailKey]?.createdAt == old)
    }

    @Test("A26 a thumbnail of an original on disk is in memory under its own key, never under the original's")
    func thumbnailKeyInMemory() async throws {
        bench.cache.put(Self.file, for: Self.key)
        _ = try await bench.load(configure: Self.thumbnail).result()
        #expect(bench.cache.memory.keys.map(\.string) == [Self.thumbnailKey.string])
        #expect(try await bench.load().result().image.pixelSize == .square(40))
    }

    @Test("A27 originals are looked up and stored on disk, unless the load says otherwise")
    func originalDefaults() async throws {
        bench.cache.storeInMemory(try .plain(40, 40), for: Self.key)
        let load = try bench.load("a.jpg", .waitStoreCache) { $0.transformer = ScriptedTransformer() }
        try await bench.transfer().finish(Self.file)
        #expect(try await load.result().cacheType == .noCache)
        #expect(bench.cache.disk[Self.key]?.data == Self.file)
        let none = try bench.load("b.jpg", .fromCacheOnly) { context in
            Self.thumbnail(&context)
            context.originalQueryCacheType = .noCache
        }
        #expect(none.failureCode == .notCached)
        #expect(bench.cache.queries.last == ManagerBench.key("b.jpg").thumbnail(.square(8), preservesAspectRatio: true))
    }

    @Test("CTX-19 an original that may come from memory only is not read from the disk")
    func originalFromMemoryOnly() throws {
        bench.cache.put(Self.file, for: Self.key)
        for thumbnail in [PixelSize.square(8), nil] {
            let load = try bench.load("a.jpg", .fromCacheOnly) { context in
                context.transformer = ScriptedTransformer()
                context.thumbnailPixelSize = thumbnail
                context.originalQueryCacheType = .memory
            }
            #expect(load.failureCode == .notCached)
        }
        #expect(!bench.cache.queries.contains(Self.key))
    }

    @Test("B4 an original from memory has no bytes: nothing is written over the file on disk")
    func originalFromMemory() async throws {
        bench.cache.put(Self.file, for: Self.key)
        bench.cache.storeInMemory(try .plain(40, 40), for: Self.key)
        let load = try bench.load("a.jpg", .waitStoreCache) { context in
            context.transformer = ScriptedTransformer()
            context.originalQueryCacheType = .all
            context.originalStoreCacheType = .all
        }
        let result = try await load.result()
        #expect(load.words == ["memory 41x41"])
        #expect(result.data == nil)
        #expect(bench.cache.stores == [Self.key.transformed("Scripted")])
        #expect(bench.cache.disk[Self.key]?.data == Self.file)
    }

    @Test("B41 a full picture in memory is not delivered as a thumbnail: the file is decoded to the size")
    func thumbnailBesideMemory() async throws {
        bench.cache.put(Self.file, for: Self.key)
        bench.cache.storeInMemory(try .plain(40, 40), for: Self.key)
        let load = try bench.load { context in
            Self.thumbnail(&context)
            context.originalQueryCacheType = .all
        }
        _ = try await load.result()
        #expect(load.words == ["disk 8x8"])
        #expect(bench.cache.memory[Self.thumbnailKey]?.pixelSize == .square(8))
        #expect(!bench.cache.stores.contains(Self.key))
    }

    @Test("A29 CTX-18 a picture stored on disk only is found there, and not put into memory")
    func diskOnly() async throws {
        _ = try await bench.load("a.jpg", .waitStoreCache, sending: Self.file) { $0.storeCacheType = .disk }.get()
        #expect(bench.cache.memory.isEmpty)
        for _ in 0..<2 {
            let load = try bench.load { $0.storeCacheType = .disk }
            #expect(try await load.result().cacheType == .disk)
            #expect(bench.cache.memory.isEmpty)
        }
    }

    @Test("A30 loads that wait for the same file decode it once, and one from the disk only makes its own picture")
    func decodedOnce() async throws {
        let (begun, mayDecode) = (Observed(0), Gate())
        let coder = ScriptedCoder { _ in
            begun.update { $0 += 1 }
            mayDecode.waitBlocking()
        }
        let bench = ManagerBench(cache: SuspendedCache(answersAtOnce: false), coder: coder)
        bench.cache.put(Self.file, for: Self.key)
        let loads = try (0..<5).map { _ in try bench.load { $0.goApart() } }
        let diskOnly = try bench.load { $0.queryCacheType = .disk }
        for _ in 0..<6 { bench.cache.answer() }
        // A load that began after the other had ended would find its picture in memory, and may use it.
        try await begun.wait { $0 == 2 }
        mayDecode.open()
        var images: Set<ObjectIdentifier> = []
        for load in loads { images.insert(ObjectIdentifier(try await load.result().image)) }
        let own = try await diskOnly.result()
        #expect(own.cacheType == .disk)
        #expect(images.count == 1)
        #expect(!images.contains(ObjectIdentifier(own.image)))
        #expect(coder.decodeCount == 2)
    }

    @Test("A30 a load from the disk only shares no transform with one that may find the picture in memory")
    func ownTransform() async throws {
        let held = HeldCoder()
        let bench = ManagerBench(cache: SuspendedCache(answersAtOnce: false), coder: held.coder)
        let transformer = ScriptedTransformer()
        bench.cache.put(Self.file, for: Self.key)
        let loads = try [ImageCacheType.all, .disk].map { tiers in
            try bench.load { context in
                context.transformer = transformer
                context.queryCacheType = tiers
            }
        }
        for _ in 0..<4 { bench.cache.answer() }
        let finished = try Image.plain(41, 41)
        bench.cache.storeInMemory(finished, for: Self.key.transformed("Scripted"))
        try await held.release()
        #expect(try await loads[1].result().image !== finished)
        _ = try await loads[0].result()
        #expect(held.coder.decodeCount == 1)
        #expect(transformer.count == 1)
    }

    @Test(
        "A30 PIPE-4 a load from the disk only is not answered by memory, and one from memory only not by the disk"
    )
    func oneTier() async throws {
        bench.cache.put(Self.file, for: Self.key)
        let memoryOnly = try bench.load("a.jpg", .fromCacheOnly) { $0.queryCacheType = .memory }
        #expect(memoryOnly.failureCode == .notCached)
        let first = try await bench.load().result().image
        let second = try await bench.load { $0.queryCacheType = .disk }.result()
        #expect(second.cacheType == .disk)
        #expect(second.image !== first)
    }

    @Test("B5 after a miss, the loader is the source of the result")
    func truthfulMiss() async throws {
        let result = try await bench.load("a.jpg", .queryMemoryData, sending: Self.file).get()
        #expect(result.cacheType == .noCache)
        #expect(result.data == Self.file)
    }

    @Test("B45 unusual pixels of a file are not taken for the usual ones")
    func variants() async throws {
        bench.cache.put(Self.file, for: Self.key)
        enum Mood: ImageDecodeOptions.Key { typealias Value = String }
        let variants: [@Sendable (inout WebImageContext) -> Void] = [
            { _ in }, { $0.scaleDownLimitBytes = 400 }, { $0.decodesToHDR = true },
            { $0.decodesToWideGamut = true },
            { $0.scaleFactor = 2 }, { $0.decodeOptions = .storedPixels },
            { $0.decodeOptions[Mood.self] = "gloomy" },
        ]
        for source in ["disk", "memory"] {
            for configure in variants {
                let load = try bench.load(configure: configure)
                _ = try await load.result()
                #expect(load.words == ["\(source) 40x40"])
            }
        }
    }
}
