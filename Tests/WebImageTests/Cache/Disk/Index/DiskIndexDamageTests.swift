import Foundation
import Testing
import WebImageTesting

@testable import WebImage

@Suite("The disk cache's index: damage and failures")
struct DiskIndexDamageTests {
    private func filled() throws -> CacheDirectory {
        let directory = try CacheDirectory()
        try closing(directory.cache()) { cache in
            _ = cache.usage()
            for number in 0..<8 { try cache.store(.sample(count: 10 * number), for: CacheKey("\(number)")) }
            _ = cache.usage()
            cache.index.compact()
            for number in 8..<12 { try cache.store(.sample(count: 10 * number), for: CacheKey("\(number)")) }
            try cache.remove(for: CacheKey("0"))
        }
        return directory
    }

    private func expectWorks(_ directory: CacheDirectory, _ note: Comment) throws {
        let warnings = Warnings()
        try closing(directory.cache(warnings: warnings)) { cache in
            #expect(cache.usage() == usage(of: directory, count: 11), note)
            for number in 1..<12 { #expect(try cache.entry(for: CacheKey("\(number)")) != nil, note) }
            #expect(warnings.all.count <= 1, note)
            try cache.store(.sample(count: 1), for: CacheKey("new"))
            #expect(cache.usage() == usage(of: directory, count: 12), note)
            try cache.remove(for: CacheKey("new"))
        }
    }

    /// What the files amount to, if there are so many.
    private func usage(of directory: CacheDirectory, count: Int) -> DiskCacheUsage {
        DiskCacheUsage(count: count, byteCount: directory.usageOfFiles.byteCount)
    }

    @Test("complaint 11: whatever happens to the index, all entries are there, and the next process is well again")
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

    @Test("complaint 11: a bit flipped in a snapshot or a journal ends in one warning, and in a new index")
    func warning() throws {
        for name in ["snapshot", "journal-"] {
            let directory = try filled()
            let path = try #require(directory.indexFiles.first { $0.contains("/\(name)") })
            var file = try Data(contentsOf: URL(fileURLWithPath: path))
            file[20] ^= 1
            try file.write(to: URL(fileURLWithPath: path))
            let warnings = Warnings()
            #expect(closing(directory.cache(warnings: warnings)) { $0.usage().count } == 11)
            #expect(
                warnings.all.count == 1 && warnings.all[0].contains("index") && warnings.all[0].contains(directory.path)
            )
            let next = Warnings()
            #expect(directory.cache(warnings: next).usage().count == 11)
            #expect(next.all.isEmpty)
        }
    }

    @Test("something else in the index's place is left there, and the cache works without")
    func strangers() throws {
        for name in ["", "/state", "/snapshot"] {
            let directory = try CacheDirectory()
            let path = "\(directory.path)/index-1\(name)"
            let outside = "\(directory.path)/mine"
            try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
            if !name.isEmpty {
                try FileManager.default.createDirectory(
                    atPath: "\(directory.path)/index-1", withIntermediateDirectories: true)
            }
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: outside)
            let warnings = Warnings()
            let cache = directory.cache(warnings: warnings)
            for number in 0..<5 { try cache.store(.sample(), for: CacheKey("\(number)")) }
            #expect(cache.usage().count == 5)
            #expect(warnings.all.count <= 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
            guard name != "/snapshot" else { continue }
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == outside)
        }
    }

    @Test(
        "a disk that is full, read-only or broken for the index leaves the cache at work, with one warning",
        arguments: [ENOSPC, EACCES, EIO],
        [
            [.create], [.write], [.link], [.rename], [.lock], [.makeDirectory], [.read], [.status], [.remove],
            Set(FileSystemError.Operation.allCases),
        ])
    func failures(code: Int32, operations: Set<FileSystemError.Operation>) throws {
        for isFilled in [true, false] {
            let directory = isFilled ? try filled() : try CacheDirectory()
            let fileSystem = FaultyFileSystem()
            fileSystem.fail(operations, wherePathHas: "/index-1", with: code)
            let warnings = Warnings()
            let clock = TestClock()
            let cache = directory.cache(fileSystem, clock: clock, warnings: warnings) { $0.maxDiskCount = 20 }
            for number in 1..<12 { try cache.store(.sample(count: 10 * number), for: CacheKey("\(number)")) }
            #expect(cache.usage() == usage(of: directory, count: 11))
            for number in 12..<30 {
                // The index knows seconds, whatever it is made of.
                clock.advance(by: 1)
                try cache.store(.sample(), for: CacheKey("\(number)"))
            }
            cache.index.compact()
            try cache.removeExpired()
            #expect(cache.usage() == usage(of: directory, count: 10))
            #expect(try cache.entry(for: CacheKey("29")) != nil)
            cache.saveAccessTimes()
            #expect(warnings.all.count <= 1)
            #expect(directory.cache().usage() == usage(of: directory, count: 10))
        }
    }

    @Test("complaint 1: the index fails in the middle, and the next process finds what was not written down")
    func failureInTheMiddle() throws {
        let directory = try filled()
        let fileSystem = FaultyFileSystem()
        let warnings = Warnings()
        let cache = directory.cache(fileSystem, warnings: warnings)
        #expect(cache.usage().count == 11)
        fileSystem.fail([.write], wherePathHas: "/journal-", with: ENOSPC)
        for number in 20..<30 { try cache.store(.sample(), for: CacheKey("\(number)")) }
        #expect(cache.usage().count == 21 && warnings.all.count == 1)
        #expect(directory.cache().usage() == usage(of: directory, count: 21))
    }

    @Test(
        "complaint 11: whatever strangers do to the index while two use it, both go on, and their accounts equal the files",
        arguments: ["state", "snapshot", "journal-"], Harm.allCases)
    func strangersAtWork(name: String, harm: Harm) throws {
        let directory = try filled()
        let warnings = Warnings()
        let caches = [directory.cache(warnings: warnings), directory.cache(warnings: warnings)]
        #expect(caches.allSatisfy { $0.usage().count == 11 })
        for path in directory.indexFiles where path.contains("/\(name)") { try harm.do(to: path) }
        #expect(caches[0].contains(CacheKey("1")) && !caches[1].contains(CacheKey("0")))
        for number in 20..<30 {
            try caches[number % 2].store(.sample(count: number), for: CacheKey("\(number)"))
            #expect(try caches[1 - number % 2].entry(for: CacheKey("\(number)")) != nil)
        }
        try caches[0].remove(for: CacheKey("1"))
        // What one makes anew is news for the other.
        for _ in 0..<2 { for cache in caches { _ = cache.usage() } }
        let files = usage(of: directory, count: 20)
        for cache in caches + [directory.cache()] { #expect(cache.usage() == files) }
        #expect(caches.allSatisfy { $0.contains(CacheKey("29")) && !$0.contains(CacheKey("1")) })
        #expect(warnings.all.count <= 2)
    }

    /// What a stranger does to a file that is in use. Unless it is removed, it stays the same file, and who has it open
    /// sees the change.
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

    @Test(
        "the journal alone is harmed: who uses it notices before it changes anything, and the next process as well",
        arguments: [Harm.emptied, .removed])
    func lostJournal(harm: Harm) throws {
        for isUsed in [true, false] {
            let directory = try filled()
            let clock = TestClock()
            let cache = isUsed ? directory.cache(clock: clock) : nil
            if let cache { #expect(cache.usage().count == 11) }
            let path = try #require(directory.indexFiles.first { $0.contains("/journal-") })
            try harm.do(to: path)
            let files = usage(of: directory, count: 11)
            if let cache {
                clock.advance(by: 1)
                #expect(cache.contains(CacheKey("11")) && !cache.contains(CacheKey("0")))
                #expect(cache.usage() == files)
            }
            #expect(directory.cache().usage() == files)
        }
    }

    @Test("an index that is removed while it is used is made anew")
    func removed() throws {
        let directory = try filled()
        let cache = directory.cache()
        #expect(cache.usage().count == 11)
        try FileManager.default.removeItem(atPath: "\(directory.path)/index-1")
        try cache.store(.sample(), for: CacheKey("new"))
        #expect(cache.usage().count == 12)
        #expect(!directory.indexFiles.isEmpty)
        #expect(directory.cache().usage() == cache.usage())
    }

    @Test("complaint 11: power fails, and the last changes are not in the journal: the next process looks at the files")
    func shorterJournal() throws {
        for lost in 1...6 {
            let directory = try filled()
            let dying = FaultyFileSystem()
            try closing(directory.cache(dying)) { cache in
                _ = cache.usage()
                for number in 20..<25 { try cache.store(.sample(), for: CacheKey("\(number)")) }
                try cache.remove(for: CacheKey("5"))
                // It ends as a process that is killed: nothing more is written.
                dying.kill(atCall: 0)
            }
            let path = try #require(directory.indexFiles.first { $0.contains("/journal-") })
            let old = try FileManager.default.attributesOfItem(atPath: path)
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.truncate(atOffset: try file.seekToEnd() - UInt64(lost * JournalRecord.size))
            try file.close()
            // The date may come to the disk before the rest.
            try FileManager.default.setAttributes(
                [.modificationDate: old[.modificationDate] as? Date ?? Date()], ofItemAtPath: path)
            let next = directory.cache()
            #expect(next.usage() == usage(of: directory, count: 15), "\(lost) are lost")
            #expect(next.contains(CacheKey("24")) && !next.contains(CacheKey("5")))
            #expect(directory.cache().usage() == next.usage())
        }
    }
}
