import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageLoading
import WebImagePixels
import WebImageTesting

@testable import WebImageCache
@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// A picture's thumbnails and transformed pictures live as long as the file that they were made of.
@Suite("Manager: what was made from a picture ends with its file", .timeLimit(.minutes(5)))
struct PictureFamilyTests {
    private let directory: CacheDirectory
    private let url: URL

    /// One program that uses the cache's directory.
    private struct Process {
        let cache: ImageCache
        let loader = SuspendedLoader()
        let manager: WebImageManager

        init(_ directory: CacheDirectory) {
            cache = ImageCache(directory: directory.path)
            manager = WebImageManager(
                cache: cache, loader: loader, coder: ImageCodersManager.shared, clock: ContinuousClock(),
                queue: .withOwnThreads())
        }
    }

    init() throws {
        directory = try CacheDirectory()
        url = try ManagerBench.url("photo.jpg")
    }

    private static let new = "photo-small.png"

    private func small(_ side: Int, _ configure: (inout WebImageContext) -> Void = { _ in }) -> WebImageContext {
        var context = WebImageContext()
        context.thumbnailPixelSize = .square(side)
        configure(&context)
        return context
    }

    private var turned: WebImageContext {
        var context = WebImageContext()
        context.transformer = ImageFlippingTransformer(horizontal: true, vertical: false)
        return context
    }

    /// Loads the picture; a request that comes to the loader is answered with `file`.
    private func load(
        _ process: Process, _ context: WebImageContext = WebImageContext(), _ options: WebImageOptions = [],
        from file: String? = nil
    ) async throws -> LoadResult {
        let next = process.loader.loads.count + 1
        let load = process.manager.observed(
            ImageRequest(url, options: options.union(.waitStoreCache), context: context))
        if let file { try await process.loader.waitForLoads(next)[next - 1].finish(try Fixtures.data(file)) }
        return try await load.result()
    }

    /// The picture in all sizes and forms, on the disk and in memory.
    private func fill(_ process: Process) async throws {
        _ = try await load(process, from: "photo.jpg")
        for context in [small(20), small(30), turned] { _ = try await load(process, context) }
        await process.cache.flush()
        #expect(directory.files.count == 4)
    }

    private func isThere(_ process: Process, _ context: WebImageContext) async -> ImageCacheType {
        let key = process.manager.cacheKey(for: url, context: context)
        return await withCheckedContinuation { continuation in
            process.cache.contains(key, in: .all) { continuation.resume(returning: $0) }
        }
    }

    @Test("a removed picture takes its thumbnails and its transformed pictures along, in memory and on the disk")
    func removal() async throws {
        let process = Process(directory)
        try await fill(process)
        await process.cache.remove(for: process.manager.cacheKey(for: url))
        for context in [WebImageContext(), small(20), small(30), turned] {
            #expect(await isThere(process, context) == .noCache)
        }
        #expect(directory.files.isEmpty)
    }

    @Test("they are gone for queries before the disk has removed them")
    func removalUnderWay() async throws {
        let process = Process(directory)
        try await fill(process)
        let key = process.manager.cacheKey(for: url, context: small(20))
        process.cache.remove(for: process.manager.cacheKey(for: url), from: .all, completion: nil)
        #expect(try process.cache.queryDiskBlocking(for: key) == nil)
        #expect(!process.cache.containsOnDiskBlocking(key))
    }

    @Test("a picture that is removed alone leaves its thumbnails, and a thumbnail leaves its picture")
    func removalAlone() async throws {
        let process = Process(directory)
        try await fill(process)
        await process.cache.removeAlone(for: process.manager.cacheKey(for: url))
        #expect(await isThere(process, WebImageContext()) == .noCache)
        #expect(await isThere(process, small(20)) == .memory)
        await process.cache.remove(for: process.manager.cacheKey(for: url, context: small(20)))
        #expect(await isThere(process, small(20)) == .noCache)
        #expect(await isThere(process, small(30)) == .memory)
        await process.cache.clear(.memory)
        #expect(await isThere(process, small(30)) == .disk)
        #expect(directory.files.count == 2)
    }

    @Test("another process finds nothing of a removed picture either")
    func removalByOther() async throws {
        let (first, second) = (Process(directory), Process(directory))
        try await fill(first)
        await second.cache.remove(for: first.manager.cacheKey(for: url))
        await first.cache.clear(.memory)
        for context in [small(20), small(30), turned] { #expect(await isThere(first, context) == .noCache) }
    }

    @Test(
        "a new file of a picture ends all that was made from the old one",
        arguments: [WebImageOptions.refreshCached, .fromLoaderOnly])
    func newFile(_ options: WebImageOptions) async throws {
        let process = Process(directory)
        try await fill(process)
        let result = try await load(process, WebImageContext(), options, from: Self.new)
        #expect(result.data == (try Fixtures.data(Self.new)))
        await process.cache.flush()
        for context in [small(20), small(30), turned] { #expect(await isThere(process, context) == .noCache) }
        #expect(try await load(process, small(30)).image.source == FileFingerprint(try Fixtures.data(Self.new)))
    }

    @Test("a refreshed thumbnail ends the thumbnails of other sizes, also where the original is not stored")
    func newFileOfThumbnail() async throws {
        let process = Process(directory)
        let context = { side in small(side) { $0.originalStoreCacheType = .noCache } }
        for side in [20, 30] { _ = try await load(process, context(side), from: "photo.jpg") }
        _ = try await load(process, context(20), .fromLoaderOnly, from: Self.new)
        await process.cache.flush()
        #expect(await isThere(process, context(30)) == .noCache)
        #expect(await isThere(process, context(20)) == .memory)
        await process.cache.clear(.memory)
        #expect(await isThere(process, context(20)) == .disk)
    }

    @Test("a thumbnail of the old file that another process has written meanwhile is not shown")
    func lateThumbnail() async throws {
        let (first, second) = (Process(directory), Process(directory))
        try await fill(first)
        let key = first.manager.cacheKey(for: url, context: small(20))
        let old = try #require(try await first.cache.entry(for: key))
        _ = try await load(second, WebImageContext(), .fromLoaderOnly, from: Self.new)
        try await second.cache.store(old, for: key)
        await first.cache.clear(.memory)
        let result = try await load(first, small(20))
        #expect(result.image.source == FileFingerprint(try Fixtures.data(Self.new)))
    }

    @Test("with a picture of the new file, memory has none of the old one, whichever process has brought it")
    func newFileFromDisk() async throws {
        let (first, second) = (Process(directory), Process(directory))
        try await fill(first)
        _ = try await load(second, WebImageContext(), .fromLoaderOnly, from: Self.new)
        await second.cache.flush()
        _ = try await load(first, small(40))
        for context in [WebImageContext(), small(20), small(30), turned] {
            #expect(first.manager.imageFromMemory(for: url, context: context) == nil)
        }
    }

    @Test("thumbnails of the same file stay, however often it is loaded, and are used when the original is gone")
    func sameFile() async throws {
        let process = Process(directory)
        try await fill(process)
        _ = try await load(process, WebImageContext(), .fromLoaderOnly, from: "photo.jpg")
        await process.cache.flush()
        for context in [small(20), small(30), turned] { #expect(await isThere(process, context) == .memory) }
        await process.cache.removeAlone(for: process.manager.cacheKey(for: url))
        await process.cache.clear(.memory)
        #expect(try await load(process, small(20)).cacheType == .disk)
        #expect(process.loader.loads.count == 2)
    }

    @Test("a query by the key of a thumbnail leaves the others in memory")
    func queryOfThumbnail() async throws {
        let process = Process(directory)
        try await fill(process)
        process.cache.removeAlone(
            for: process.manager.cacheKey(for: url, context: small(30)), from: .memory, completion: nil)
        let key = process.manager.cacheKey(for: url, context: small(30))
        #expect(try await process.cache.queryImage(for: key)?.cacheType == .disk)
        for context in [WebImageContext(), small(20), small(30), turned] {
            #expect(await isThere(process, context) == .memory)
        }
    }

    @Test("a refreshed thumbnail ends the old original, also where the new one is not stored")
    func newFileOfThumbnailWithOriginal() async throws {
        let process = Process(directory)
        try await fill(process)
        _ = try await load(process, small(20) { $0.originalStoreCacheType = .noCache }, .fromLoaderOnly, from: Self.new)
        await process.cache.flush()
        for context in [WebImageContext(), small(30), turned] { #expect(await isThere(process, context) == .noCache) }
        await process.cache.clear(.memory)
        let again = try await load(process, small(20))
        let source = FileFingerprint(try Fixtures.data(Self.new))
        #expect(again.cacheType == .disk && again.image.source == source)
    }

    @Test(
        "a new file ends the old thumbnails where no original is kept, or nothing is written, by default",
        arguments: [true, false])
    func newFileWithoutOriginals(isWritten: Bool) async throws {
        let process = Process(directory)
        let context = { (side: Int, isWritten: Bool) in
            small(side) {
                $0.originalStoreCacheType = .noCache
                if !isWritten { $0.storeCacheType = .memory }
            }
        }
        _ = try await load(process, context(20, true), from: "photo.jpg")
        _ = try await load(process, context(30, isWritten), from: Self.new)
        await process.cache.flush()
        #expect(await isThere(process, context(20, true)) == .noCache)
        #expect(await isThere(process, context(30, true)) == .memory)
    }

    @Test(
        "a picture that the app stores ends what was made from the former one, in memory too", arguments: [0, 1, 2, 3])
    func storedByApp(way: Int) async throws {
        let process = Process(directory)
        try await fill(process)
        let key = process.manager.cacheKey(for: url)
        let file = try Fixtures.data(Self.new)
        let image = try ImageCodersManager.shared.decode(file, options: ImageDecodeOptions())
        switch way {
        case 0: process.cache.store(image, data: file, for: key, cacheType: .all)
        case 1: try await process.cache.store(ImageCacheRecord(key, data: file))
        case 2: try process.cache.storeOnDiskBlocking(DiskCacheEntry(data: file), for: key)
        default: process.cache.store(image, for: key)
        }
        for context in [small(20), small(30), turned] {
            #expect(process.manager.imageFromMemory(for: url, context: context) == nil)
            let thumbnail = process.manager.cacheKey(for: url, context: context)
            #expect(try process.cache.queryDiskBlocking(for: thumbnail) == nil)
        }
        await process.cache.flush()
        await process.cache.removeAlone(for: key)
        for context in [small(20), small(30), turned] { #expect(await isThere(process, context) == .noCache) }
    }

    @Test("where the app writes originals in its own way, thumbnails belong to the server's file")
    func serialized() async throws {
        struct Shorter: CacheSerializer {
            func data(for image: Image?, originalData data: Data?, url: URL) -> Data? {
                data.flatMap { _ in try? Fixtures.data("photo-small.png") }
            }
        }
        let process = Process(directory)
        let context = { small($0) { $0.cacheSerializer = Shorter() } }
        _ = try await load(process, context(20), from: "photo.jpg")
        await process.cache.flush()
        await process.cache.clear(.memory)
        #expect(await isThere(process, context(20)) == .disk)
        _ = try await load(process, context(30))
        _ = try await load(process, context(20))
        for side in [20, 30] { #expect(await isThere(process, context(side)) == .memory) }
        _ = try await load(process, context(20), .fromLoaderOnly, from: "photo.jpg")
        await process.cache.flush()
        for side in [20, 30] { #expect(await isThere(process, context(side)) == .memory) }
    }

    @Test("a shipped thumbnail of another file than the cache's original is not shown")
    func shipped() async throws {
        let shipped = try CacheDirectory()
        let (key, thumbnail) = (CacheKey("a.jpg"), CacheKey("a.jpg").thumbnail(.square(8), preservesAspectRatio: true))
        let other = ImageCache(directory: shipped.path)
        var old = DiskCacheEntry(data: Data("old thumbnail".utf8))
        old.headers = [":original": FileFingerprint(Data("old".utf8)).text]
        try await other.store(old, for: thumbnail)
        var config = ImageCacheConfig()
        config.additionalDirectories = [shipped.path]
        let cache = ImageCache(directory: directory.path, config: config)
        #expect(try await cache.data(for: thumbnail) == old.data)
        try await cache.store(DiskCacheEntry(data: Data("new".utf8)), for: key)
        #expect(try await cache.data(for: thumbnail) == nil)
    }

    @Test("what is forgotten of many changes counts as changed")
    func forgottenGenerations() {
        var counts = GenerationCounts()
        let mine = CacheKey("mine")
        counts.add(mine)
        let before = counts.generation(of: [mine])
        counts.add(mine)
        for number in 0..<20_000 { counts.add(CacheKey("\(number)")) }
        #expect(counts.generation(of: [mine]) != before)
    }

    @Test("many loads of different pictures do not keep each other's thumbnails out of memory")
    func generations() {
        var counts = GenerationCounts()
        let mine = CacheKey("mine")
        let before = counts.generation(of: [mine])
        for number in 0..<4000 { counts.add(CacheKey("\(number)")) }
        #expect(counts.generation(of: [mine]) == before)
        counts.add(mine)
        let after = counts.generation(of: [mine])
        #expect(after != before)
        counts.addClearing()
        #expect(counts.generation(of: [mine]) != after)
    }
}
