import CLinux
import Foundation
import Testing
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImageCache
@testable import WebImageTestDoubles

@Suite("Disk cache against a model")
struct DiskCacheModelTests {
    @Test(
        "100,000 random operations leave the same as in a dictionary: stores, reads, removals, expiry, eviction, reopening",
        .timeLimit(.minutes(30)), arguments: 0..<4)
    func operations(seed: Int) throws {
        let directory = try CacheDirectory.inMemory()
        var run = ModelRun(directory: directory, seed: UInt64(seed))
        // One thread does all this: a sanitizer finds nothing more in many steps than in some.
        let stepCount = Sanitizer.isActive ? 5000 : 25_000
        for step in 0..<stepCount {
            let difference = try run.step()
            guard difference == nil else {
                Issue.record("seed \(seed), step \(step): \(difference ?? "")")
                return
            }
        }
        let enough =
            run.evictionCount > stepCount / 250 && run.expiryCount > stepCount / 250 && run.hitCount > stepCount / 12
        #expect(enough, "the run saw it all")
    }
}

/// A disk cache and a dictionary that must have the same contents.
private struct ModelRun {
    private struct Entry {
        var data: Data
        var usedAt: Date
        var expiresAt: Date?
    }

    private static let keys = (0..<60).map { CacheKey("https://example.org/\($0)") }
    /// Not a multiple of the steps of the clock, so that no entry has exactly that age.
    private static let age: Duration = .seconds(5001)

    private let directory: CacheDirectory
    private let clock = TestClock()
    private var cache: DiskCache
    private var model: [CacheKey: Entry] = [:]
    private var random: SeededGenerator
    private(set) var (evictionCount, expiryCount, hitCount) = (0, 0, 0)

    init(directory: CacheDirectory, seed: UInt64) {
        self.directory = directory
        random = SeededGenerator(seed: seed)
        cache = Self.open(directory, clock)
    }

    private static func open(_ directory: CacheDirectory, _ clock: TestClock) -> DiskCache {
        directory.cache(ClockedFileSystem(clock: clock), clock: clock) {
            $0.maxDiskAge = age
            $0.maxDiskCount = 40
        }
    }

    /// Applies a random operation to both; returns the difference, if there is one.
    mutating func step() throws -> String? {
        clock.advance(by: 2)
        let key = Self.keys.randomElement(using: &random) ?? Self.keys[0]
        switch Int.random(in: 0..<1000, using: &random) {
        case 0..<250: return try store(key)
        case 250..<350:
            try cache.remove(for: key)
            model[key] = nil
        case 350..<850: return try read(key)
        case 850..<970: return contains(key)
        case 970..<985: return try removeExpired()
        case 985..<988: clock.advance(by: Double(Int.random(in: 1...30, using: &random)) * 200)
        case 988:
            try cache.removeAll()
            model = [:]
        case 989..<992:
            cache.saveAccessTimes()
            let (former, maintenance) = (FormerCache(cache: cache), cache.maintenance)
            cache = Self.open(directory, clock)
            former.waitForEnd()
            maintenance.sync {}
        default: return usage()
        }
        return nil
    }

    private mutating func store(_ key: CacheKey) throws -> String? {
        let data = Data((0..<Int.random(in: 0...60, using: &random)).map { _ in .random(in: 0...255, using: &random) })
        let isShortLived = Int.random(in: 0..<4, using: &random) == 0
        let expiresAt = isShortLived ? clock.now + Double(Int.random(in: 0...50, using: &random)) * 2 + 1 : nil
        try cache.store(DiskCacheEntry(data: data, storedAt: clock.now, expiresAt: expiresAt), for: key)
        model[key] = Entry(data: data, usedAt: clock.now, expiresAt: expiresAt)
        return nil
    }

    private mutating func read(_ key: CacheKey) throws -> String? {
        if let expiresAt = model[key]?.expiresAt, expiresAt <= clock.now {
            model[key] = nil
            expiryCount += 1
        }
        model[key]?.usedAt = clock.now
        let found = try cache.entry(for: key)?.data
        hitCount += found == nil ? 0 : 1
        return found == model[key]?.data ? nil : "\(key) reads \(String(describing: found))"
    }

    private func contains(_ key: CacheKey) -> String? {
        let isThere = model[key].map { $0.expiresAt ?? .distantFuture > clock.now } ?? false
        return cache.contains(key) == isThere ? nil : "\(key) is there: \(!isThere)"
    }

    private mutating func removeExpired() throws -> String? {
        try cache.removeExpired()
        let before = model.count
        model = model.filter { $0.value.usedAt > clock.now - Self.age.seconds }
        if model.count > 40 {
            let newest = model.sorted { $0.value.usedAt > $1.value.usedAt }.prefix(20)
            model = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
        }
        evictionCount += before - model.count
        return usage()
    }

    /// Compares the totals with the model and with the files.
    private func usage() -> String? {
        let usage = cache.usage()
        guard usage.count == model.count else { return "\(usage.count) entries, and \(model.count) in the model" }
        var (names, byteCount): (Set<CacheKey>, Int) = ([], 0)
        try? cache.forEachEntry { summary in
            names.insert(summary.key)
            byteCount += summary.fileByteCount
            return true
        }
        guard names == Set(model.keys) else { return "other entries than in the model" }
        return byteCount == usage.byteCount ? nil : "\(usage.byteCount) bytes, and \(byteCount) in files"
    }
}

/// A real file system that dates its files by a test's clock.
private struct ClockedFileSystem: ForwardingFileSystem {
    let base = POSIXFileSystem()
    let clock: TestClock

    private func stamp(_ path: String) {
        let now = FileTime(clock.now)
        let time = timespec(tv_sec: now.wholeSeconds, tv_nsec: now.nanosecondsOfSecond)
        _ = utimensat(AT_FDCWD, path, [time, time], AT_SYMLINK_NOFOLLOW)
    }

    func link(_ file: OpenFile, to path: String) throws(FileSystemError) {
        try base.link(file, to: path)
        stamp(path)
    }

    func rename(_ path: String, to newPath: String) throws(FileSystemError) {
        stamp(path)
        try base.rename(path, to: newPath)
    }
}
