import FoundationEssentials
import Glibc
import Testing
import WebImageTesting

@testable import WebImage

@Suite("Writes at the end of a program", .timeLimit(.minutes(5)))
struct UnfinishedWritesTests {
    private static let mayWrite = Gate()

    /// A disk whose first write waits for the end of the program, and ends it with a status of its own.
    private final class LastWrite: DiskCaching {
        func contains(_ key: CacheKey) -> Bool { false }
        func entry(for key: CacheKey) -> DiskCacheEntry? { nil }
        func store(_ entry: DiskCacheEntry, for key: CacheKey) {
            UnfinishedWritesTests.mayWrite.waitBlocking()
            _exit(7)
        }
        func remove(for key: CacheKey) {}
        func removeAll() {}
        func removeExpired() {}
        func usage() -> DiskCacheUsage { DiskCacheUsage(count: 0, byteCount: 0) }
    }

    @Test("PIPE-11 a program that ends by exit, at once after a load, waits for what the load stores")
    func waits() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let loader = SuspendedLoader()
            let manager = WebImageManager(
                cache: ImageCache(memoryCache: MemoryCache(), diskCache: LastWrite()), loader: loader,
                coder: ScriptedCoder())
            let load = manager.observed(ImageRequest(try ManagerBench.url()))
            try await loader.waitForLoads(1)[0].finish(ScriptedCoder.file(2, 2))
            _ = try await load.result()
            // Of the handlers, the latest is called first.
            atexit { UnfinishedWritesTests.mayWrite.open() }
            exit(0)
        }
    }
}
