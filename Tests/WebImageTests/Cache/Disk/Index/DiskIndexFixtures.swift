import Foundation
import Synchronization
import WebImageTesting

@testable import WebImage

extension CacheDirectory {
    /// A directory with entries called "0", "1" and so on, of a process that has ended.
    static func filled(with count: Int = 10) throws -> CacheDirectory {
        let directory = try CacheDirectory()
        try closing(directory.cache()) { cache in
            for number in 0..<count { try cache.store(.sample(), for: CacheKey("\(number)")) }
            _ = cache.usage()
        }
        return directory
    }

    /// What every cache is to say of the files that are there; one that somebody has left half written is none.
    var usageOfFiles: DiskCacheUsage {
        let entries = files.filter { !TemporaryName.matches(URL(filePath: $0).lastPathComponent) }
        let sizes = entries.map { (try? FileManager.default.attributesOfItem(atPath: $0))?[.size] as? Int ?? 0 }
        return DiskCacheUsage(count: sizes.count, byteCount: sizes.reduce(0, +))
    }

    /// A cache that knows all that is there.
    func openCache(
        _ fileSystem: any FileSystem = POSIXFileSystem(), clock: TestClock = TestClock()
    ) -> DiskCache {
        let cache = cache(fileSystem, clock: clock)
        _ = cache.usage()
        return cache
    }

    /// The 256 directories of entries that are there.
    var entryDirectories: [String] {
        let root = "\(path)/entries-2"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return names.filter { $0.count == 2 }.map { "\(root)/\($0)" }
    }

    /// Dates the directories of entries back, as if their last change were an hour ago, and has the snapshot know that.
    func settle(clock: TestClock = TestClock()) throws {
        for path in entryDirectories {
            try FileManager.default.setAttributes([.modificationDate: Date() - 3600], ofItemAtPath: path)
        }
        closing(cache(clock: clock)) { _ = $0.usage() }
    }
}

extension DiskCache {
    /// Which of the entries called "0", "1" and so on are there.
    func present(of count: Int = 40) -> [Int] { (0..<count).filter { contains(CacheKey("\($0)")) } }
}

/// Something that a cache does on a thread of its own, and that waits at a call to the file system until a test has done
/// something else meanwhile.
struct HeldWork {
    private let held = Gate()
    private let mayGoOn = Gate()
    private let done = Gate()

    /// Returns when the call is about to be made.
    init(
        at operations: Set<FaultyFileSystem.Operation>, wherePathHas part: String, of fileSystem: FaultyFileSystem,
        _ work: @escaping @Sendable () -> Void
    ) {
        let (held, mayGoOn, done) = (held, mayGoOn, done)
        // Whatever the work holds is let go before it counts as done.
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

    /// Returns when it is done.
    func finish() {
        mayGoOn.open()
        done.waitBlocking()
    }
}
