import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageTesting

@testable import WebImageLoading
@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: files that wait to be written", .timeLimit(.minutes(5)))
struct WriteBacklogTests {
    @Test(
        "the backlog takes a limited number of bytes, or one file of any size; a store with a completion is always written"
    )
    func limit() {
        let backlog = WriteBacklog(limit: 100)
        #expect(backlog.begin(500, isAwaited: false))
        #expect(!backlog.begin(1, isAwaited: false))
        #expect(backlog.begin(1, isAwaited: true))
        backlog.end(500)
        #expect(backlog.begin(99, isAwaited: false))
        #expect(!backlog.begin(1, isAwaited: false))
        backlog.end(1)
        #expect(backlog.begin(1, isAwaited: false))
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
                work: PixelWork(queue: .withOwnThreads()), backlog: WriteBacklog(limit: file.count * 3)))
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
