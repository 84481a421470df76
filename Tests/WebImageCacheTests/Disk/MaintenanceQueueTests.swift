import Foundation
import Synchronization
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageCache
@testable import WebImageTestDoubles

@Suite("The disk cache's maintenance", .timeLimit(.minutes(2)))
struct MaintenanceQueueTests {
    private static let threadName = "WebImage.disk"
    private let fileSystem = FaultyFileSystem()

    /// Requests the usage while the cache's thread is suspended at the first of many calls to the file system.
    ///
    /// - Returns: The usage, and the threads that have made the calls so far.
    private func askDuring(
        _ operation: FaultyFileSystem.Operation, of cache: DiskCache
    ) -> (usage: DiskCacheUsage, callers: [String]) {
        let (begun, mayGoOn, done) = (Gate(), Gate(), Gate())
        let (callers, usage) = (Observed<[String]>([]), Observed(DiskCacheUsage(count: -1, byteCount: 0)))
        fileSystem.setGate { called, path in
            guard called == operation, path.contains("/entries-3/") else { return }
            callers.update { $0.append(currentThreadName()) }
            begun.open()
            mayGoOn.waitBlocking()
        }
        // A query before the index is complete starts the listing.
        _ = cache.contains(CacheKey("0"))
        begun.waitBlocking()
        Thread.detachNewThread {
            usage.update { $0 = cache.usage() }
            done.open()
        }
        while !cache.maintenance.isAwaited { sched_yield() }
        mayGoOn.open()
        done.waitBlocking()
        return (usage.value, callers.value)
    }

    @Test("a caller that waits for a listing at low priority continues it on its own thread, at its own priority")
    func scan() throws {
        let directory = try CacheDirectory.filled(with: 300)
        try FileManager.default.removeItem(atPath: "\(directory.path)/entries-3/snapshot")
        let (usage, callers) = askDuring(.list, of: directory.cache(fileSystem))
        #expect(usage == directory.usageOfFiles)
        #expect(callers.count > 100 && callers.count { $0 == Self.threadName } <= 1)
    }

    @Test("a caller that waits for an eviction at low priority continues it at its own priority, one batch at a time")
    func eviction() throws {
        let directory = try CacheDirectory.filled(with: 1200)
        let cache = directory.cache(fileSystem) {
            $0.shouldRemoveExpiredDataAutomatically = true
            $0.maxDiskCount = 100
        }
        let (usage, callers) = askDuring(.remove, of: cache)
        #expect(usage.count == 50 && usage == directory.usageOfFiles)
        #expect(callers.count == 1150 && (1...512).contains(callers.count { $0 == Self.threadName }))
    }
}

private func currentThreadName() -> String {
    let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
    return String(name?.dropLast() ?? "")
}
