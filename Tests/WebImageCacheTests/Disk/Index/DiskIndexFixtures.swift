import Foundation
import Synchronization
import WebImageCache
import WebImageCore
import WebImageTesting

@testable import WebImageTestDoubles

extension CacheDirectory {
    /// A directory with the entries "0", "1" and so on, whose owner has ended.
    static func filled(with count: Int = 10) throws -> CacheDirectory {
        let directory = try CacheDirectory()
        try closing(directory.cache()) { cache in
            for number in 0..<count { try cache.store(.sample(), for: CacheKey("\(number)")) }
            _ = cache.usage()
        }
        return directory
    }

    /// The totals that every cache must report for the current files; partial files do not count.
    var usageOfFiles: DiskCacheUsage {
        let entries = files.filter { !TemporaryName.matches(URL(filePath: $0).lastPathComponent) }
        let sizes = entries.map { (try? FileManager.default.attributesOfItem(atPath: $0))?[.size] as? Int ?? 0 }
        return DiskCacheUsage(count: sizes.count, byteCount: sizes.reduce(0, +))
    }

    /// A cache with a complete index.
    func openCache(
        _ fileSystem: any FileSystem = POSIXFileSystem(), clock: TestClock = TestClock()
    ) -> DiskCache {
        let cache = cache(fileSystem, clock: clock)
        _ = cache.usage()
        return cache
    }

    /// The existing directories of entries, up to 256.
    var entryDirectories: [String] {
        let root = "\(path)/entries-3"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return names.filter { $0.count == 2 }.map { "\(root)/\($0)" }
    }

    /// Dates the directories of entries back by an hour, and writes a snapshot with these stamps, so that all are clean.
    func settle(clock: TestClock = TestClock()) throws {
        try dateDirectories(.fileTime(fromNow: -3600))
        closing(cache(clock: clock)) { _ = $0.usage() }
    }

    /// Sets the date of change of the directories of entries.
    func dateDirectories(_ date: Date) throws {
        for path in entryDirectories {
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
    }
}

extension DiskCache {
    /// The numbers of the existing entries among "0", "1" and so on.
    func present(of count: Int = 40) -> [Int] { (0..<count).filter { contains(CacheKey("\($0)")) } }
}

/// Work of a cache on its own thread that is suspended at a call to the file system, so that a test can act in the
/// meantime.
struct HeldWork {
    private let held = Gate()
    private let mayGoOn = Gate()
    private let done = Gate()

    /// Returns when the work has reached the call.
    init(
        at operations: Set<FaultyFileSystem.Operation>, wherePathHas part: String, of fileSystem: FaultyFileSystem,
        _ work: @escaping @Sendable () -> Void
    ) {
        let (held, mayGoOn, done) = (held, mayGoOn, done)
        // Releases the references of the work before it counts as done.
        let work = Mutex<(@Sendable () -> Void)?>(work)
        fileSystem.setGate { operation, path in
            guard operations.contains(operation), path.contains(part) else { return }
            held.open()
            mayGoOn.waitBlocking()
        }
        Thread.detachNewThread {
            work.withLock { $0.take() }?()
            done.open()
        }
        held.waitBlocking()
    }

    /// Resumes the work, and returns when it is done.
    func finish() {
        mayGoOn.open()
        done.waitBlocking()
    }
}
