import CSpawn
import Foundation
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageCache
@testable import WebImageTestDoubles

/// Errors of a real system. Full and read-only disks need root; for other users the same errors come from
/// ``FaultyFileSystem`` in ``DiskCacheTroubleTests``.
@Suite("Disk cache: errors of a real system", .timeLimit(.minutes(5)))
struct DiskCacheSystemTests {
    private let key = CacheKey("https://example.org/a.jpg")
    private let directory: CacheDirectory

    init() throws { directory = try CacheDirectory() }

    /// Runs `work` as a user whom the permissions of files bind: root on a thread with the rights of another user.
    private func asUser<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        guard getuid() == 0 else { return work() }
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                setfsuid(65534)
                continuation.resume(returning: work())
            }
        }
    }

    @Test("a directory without permissions: one clear error, one warning, and nothing is read or written")
    func noPermissions() async throws {
        let warnings = CollectedWarnings()
        let cache = directory.cache(warnings: warnings)
        try cache.store(.sample(), for: key)
        let key = key
        try directory.setPermissions(directories: 0, files: 0)
        defer { try? directory.setPermissions(directories: 0o700, files: 0o600) }
        let (reading, writing) = await asUser {
            (
                Result { () throws(WebImageError) in try cache.entry(for: key) },
                Result { () throws(WebImageError) in try cache.store(.sample(), for: CacheKey("b")) }
            )
        }
        #expect(reading.failure?.code == .accessDenied && reading.failure?.stage == .disk)
        #expect(writing.failure?.code == .accessDenied && writing.failure?.stage == .store)
        #expect(warnings.all.count == 1)
        try directory.setPermissions(directories: 0o700, files: 0o600)
        #expect(try cache.entry(for: key) != nil && directory.files.count == 1)
    }

    @Test("a lock's file that root has made in another user's directory: one warning names it", .needsRoot)
    func rootsLock() async throws {
        try closing(directory.cache()) { try $0.store(.sample(), for: self.key) }
        let root = "\(directory.path)/entries-3"
        for path in [root] + directory.files.map(\.directoryName) + directory.files { chown(path, 65534, 65534) }
        let warnings = CollectedWarnings()
        let cache = directory.cache(warnings: warnings)
        let usage = await asUser { cache.usage() }
        #expect(usage.count == 1 && !cache.index.isOwner)
        #expect(warnings.all.count == 1 && warnings.all.first?.contains("\(root)/owner") == true)
    }

    @Test("a directory that may be listed, and whose entries may not be looked at, is an error and no empty one")
    func notSearchable() async throws {
        try closing(directory.cache()) { try $0.store(.sample(), for: self.key) }
        let folder = try directory.onlyFile.directoryName
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder)
        defer { try? directory.setPermissions(directories: 0o700, files: 0o600) }
        for path in [directory.path, "\(directory.path)/entries-3"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let listing = await asUser {
            Result { () throws(FileSystemError) in try POSIXFileSystem().list(folder).count }
        }
        #expect(listing.failure?.operation == .status && listing.failure?.code == EACCES)
    }

    @Test("a directory with read permission only: entries are read, none is stored, removed or damaged")
    func readOnlyForUser() async throws {
        let warnings = CollectedWarnings()
        try closing(directory.cache()) { try $0.store(.sample(), for: self.key) }
        try directory.setPermissions(directories: 0o555, files: 0o444)
        defer { try? directory.setPermissions(directories: 0o700, files: 0o600) }
        let cache = directory.cache(warnings: warnings)
        let key = key
        let (entry, writing) = await asUser {
            (try? cache.entry(for: key), Result { () throws(WebImageError) in try cache.store(.sample(), for: key) })
        }
        #expect(entry?.data == DiskCacheEntry.sample().data)
        #expect(writing.failure?.code == .accessDenied)
        #expect(warnings.all.count == 1 && directory.files.count == 1)
    }

    @Test("a disk that fills up: the old entry stays, no partial file is left, and freed space is used", .needsRoot)
    func fullDisk() throws {
        let disk = try SmallDisk(byteCount: 256 << 10)
        let warnings = CollectedWarnings()
        let cache = disk.directory.cache(warnings: warnings)
        let small = DiskCacheEntry.sample(count: 20_000)
        var stored = 0
        var failure: WebImageError?
        while failure == nil, stored < 100 {
            do throws(WebImageError) {
                try cache.store(small, for: CacheKey("\(stored)"))
                stored += 1
            } catch { failure = error }
        }
        #expect(failure?.code == .diskFull && failure?.kind == .transient)
        #expect((5..<15).contains(stored))
        for number in 0..<stored { #expect(small.isSame(as: try cache.entry(for: CacheKey("\(number)")))) }
        #expect(throws: WebImageError.self) { try cache.store(.sample(count: 100_000), for: CacheKey("0")) }
        #expect(small.isSame(as: try cache.entry(for: CacheKey("0"))))
        #expect(try cache.verify().problemCount == 0 && disk.directory.files.count == stored)
        #expect(cache.usage().count == stored)
        try cache.remove(for: CacheKey("1"))
        try cache.remove(for: CacheKey("2"))
        try cache.store(small, for: key)
        #expect(warnings.all.count == 1)
    }

    @Test("a disk that becomes read-only: entries are read, and stores report the error", .needsRoot)
    func readOnlyDisk() throws {
        let disk = try SmallDisk(byteCount: 256 << 10)
        let warnings = CollectedWarnings()
        // Closes the cache's files first: the system does not remount a disk that is open for writing.
        try closing(disk.directory.cache()) { try $0.store(.sample(), for: key) }
        try disk.makeReadOnly()
        let cache = disk.directory.cache(warnings: warnings)
        #expect(DiskCacheEntry.sample().data == (try cache.entry(for: key)?.data))
        let error = #expect(throws: WebImageError.self) { try cache.store(.sample(seed: 2), for: key) }
        #expect(error?.code == .accessDenied && error?.kind == .permanent)
        #expect(throws: WebImageError.self) { try cache.removeAll() }
        #expect(cache.usage().count == 1 && warnings.all.count == 1)
    }
}

extension Trait where Self == ConditionTrait {
    fileprivate static var needsRoot: Self {
        .enabled(if: getuid() == 0, "only root can mount a disk and give files away")
    }
}
