import Foundation
import Testing
import WebImageTesting

@testable import WebImage

/// What a process has done to files and owes the others, who have to find it out when it is killed, and must not miscount
/// while it evicts, joins, or is found dead. A cache whose file system is dead acts like a killed process; a foreign one
/// hears of the others 20 ms later.
@Suite("The disk cache's index: what others count before all was told", .timeLimit(.minutes(5)))
struct DiskIndexDebtTests {
    private let clock = TestClock()
    private let new = CacheKey("new")

    /// A directory of ten entries with one process that knows them, and one whose calls to the system can be stopped.
    private struct Scene {
        let directory: CacheDirectory
        let dying = FaultyFileSystem()
        let survivor: DiskCache

        init(_ clock: TestClock) throws {
            directory = try CacheDirectory.filled()
            survivor = directory.openCache(clock: clock, isForeign: true)
        }

        func refuseJournals() { dying.fail([.create], wherePathHas: "/journal-", with: EACCES) }

        func refuseIndex() { dying.fail([.lock], wherePathHas: "/state", with: ENOLCK) }

        /// Whether who lived and who comes next count the files that are there.
        func expectTrueAccounts(_ comment: Comment) throws {
            #expect(survivor.usage() == directory.usageOfFiles, comment)
            // Later than the journal, a directory's date would tell the next one.
            let root = "\(directory.path)/entries-2"
            for name in try FileManager.default.contentsOfDirectory(atPath: root) {
                let path = "\(root)/\(name)"
                try FileManager.default.setAttributes([.modificationDate: Date() - 3600], ofItemAtPath: path)
            }
            #expect(directory.cache(isForeign: true).usage() == directory.usageOfFiles, comment)
        }
    }

    /// Plays a scene anew for each call to the system at which its process may be killed, until it outlives `play`.
    private func killAtEachCall(
        atLeast count: Int, _ prepare: (Scene, DiskCache) throws -> Void = { _, _ in },
        _ play: (Scene, DiskCache, _ call: Int) throws -> Void
    ) throws {
        var (call, hasDied) = (0, true)
        while hasDied {
            call += 1
            let scene = try Scene(clock)
            try closing(scene.directory.cache(scene.dying, clock: clock)) { cache in
                try prepare(scene, cache)
                try play(scene, cache, call)
                hasDied = scene.dying.isDead
                scene.dying.kill(atCall: 0)
            }
            try scene.expectTrueAccounts("killed at call \(call)")
        }
        #expect(call > count)
    }

    /// What a process does that cannot use the index, but could again.
    private func changeAlone(_ scene: Scene, _ cache: DiskCache) throws {
        scene.refuseIndex()
        try cache.store(.sample(count: 5000), for: new)
        for key in ["3", "4"] { try cache.remove(for: CacheKey(key)) }
        try cache.store(.sample(count: 4000), for: CacheKey("5"))
        scene.dying.allowAllPaths()
        clock.advance(by: 10)
    }

    @Test("complaint 11: one joins the others, and is killed while it tells them what it has changed before")
    func joining() throws {
        try killAtEachCall(atLeast: 20, changeAlone) { scene, cache, call in
            scene.dying.kill(atCall: call)
            cache.index.care()
        }
    }

    @Test(
        "complaint 11: one joins the others in the middle of a change, and is killed before it has told them of that",
        arguments: [true, false])
    func joiningDuringChange(isStore: Bool) throws {
        try killAtEachCall(atLeast: 3, changeAlone) { scene, cache, call in
            let key = CacheKey("6")
            let changing = HeldWork(
                at: isStore ? [.link, .rename] : [.remove], wherePathHas: "/entries-2/", of: scene.dying
            ) {
                if isStore { try? cache.store(.sample(count: 900), for: key) } else { try? cache.remove(for: key) }
            }
            cache.index.care()
            scene.dying.kill(atCall: call)
            changing.finish()
        }
    }

    /// Why a process cannot use the index.
    enum Refusal: CaseIterable { case places, journals, journalsAndSigns }

    @Test(
        "complaint 11: one that cannot use the index is killed in the middle of a change, after all files were looked at",
        arguments: Refusal.allCases, [true, false])
    func alone(refusal: Refusal, isStore: Bool) throws {
        let refuse = { (scene: Scene, cache: DiskCache) in
            switch refusal {
            case .places: scene.refuseIndex()
            case .journals: scene.refuseJournals()
            case .journalsAndSigns:
                scene.refuseJournals()
                scene.dying.fail([.create], wherePathHas: "/untold", with: EACCES)
            }
            try cache.store(.sample(count: 5000), for: new)
            #expect(scene.survivor.usage() == scene.directory.usageOfFiles)
        }
        try killAtEachCall(atLeast: 0, refuse) { scene, cache, call in
            let key = CacheKey("6")
            let changing = HeldWork(
                at: isStore ? [.link, .rename] : [.remove], wherePathHas: "/entries-2/", of: scene.dying
            ) {
                if isStore { try? cache.store(.sample(count: 900), for: key) } else { try? cache.remove(for: key) }
            }
            #expect(scene.survivor.usage() == scene.directory.usageOfFiles)
            scene.dying.kill(atCall: call)
            changing.finish()
        }
    }

    @Test(
        "complaint 11: one loses the index in the middle of a change, and is killed after all files were looked at",
        arguments: [true, false])
    func losingDuringChange(canSign: Bool) throws {
        let scene = try Scene(clock)
        try closing(scene.directory.openCache(scene.dying, clock: clock)) { cache in
            let changing = HeldWork(at: [.link, .rename], wherePathHas: "/entries-2/", of: scene.dying) {
                try? cache.store(.sample(count: 900), for: CacheKey("6"))
            }
            scene.dying.fail([.write], wherePathHas: "/journal-", with: EIO)
            if !canSign {
                for part in ["/untold", "/state"] { scene.dying.fail([.create], wherePathHas: part, with: EMFILE) }
            }
            try #require(try cache.entry(for: CacheKey("1")) != nil)
            _ = cache.index.tellUses()
            #expect(scene.survivor.usage() == scene.directory.usageOfFiles)
            scene.dying.kill(atCall: 1)
            changing.finish()
        }
        try scene.expectTrueAccounts("")
    }

    @Test(
        "complaint 11: who takes a sign away leaves the next one's, and those of which he cannot tell",
        arguments: [true, false])
    func signOfAnother(isSignGone: Bool) throws {
        let (scene, slow) = (try Scene(clock), FaultyFileSystem())
        scene.refuseIndex()
        try closing(scene.directory.cache(scene.dying, clock: clock)) { cache in
            try closing(scene.directory.openCache(slow, clock: clock, isForeign: true)) { finder in
                if !isSignGone { slow.fail([.lock], wherePathHas: "/untold", with: ENOLCK) }
                try cache.store(.sample(count: 5000), for: new)
                let finding = HeldWork(at: [.lock], wherePathHas: "/untold", of: slow) { _ = finder.usage() }
                if isSignGone { #expect(scene.survivor.usage() == scene.directory.usageOfFiles) }
                let changing = HeldWork(at: [.link, .rename], wherePathHas: "/entries-2/", of: scene.dying) {
                    try? cache.store(.sample(count: 900), for: CacheKey("6"))
                }
                finding.finish()
                #expect(scene.survivor.usage() == scene.directory.usageOfFiles)
                scene.dying.kill(atCall: 1)
                changing.finish()
            }
        }
        try scene.expectTrueAccounts("")
    }

    @Test(
        "complaint 11: what one evicts that cannot use the index is counted by all when it can, and when it is killed")
    func evictingAlone() throws {
        let evict = { (scene: Scene, cache: DiskCache) in
            _ = cache.usage()
            scene.refuseIndex()
            try FileManager.default.removeItem(atPath: "\(scene.directory.path)/index-1/state")
            try cache.store(.sample(count: 900), for: new)
            #expect(scene.survivor.usage() == scene.directory.usageOfFiles)
            try cache.trim(count: 5)
            scene.dying.allowAllPaths()
            clock.advance(by: 10)
        }
        try killAtEachCall(atLeast: 20, evict) { scene, cache, call in
            scene.dying.kill(atCall: call)
            cache.index.care()
            if !scene.dying.isDead { #expect(scene.survivor.usage() == scene.directory.usageOfFiles) }
        }
    }

    @Test("complaint 11: others have begun two journals, and one is killed that appended to the last but one")
    func appendingToOldJournal() throws {
        let outpace = { (scene: Scene, cache: DiskCache) in
            _ = cache.usage()
            for _ in 0..<2 { scene.survivor.index.compact() }
        }
        try killAtEachCall(atLeast: 10, outpace) { scene, cache, call in
            scene.dying.kill(atCall: call)
            try? cache.store(.sample(count: 900), for: new)
        }
    }

    @Test(
        "complaint 11: two write one entry, and tell of it in the other order; the one is killed that has seen the other",
        arguments: [true, false])
    func confusedOrder(isKilled: Bool) throws {
        let (scene, slow) = (try Scene(clock), FaultyFileSystem())
        try closing(scene.directory.openCache(slow, clock: clock, isForeign: true)) { other in
            try closing(scene.directory.openCache(scene.dying, clock: clock)) { cache in
                let telling = HeldWork(at: [.write], wherePathHas: "/journal-", of: slow) { [new] in
                    try? other.store(.sample(count: 100), for: new)
                }
                try cache.store(.sample(count: 200), for: new)
                if isKilled { scene.dying.kill(atCall: 0) }
                telling.finish()
            }
        }
        try scene.expectTrueAccounts("")
    }

    @Test(
        "complaint 11: what is stored anew while it is evicted, as large and in the same second, stays and is counted")
    func storedWhileEvicted() throws {
        let (scene, slow) = (try Scene(clock), FaultyFileSystem())
        let key = try #require((0..<20).map { CacheKey("\($0) new") }.max { $0.directory < $1.directory })
        try closing(scene.directory.openCache(slow, clock: clock)) { cache in
            try cache.store(.sample(count: 100, seed: 1), for: key)
            let evicting = HeldWork(at: [.remove], wherePathHas: "/entries-2/", of: slow) {
                _ = cache.remove(until: .atMost(.init(count: 0, size: 0)), limit: 11)
            }
            try cache.store(.sample(count: 100, seed: 2), for: key)
            evicting.finish()
            #expect(try cache.entry(for: key)?.data == DiskCacheEntry.sample(count: 100, seed: 2).data)
        }
        #expect(scene.directory.files.count == 1)
        try scene.expectTrueAccounts("")
    }

    @Test("complaint 11: who begins, or makes a new snapshot, while entries are evicted counts none that is gone")
    func beginningDuringEviction() throws {
        let (scene, slow) = (try Scene(clock), FaultyFileSystem())
        try closing(scene.directory.openCache(slow, clock: clock)) { cache in
            let evicting = HeldWork(at: [.remove], wherePathHas: "/entries-2/", of: slow) {
                _ = try? cache.trim(count: 3)
            }
            try closing(scene.directory.openCache(clock: clock, isForeign: true)) { late in
                cache.index.compact()
                evicting.finish()
                #expect(late.usage() == scene.directory.usageOfFiles)
            }
        }
        #expect(scene.directory.files.count == 3)
        try scene.expectTrueAccounts("")
    }

    @Test("complaint 11: what another has stored anew just before it is evicted, and is heard of after, is not counted")
    func storedBeforeEviction() throws {
        let (scene, slow) = (try Scene(clock), FaultyFileSystem())
        let keys = (0..<10).map { CacheKey("\($0)") }.sorted { $0.directory < $1.directory }
        try closing(scene.directory.openCache(slow, clock: clock)) { cache in
            let victims = cache.index.victims(for: .atMost(.init(count: 0, size: 0)), after: nil, limit: 10)
            try closing(scene.directory.openCache(clock: clock, isForeign: true)) {
                try $0.store(.sample(), for: keys[0])
            }
            let second = DiskEntryName(keys[1]).path(in: "")
            let evicting = HeldWork(at: [.remove], wherePathHas: second, of: slow) {
                _ = cache.index.evict(victims) { name throws(FileSystemError) in try cache.files.remove(name) }
            }
            _ = cache.contains(new)
            evicting.finish()
        }
        #expect(scene.directory.files.isEmpty)
        try scene.expectTrueAccounts("")
    }

    @Test("complaint 11: the first process of a directory is killed before it has told of its first entry")
    func firstEntry() throws {
        let (directory, dying) = (try CacheDirectory(), FaultyFileSystem())
        try closing(directory.cache(dying, clock: clock)) { first in
            let storing = HeldWork(at: [.link, .rename], wherePathHas: "/entries-2/", of: dying) { [new] in
                try? first.store(.sample(), for: new)
            }
            let second = directory.openCache(clock: clock, isForeign: true)
            #expect(second.usage().count == 0)
            dying.setGate { operation, _ in if operation == .write { dying.kill(atCall: 0) } }
            storing.finish()
            #expect(directory.files.count == 1 && second.usage() == directory.usageOfFiles)
        }
    }

    @Test("complaint 20: an entry that is given an end by a process that dies over it comes to that end")
    func diedOverExpiry() throws {
        let (scene, key) = (try Scene(clock), CacheKey("1"))
        var ending = DiskCacheEntry.sample()
        ending.expiresAt = clock.now + 100
        try closing(scene.directory.openCache(scene.dying, clock: clock)) { cache in
            let size = try #require(cache.index[DiskEntryName(key)]).byteCount
            let storing = HeldWork(at: [.link, .rename], wherePathHas: "/entries-2/", of: scene.dying) { [ending] in
                try? cache.store(ending, for: key)
            }
            scene.dying.fail([.write], wherePathHas: "/journal-", with: EIO)
            scene.dying.setGate { [dying = scene.dying] _, path in
                if path.contains("/journal-") { dying.kill(atCall: 0) }
            }
            storing.finish()
            let path = try #require(cache.cachePath(for: key))
            let status = try POSIXFileSystem().status(of: path)
            try #require(status.size == size)
            // Seconds after what was there before.
            try FileManager.default.setAttributes([.modificationDate: Date() + 10], ofItemAtPath: path)
        }
        #expect(scene.survivor.index[DiskEntryName(key)]?.expiry == .never)
        #expect(scene.survivor.usage() == scene.directory.usageOfFiles)
        #expect(scene.survivor.index[DiskEntryName(key)]?.expiry == .unknown)
        clock.advance(by: 200)
        #expect(!scene.survivor.contains(key))
    }

    @Test("a file that nobody can look at is asked for again after a while, and not without end")
    func unseen() throws {
        let slow = FaultyFileSystem()
        let directory = try CacheDirectory.filled()
        let cache = directory.openCache(slow, clock: clock)
        let name = DiskEntryName(CacheKey("1"))
        slow.fail([.status], wherePathHas: name.path(in: ""), with: EIO)
        cache.index.doubt([name])
        #expect(cache.index.care() != nil)
        slow.allowAllPaths()
        #expect(cache.index.care() == nil && cache.usage() == directory.usageOfFiles)
    }

    /// Leaves something to be found out behind.
    private func die(in scene: Scene) throws {
        try closing(scene.directory.openCache(scene.dying, clock: clock)) { cache in
            let storing = HeldWork(at: [.write], wherePathHas: "/journal-", of: scene.dying) { [new] in
                try? cache.store(.sample(count: 900), for: new)
            }
            scene.dying.kill(atCall: 0)
            storing.finish()
        }
    }

    @Test("complaint 11: who finds a process dead and is stopped over it does not keep others from finding it dead")
    func foundDeadTwice() throws {
        let (scene, slow) = (try Scene(clock), FaultyFileSystem())
        try closing(scene.directory.openCache(slow, clock: clock)) { finder in
            try die(in: scene)
            let finding = HeldWork(at: [.write], wherePathHas: "/state", of: slow) { finder.index.care() }
            try scene.expectTrueAccounts("while it is stopped")
            finding.finish()
            try scene.expectTrueAccounts("afterwards")
        }
    }

    @Test("complaint 11: who begins in the place of a dead process does not pass for it")
    func deadPlace() throws {
        let (scene, slow) = (try Scene(clock), FaultyFileSystem())
        try die(in: scene)
        let beginning = HeldWork(at: [.write], wherePathHas: "/state", of: slow) { [scene, clock] in
            _ = scene.directory.openCache(slow, clock: clock)
        }
        #expect(scene.survivor.usage() == scene.directory.usageOfFiles)
        beginning.finish()
        try scene.expectTrueAccounts("afterwards")
    }
}

extension CacheKey {
    fileprivate var directory: UInt8 { DiskEntryName(self).directory }
}
