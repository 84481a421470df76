import Foundation
import Testing
import WebImageTesting

@testable import WebImageCache
@testable import WebImageCore
@testable import WebImageTestDoubles

@Suite("The disk cache's index: damage and failures")
struct DiskIndexDamageTests {
    private func filled() throws -> CacheDirectory {
        let directory = try CacheDirectory()
        try closing(directory.cache()) { cache in
            for number in 0..<12 { try cache.store(.sample(count: 10 * number), for: CacheKey("\(number)")) }
        }
        try directory.settle()
        try closing(directory.openCache()) { try $0.remove(for: CacheKey("0")) }
        // The directory has a guest's mark beside the owner's lock and the snapshot.
        try closing(directory.openCache()) { owner in
            try closing(directory.openCache()) { try $0.store(.sample(count: 10), for: CacheKey("1")) }
            _ = owner.usage()
        }
        return directory
    }

    private func expectWorks(_ directory: CacheDirectory, _ note: Comment) throws {
        let warnings = CollectedWarnings()
        try closing(directory.cache(warnings: warnings)) { cache in
            #expect(cache.usage() == usage(of: directory, count: 11), note)
            for number in 1..<12 { #expect(try cache.entry(for: CacheKey("\(number)")) != nil, note) }
            #expect(warnings.all.count <= 1, note)
            try cache.store(.sample(count: 1), for: CacheKey("new"))
            #expect(cache.usage() == usage(of: directory, count: 12), note)
            try cache.remove(for: CacheKey("new"))
        }
    }

    /// The totals of `count` entries with all current files.
    private func usage(of directory: CacheDirectory, count: Int) -> DiskCacheUsage {
        DiskCacheUsage(count: count, byteCount: directory.usageOfFiles.byteCount)
    }

    @Test("complaint 11: whatever happens to the index, all entries are found, and the next process has no trouble")
    func fuzz() throws {
        var random = SeededGenerator(seed: 5)
        let directory = try filled()
        for round in 0..<150 {
            let path = try #require(directory.indexFiles.sorted().randomElement(using: &random))
            var file = try Data(contentsOf: URL(fileURLWithPath: path))
            let size = file.count
            switch Int.random(in: 0..<6, using: &random) {
            case 0: file = Data((0..<size).map { _ in .random(in: 0...255, using: &random) })
            case 1: file = file.prefix(Int.random(in: 0...size, using: &random))
            case 2: file += Data(repeating: 1, count: .random(in: 1...300, using: &random))
            case 3: file = Data()
            case 4: file = Data(count: size)
            default:
                for _ in 0..<Int.random(in: 1...3, using: &random) where !file.isEmpty {
                    file[Int.random(in: 0..<min(file.count, 200), using: &random)] ^=
                        1 << Int.random(in: 0..<8, using: &random)
                }
            }
            let note: Comment = "round \(round): \(path.split(separator: "/").last ?? "")"
            if Int.random(in: 0..<10, using: &random) == 0 {
                try FileManager.default.removeItem(atPath: path)
            } else {
                try file.write(to: URL(fileURLWithPath: path))
            }
            try expectWorks(directory, note)
            try expectWorks(directory, note)
        }
    }

    @Test("complaint 11: a bit flipped in a snapshot ends in one warning, and in a new snapshot")
    func warning() throws {
        let directory = try filled()
        let path = try #require(directory.indexFiles.first { $0.hasSuffix("/snapshot") })
        var file = try Data(contentsOf: URL(fileURLWithPath: path))
        file[20] ^= 1
        try file.write(to: URL(fileURLWithPath: path))
        let warnings = CollectedWarnings()
        #expect(closing(directory.cache(warnings: warnings)) { $0.usage().count } == 11)
        #expect(
            warnings.all.count == 1 && warnings.all[0].contains("index") && warnings.all[0].contains(directory.path))
        let next = CollectedWarnings()
        #expect(directory.cache(warnings: next).usage().count == 11)
        #expect(next.all.isEmpty)
    }

    @Test(
        "a link in place of a file of the index is not followed, and the cache works without the index",
        arguments: names)
    func strangers(name: String) throws {
        let directory = try CacheDirectory()
        let outside = "\(directory.path)/mine"
        try Data("mine".utf8).write(to: URL(filePath: outside))
        try FileManager.default.createDirectory(
            atPath: "\(directory.path)/entries-3", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(directory.path)/entries-3/\(name)", withDestinationPath: outside)
        let warnings = CollectedWarnings()
        try closing(directory.cache(warnings: warnings)) { cache in
            let guest = directory.openCache()
            for number in 0..<5 { try cache.store(.sample(), for: CacheKey("\(number)")) }
            try guest.store(.sample(), for: CacheKey("5"))
            #expect(cache.usage().count == 6 && guest.usage().count == 6)
        }
        #expect(warnings.all.count <= 1)
        #expect(try String(contentsOfFile: outside, encoding: .utf8) == "mine")
    }

    private static let names = ["owner", "guests", "snapshot"]

    @Test(
        "a disk that is full, read-only or broken for the index leaves the cache at work, with one warning at most",
        arguments: [ENOSPC, EACCES, EIO],
        [
            [.create], [.write], [.rename], [.lock], [.read], [.status], [.remove],
            Set(FileSystemError.Operation.allCases),
        ])
    func failures(code: Int32, operations: Set<FileSystemError.Operation>) throws {
        for isFilled in [true, false] {
            let directory = isFilled ? try filled() : try CacheDirectory()
            let fileSystem = FaultyFileSystem()
            // A file that is being written has a name then, by which it fails.
            fileSystem.refuseUnnamedFiles()
            for name in Self.names + [".webimage-"] {
                fileSystem.fail(operations, wherePathHas: "/entries-3/\(name)", with: code)
            }
            let warnings = CollectedWarnings()
            let clock = TestClock()
            let cache = directory.cache(fileSystem, clock: clock, warnings: warnings) { $0.maxDiskCount = 20 }
            for number in 1..<12 { try cache.store(.sample(count: 10 * number), for: CacheKey("\(number)")) }
            #expect(cache.usage() == usage(of: directory, count: 11))
            clock.advance(by: 3600)
            for number in 12..<30 { try cache.store(.sample(), for: CacheKey("\(number)")) }
            try cache.removeExpired()
            #expect(cache.usage() == usage(of: directory, count: 10))
            cache.saveAccessTimes()
            #expect(warnings.all.count <= 1)
            #expect(directory.cache().usage() == usage(of: directory, count: 10))
        }
    }

    @Test("complaint 1: the snapshot cannot be saved: one warning, and the next process finds all entries")
    func unsaved() throws {
        let directory = try filled()
        let fileSystem = FaultyFileSystem()
        let warnings = CollectedWarnings()
        closing(directory.cache(fileSystem, warnings: warnings)) { cache in
            #expect(cache.usage().count == 11)
            fileSystem.refuseUnnamedFiles()
            fileSystem.fail([.write], wherePathHas: "/entries-3/.webimage-", with: ENOSPC)
            for number in 20..<1200 { try? cache.store(.sample(count: 1), for: CacheKey("\(number)")) }
            #expect(cache.usage().count == 1191 && warnings.all.count == 1)
        }
        #expect(directory.cache().usage() == usage(of: directory, count: 1191))
    }

    @Test(
        "complaint 11: whatever happens to the files of the index while two caches use it, both continue, and their totals equal the files",
        arguments: names, Harm.allCases)
    func harmAtWork(name: String, harm: Harm) throws {
        let directory = try filled()
        let warnings = CollectedWarnings()
        let caches = [directory.cache(warnings: warnings), directory.cache(warnings: warnings)]
        #expect(caches.allSatisfy { $0.usage().count == 11 })
        for path in directory.indexFiles where path.hasSuffix("/\(name)") { try harm.do(to: path) }
        #expect(caches[0].contains(CacheKey("1")) && !caches[1].contains(CacheKey("0")))
        for number in 20..<30 {
            try caches[number % 2].store(.sample(count: number), for: CacheKey("\(number)"))
            #expect(try caches[1 - number % 2].entry(for: CacheKey("\(number)")) != nil)
        }
        try caches[0].remove(for: CacheKey("1"))
        let files = usage(of: directory, count: 20)
        for cache in caches + [directory.cache()] { #expect(cache.usage() == files) }
        #expect(caches.allSatisfy { $0.contains(CacheKey("29")) && !$0.contains(CacheKey("1")) })
        #expect(warnings.all.count <= 2)
    }

    /// Damage to a file in use. Except for a removal, it keeps the inode, so that a process with the file open sees the
    /// change.
    enum Harm: Sendable, CaseIterable {
        case cutOff, emptied, overwritten, removed

        func `do`(to path: String) throws {
            if self == .removed { return try FileManager.default.removeItem(atPath: path) }
            let file = try #require(FileHandle(forWritingAtPath: path))
            defer { try? file.close() }
            let size = try file.seekToEnd()
            switch self {
            case .cutOff: try file.truncate(atOffset: size / 2)
            case .emptied: try file.truncate(atOffset: 0)
            default:
                try file.seek(toOffset: 0)
                try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size)))
            }
        }
    }

    @Test("the files of an index that are removed while it is used are written again, and no entry is lost")
    func removed() throws {
        let directory = try filled()
        let cache = directory.cache()
        #expect(cache.usage().count == 11)
        for path in directory.indexFiles { try FileManager.default.removeItem(atPath: path) }
        try cache.store(.sample(), for: CacheKey("new"))
        #expect(cache.usage().count == 12 && cache.index.isOwner)
        #expect(directory.cache().usage() == cache.usage())
    }

    @Test("directories in place of entries count as none; storing, clearing and repairing remove them")
    func directories() throws {
        let directory = try filled()
        func replaceAll() throws {
            for path in directory.files {
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.createDirectory(atPath: path + "/a/b", withIntermediateDirectories: true)
                try Data([1]).write(to: URL(filePath: path + "/a/c"))
            }
        }
        let keys = (1..<12).map { CacheKey("\($0)") }
        try replaceAll()
        try closing(directory.cache()) { cache in
            #expect(cache.usage() == DiskCacheUsage(count: 0, byteCount: 0))
            for key in keys { try cache.store(.sample(), for: key) }
            #expect(cache.usage() == usage(of: directory, count: 11) && keys.allSatisfy(cache.contains))
            try replaceAll()
            let found = try cache.verify(repairing: true)
            #expect(found.removedCount == 11 && directory.files.isEmpty)
            for key in keys { try cache.store(.sample(), for: key) }
            try replaceAll()
            try cache.removeAll()
            #expect(directory.files.isEmpty && cache.usage().count == 0)
        }
    }
}
