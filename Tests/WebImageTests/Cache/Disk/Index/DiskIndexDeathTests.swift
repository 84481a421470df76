import Foundation
import Synchronization
import Testing
import WebImageTesting

@testable import WebImage

/// A cache whose file system is dead acts like a killed process: it leaves what it had begun, and its locks go.
@Suite("The disk cache's index: processes that die while others live")
struct DiskIndexDeathTests {
    private let directory: CacheDirectory
    private let new = CacheKey("new")

    init() throws { directory = try CacheDirectory.filled() }

    private var files: DiskCacheUsage { directory.usageOfFiles }

    private func change(_ cache: DiskCache) {
        try? cache.store(.sample(count: 5000), for: new)
        try? cache.remove(for: CacheKey("3"))
    }

    private func dieOverChange(at call: Int) {
        let dying = FaultyFileSystem()
        closing(directory.cache(dying)) { cache in
            _ = cache.usage()
            dying.kill(atCall: call)
            change(cache)
        }
    }

    @Test("complaint 11: one dies at any call of a change, and the accounts of those who live equal the files")
    func survivors() throws {
        let counting = FaultyFileSystem()
        let total = closing(directory.cache(counting)) { first in
            _ = first.usage()
            let before = counting.calls.count
            change(first)
            return counting.calls.count - before
        }
        #expect(total > 10)
        let survivors = [directory.cache(), directory.cache()]
        for call in 1...total {
            try survivors[0].remove(for: new)
            try survivors[0].store(.sample(), for: CacheKey("3"))
            for survivor in survivors { _ = survivor.usage() }
            dieOverChange(at: call)
            for survivor in survivors {
                #expect(survivor.usage() == files, "killed at call \(call)")
                for key in [new, CacheKey("3")] {
                    let isThere = survivor.contains(key)
                    #expect(try (survivor.entry(for: key) != nil) == isThere, "killed at call \(call)")
                }
            }
        }
    }

    @Test(
        "complaint 11: somebody removes the index, others make it anew, and one who used it dies at any call of a change",
        arguments: ["", "/state"], [true, false])
    func removedBefore(part: String, isStore: Bool) throws {
        var (call, hasDied) = (0, true)
        while hasDied {
            call += 1
            let directory = try CacheDirectory.filled()
            let dying = FaultyFileSystem()
            let other = try closing(directory.cache(dying)) { cache in
                _ = cache.usage()
                try FileManager.default.removeItem(atPath: "\(directory.path)/index-1\(part)")
                let other = directory.openCache(isForeign: true)
                dying.kill(atCall: call)
                if isStore { try? cache.store(.sample(count: 5000), for: new) } else { try? cache.removeAll() }
                hasDied = dying.isDead
                dying.kill(atCall: 0)
                return other
            }
            #expect(other.usage() == directory.usageOfFiles, "killed at call \(call)")
            #expect(try other.contains(new) == (other.entry(for: new) != nil), "killed at call \(call)")
        }
        #expect(call > 10)
    }

    @Test(
        "complaint 11: somebody moves the cache or its index away, others make it anew, and one who used it dies after a change",
        arguments: ["", "/index-1", "/index-1/state"])
    func movedBefore(part: String) throws {
        let dying = FaultyFileSystem()
        let former = try CacheDirectory()
        try closing(directory.cache(dying)) { cache in
            _ = cache.usage()
            try FileManager.default.moveItem(atPath: directory.path + part, toPath: "\(former.path)/moved")
            try closing(directory.cache(isForeign: true)) { other in
                try other.store(.sample(count: 100), for: new)
                _ = other.usage()
                change(cache)
                dying.kill(atCall: 0)
                try other.store(.sample(), for: CacheKey("20"))
                #expect(other.usage() == files && other.contains(new) && !other.contains(CacheKey("3")))
            }
        }
        // Later than the journal, a directory's date would tell.
        for path in Set(directory.files.map(\.directoryName)) {
            try FileManager.default.setAttributes([.modificationDate: Date() - 3600], ofItemAtPath: path)
        }
        #expect(directory.cache().usage() == files)
    }

    @Test(
        "complaint 11: the index is removed in the very middle of a store that is killed: the next one finds the file")
    func removedDuring() throws {
        let dying = FaultyFileSystem()
        try closing(directory.cache(isForeign: true)) { other in
            try closing(directory.cache(dying)) { cache in
                _ = cache.usage()
                let storing = HeldWork(at: [.link], wherePathHas: "entries-2", of: dying) { [new] in
                    try? cache.store(.sample(), for: new)
                }
                try FileManager.default.removeItem(atPath: "\(directory.path)/index-1/state")
                #expect(other.usage() == files && files.count == 10)
                dying.kill(atCall: 1)
                storing.finish()
            }
            try other.store(.sample(), for: CacheKey("20"))
        }
        // Later than the journal, a directory's date would tell.
        for path in Set(directory.files.map(\.directoryName)) {
            try FileManager.default.setAttributes([.modificationDate: Date() - 3600], ofItemAtPath: path)
        }
        #expect(directory.cache().usage() == files && files.count == 12)
    }

    @Test("one that lives and is in the middle of a change is not taken for dead")
    func alive() throws {
        let slow = FaultyFileSystem()
        let counting = FaultyFileSystem()
        let (first, second) = (directory.cache(slow), directory.cache(counting))
        #expect(first.usage() == second.usage())
        let writing = HeldWork(at: [.write], wherePathHas: "entries-2", of: slow) {
            try? first.store(.sample(), for: CacheKey("new"))
        }
        let lists = counting.count(of: .list)
        #expect(second.usage().count == 10 && counting.count(of: .list) == lists)
        writing.finish()
        #expect(second.usage() == files && second.contains(new))
    }

    @Test("whoever only asks whether an entry is there learns of a death as well, within a second")
    func contains() throws {
        let clock = TestClock()
        let index = directory.cache(clock: clock).index
        index.care()
        let name = DiskEntryName(CacheKey("1"))
        let files = IndexFiles(cache: directory.path, fileSystem: POSIXFileSystem())
        let seat = try #require(try IndexSeat.take(files))
        seat.state.begin()
        #expect(index.contains(name) == true && index.needsCare.load(ordering: .relaxed))
        index.care()
        #expect(index.isComplete && !index.needsCare.load(ordering: .relaxed), "it is alive")
        seat.leave()
        #expect(index.contains(name) == true && !index.needsCare.load(ordering: .relaxed))
        clock.advance(by: 1)
        #expect(index.contains(name) == true && index.needsCare.load(ordering: .relaxed))
        #expect(try #require(try IndexSeat.take(files)).state.reading?.isDamaged == true)
    }
}
