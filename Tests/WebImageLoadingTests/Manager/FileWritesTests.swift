import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageTesting

@testable import WebImageLoading
@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: files that wait to be written", .timeLimit(.minutes(5)))
struct FileWritesTests {
    private let name = StoredName(key: CacheKey("a"), cache: CollaboratorIdentity(nil))

    @Test(
        "a limited number of bytes waits, or one file of any size; a store with a completion is always written"
    )
    func limit() throws {
        let writes = FileWrites(limit: 100)
        let first = try #require(writes.begin(name, byteCount: 500, isAwaited: false))
        #expect(writes.begin(name, byteCount: 1, isAwaited: false) == nil)
        let awaited = try #require(writes.begin(name, byteCount: 1, isAwaited: true))
        writes.end(first, of: name, byteCount: 500)
        let last = try #require(writes.begin(name, byteCount: 99, isAwaited: false))
        #expect(writes.begin(name, byteCount: 1, isAwaited: false) == nil)
        writes.end(awaited, of: name, byteCount: 1)
        let next = try #require(writes.begin(name, byteCount: 1, isAwaited: false))
        writes.end(last, of: name, byteCount: 99)
        writes.end(next, of: name, byteCount: 1)
    }

    @Test("the last requested write counts, whichever ends first")
    func overtaken() throws {
        let writes = FileWrites(limit: 100)
        func begin() throws -> Int { try #require(writes.begin(name, byteCount: 1, isAwaited: false)) }
        let (old, new) = (try begin(), try begin())
        #expect(!writes.isLatest(old, of: name))
        #expect(writes.isLatest(new, of: name))
        writes.end(new, of: name, byteCount: 1)
        #expect(!writes.isLatest(old, of: name))
        writes.end(old, of: name, byteCount: 1)
        let next = try begin()
        #expect(writes.isLatest(next, of: name))
        writes.end(next, of: name, byteCount: 1)
    }

    @Test("caches that cannot be compared are two caches")
    func values() throws {
        struct Value: Sendable {}
        let writes = FileWrites(limit: 100)
        let names = (0..<2).map { _ in StoredName(key: CacheKey("a"), cache: CollaboratorIdentity(Value())) }
        let numbers = try names.map { try #require(writes.begin($0, byteCount: 1, isAwaited: false)) }
        for (number, name) in zip(numbers, names) {
            #expect(writes.isLatest(number, of: name))
            writes.end(number, of: name, byteCount: 1)
        }
    }

    @Test("complaint 3: a disk that hangs does not accumulate files in memory, and delays no picture")
    func hangingDisk() async throws {
        let directory = try CacheDirectory()
        let gate = Gate()
        let fileSystem = FaultyFileSystem()
        fileSystem.setGate { operation, _ in if operation == .create { gate.waitBlocking() } }
        let cache = ImageCache(memoryCache: MemoryCache(), diskCache: directory.cache(fileSystem))
        let loader = SuspendedLoader()
        let file = ScriptedCoder.file(4, 4)
        let manager = WebImageManager(
            cache: cache, loader: loader, coder: ScriptedCoder(),
            shared: SharedStages(
                work: PixelWork(queue: .withOwnThreads()), writes: FileWrites(limit: file.count * 3)))
        for number in 0..<10 {
            let load = manager.observed(ImageRequest(try ManagerBench.url("\(number).jpg")))
            try await loader.waitForLoads(number + 1)[number].finish(file)
            #expect(try await load.result().cacheType == .noCache)
        }
        gate.open()
        await cache.flush()
        #expect(directory.files.count == 3)
    }
}
