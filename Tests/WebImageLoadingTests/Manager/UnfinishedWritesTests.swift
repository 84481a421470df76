import Dispatch
import FoundationEssentials
import Glibc
import Testing
import WebImageCache
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Writes at the end of a program", .timeLimit(.minutes(5)))
struct UnfinishedWritesTests {
    private static let mayWrite = Gate()

    /// A disk whose first change waits for the end of the program, and ends it with a status of its own.
    private final class LastWrite: DiskCaching {
        func contains(_ key: CacheKey) -> Bool { false }
        func entry(for key: CacheKey) -> DiskCacheEntry? { nil }
        func store(_ entry: DiskCacheEntry, for key: CacheKey) { end() }
        func remove(for key: CacheKey) { end() }
        private func end() {
            UnfinishedWritesTests.mayWrite.waitBlocking()
            _exit(7)
        }
        func removeAll() {}
        func removeExpired() {}
        func usage() -> DiskCacheUsage { DiskCacheUsage(count: 0, byteCount: 0) }
    }

    @Test("PIPE-11 a program that ends by exit, at once after a load, waits for what the load stores")
    func waits() async {
        await #expect(processExitsWith: .exitCode(7)) {
            // Called last: nothing else is left to wait for.
            atexit { _exit(3) }
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

    @Test("PIPE-11 it also waits for what is removed, because it may not be kept any more")
    func waitsForRemovals() async {
        await #expect(processExitsWith: .exitCode(7)) {
            // Called last: nothing else is left to wait for.
            atexit { _exit(3) }
            let loader = SuspendedLoader()
            let manager = WebImageManager(
                cache: ImageCache(memoryCache: MemoryCache(), diskCache: LastWrite()), loader: loader,
                coder: ScriptedCoder())
            let url = try ManagerBench.url()
            let load = manager.observed(ImageRequest(url, options: .fromLoaderOnly))
            let head = HTTPResponse(url: url, statusCode: 200, headers: ["cache-control": "no-store"])
            try await loader.waitForLoads(1)[0].finish(ScriptedCoder.file(2, 2), http: head)
            _ = try await load.result()
            atexit { UnfinishedWritesTests.mayWrite.open() }
            exit(0)
        }
    }

    @Test("PIPE-11 it also waits for what a transfer leaves that was cancelled")
    func waitsForPartialBodies() async {
        await #expect(processExitsWith: .exitCode(7)) {
            // Called last: nothing else is left to wait for.
            atexit { _exit(3) }
            let loader = SuspendedLoader(endsLoadsWhenCancelled: false)
            let manager = WebImageManager(
                cache: ImageCache(memoryCache: MemoryCache(), diskCache: LastWrite()), loader: loader,
                coder: ScriptedCoder())
            manager.resumesTransfers = true
            let load = manager.observed(ImageRequest(try ManagerBench.url()))
            let transfer = try await loader.waitForLoads(1)[0]
            load.cancel()
            _ = try await load.ending()
            DispatchQueue.global().async {
                // After the program has begun to end.
                UnfinishedWritesTests.mayWrite.waitBlocking()
                transfer.request.keepPartialBody?(PartialBody(data: ScriptedCoder.file(2, 2), validator: "\"1\""))
                transfer.fail(.cancelled())
            }
            atexit { UnfinishedWritesTests.mayWrite.open() }
            exit(0)
        }
    }
}
