import FoundationEssentials
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageCache
@testable import WebImageTestDoubles

@Suite("Tiers behind the disk", .timeLimit(.minutes(5)))
struct FartherTierTests {
    private let key = CacheKey("https://example.org/a.jpg")
    private let entry = DiskCacheEntry(data: Data("picture".utf8))
    private let newer = DiskCacheEntry(data: Data("another picture".utf8))

    /// The cache of one machine.
    private func cache(_ tiers: DictionaryTier..., disk: any DiskCaching = DictionaryDisk()) -> ImageCache {
        var config = ImageCacheConfig()
        config.fartherTiers = tiers
        return ImageCache(memoryCache: MemoryCache(), diskCache: disk, config: config)
    }

    /// An entry that was made of the file of another one.
    private func thumbnail(of entry: DiskCacheEntry) -> DiskCacheEntry {
        DiskCacheEntry(data: Data("thumbnail".utf8), headers: [HTTPRecord.original: entry.textOfFingerprint])
    }

    @Test("what a tier has is stored in all nearer ones, and found there from then on")
    func filled() async throws {
        let (near, far, disk) = (DictionaryTier(), DictionaryTier(), DictionaryDisk())
        try await self.cache(far).storeEverywhere(entry, for: key)
        let cache = cache(near, far, disk: disk)
        #expect(try await cache.data(for: key) == entry.data)
        await cache.flush()
        #expect(disk.entry(for: key)?.data == entry.data)
        #expect(near.entries.value == far.entries.value && near.entries.value.count == 1)
        let reads = far.reads.value.count
        #expect(try await cache.data(for: key) == entry.data)
        #expect(far.reads.value.count == reads)
    }

    @Test("stores, removals and clearings reach all tiers, in the order of the calls")
    func changed() async throws {
        let tiers = [DictionaryTier(), DictionaryTier()]
        let cache = cache(tiers[0], tiers[1])
        let thumbnail = key.thumbnail(.square(8), preservesAspectRatio: true)
        cache.storeOnDisk(entry, for: key, completion: nil)
        cache.remove(for: key, from: .all, completion: nil)
        cache.storeOnDisk(newer, for: key, completion: nil)
        cache.storeOnDisk(self.thumbnail(of: newer), for: thumbnail, completion: nil)
        cache.storeOnDisk(entry, for: "other", completion: nil)
        await cache.flush()
        #expect(tiers.map(\.entries.value.count) == [3, 3])
        await cache.remove(for: key)
        #expect(tiers.map(\.entries.value.count) == [1, 1])
        await cache.clear()
        #expect(tiers.map(\.entries.value.count) == [0, 0])
    }

    @Test(
        "a picture that is removed while a slow tier is asked for it, or for its thumbnail, is not found and comes back nowhere",
        arguments: [false, true])
    func removedMeanwhile(isThumbnail: Bool) async throws {
        let (gate, disk, picture) = (Gate(), DictionaryDisk(), self.key)
        let key = isThumbnail ? picture.thumbnail(.square(8), preservesAspectRatio: true) : picture
        let tier = DictionaryTier(after: gate)
        tier.entries.update { [key, entry] in $0[tier.path(of: key)] = try? entry.bytes(for: key) }
        let cache = cache(tier, disk: disk)
        let found = Task { try await cache.data(for: key) }
        try await tier.reads.wait { $0.count == 1 }
        cache.remove(for: picture, from: .all, completion: nil)
        // The tier may still have it.
        #expect(try await cache.data(for: key) == nil)
        gate.open()
        #expect(try await found.value == nil)
        await cache.flush()
        #expect(disk.count == 0 && tier.entries.value.isEmpty)
    }

    @Test("what is stored while a slow tier is asked is not replaced by the older entry")
    func storedMeanwhile() async throws {
        let (gate, disk) = (Gate(), DictionaryDisk())
        let tier = DictionaryTier(after: gate)
        tier.entries.update { [key, entry] in $0[tier.path(of: key)] = try? entry.bytes(for: key) }
        let cache = cache(tier, disk: disk)
        let found = Task { try await cache.data(for: key) }
        try await tier.reads.wait { $0.count == 1 }
        cache.storeOnDisk(newer, for: key, completion: nil)
        gate.open()
        #expect(try await found.value == entry.data)
        await cache.flush()
        #expect(disk.entry(for: key)?.data == newer.data)
        #expect(tier.entries.value == [tier.path(of: key): try newer.bytes(for: key)])
    }

    @Test("a store is done when the disk has it, though a tier hangs; a flush waits for the tier")
    func hanging() async throws {
        let (gate, disk) = (Gate(), DictionaryDisk())
        let tier = DictionaryTier(after: gate)
        let cache = cache(tier, disk: disk)
        try await cache.store(entry, for: key)
        #expect(disk.entry(for: key)?.data == entry.data)
        #expect(cache.writer.contents(of: key) == nil, "its bytes are not held for queries")
        #expect(tier.entries.value.isEmpty)
        gate.open()
        await cache.flush()
        #expect(tier.entries.value.count == 1)
    }

    @Test("stores that a slow tier lets pile up are bounded by their bytes, and it gets later ones again")
    func backlog() async throws {
        let gate = Gate()
        let tier = DictionaryTier(after: gate)
        let farther = try #require(FartherTiers([tier], mostWaitingBytes: entry.data.count))
        let dropped = Observed(false)
        farther.make(.store(entry, "first")) {}
        farther.make(.store(entry, "dropped")) { dropped.update { $0 = true } }
        #expect(dropped.value)
        farther.make(.remove("another")) {}
        gate.open()
        await withCheckedContinuation { continuation in farther.run { continuation.resume() } }
        #expect(Array(tier.entries.value.keys) == [tier.path(of: "first")])
        farther.make(.store(newer, "larger")) {}
        await withCheckedContinuation { continuation in farther.run { continuation.resume() } }
        #expect(tier.entries.value.count == 2)
    }

    @Test("what the disk could not take is not replaced in nearer tiers by what a query has found in a farther one")
    func storedOnFullDisk() async throws {
        let (gate, near) = (Gate(), DictionaryTier())
        let far = DictionaryTier(after: gate)
        let key = self.key.thumbnail(.square(8), preservesAspectRatio: true)
        let (old, new) = (thumbnail(of: entry), thumbnail(of: newer))
        far.entries.update { [old] in $0[far.path(of: key)] = try? old.bytes(for: key) }
        let cache = cache(near, far, disk: FullDisk())
        let found = Task { try await cache.data(for: key) }
        try await far.reads.wait { $0.count == 1 }
        await #expect(throws: WebImageError.self) { try await cache.store(new, for: key) }
        await cache.flush()
        gate.open()
        _ = try await found.value
        await cache.flush()
        #expect(near.entries.value == [near.path(of: key): try new.bytes(for: key)])
    }

    @Test("another file for a picture takes its thumbnails in the tier with it, and the same file leaves them")
    func families() async throws {
        let tier = DictionaryTier()
        let thumbnail = key.thumbnail(.square(8), preservesAspectRatio: true)
        let writer = cache(tier)
        try await writer.storeEverywhere(entry, for: key)
        try await writer.storeEverywhere(self.thumbnail(of: entry), for: thumbnail)
        try await cache(tier).storeEverywhere(entry, for: key)
        #expect(try await cache(tier).data(for: thumbnail) != nil)
        try await cache(tier).storeEverywhere(newer, for: key)
        #expect(try await cache(tier).data(for: thumbnail) == nil)
    }

    @Test("a picture that is stored between the two requests of a removal stays in the tier")
    func storedWhileRemoved() async throws {
        let tier = DictionaryTier()
        let cache = cache(tier)
        try await cache.store(entry, for: key)
        cache.writer.request(.remove(key))
        cache.storeOnDisk(newer, for: key, completion: nil)
        cache.writer.request(.removeDerived(key, unlessOf: nil))
        await cache.flush()
        #expect(tier.entries.value == [tier.path(of: key): try newer.bytes(for: key)])
    }

    @Test("a thumbnail of an older file that a tier still has is none")
    func outdated() async throws {
        let (tier, directory) = (DictionaryTier(), try CacheDirectory())
        let thumbnail = key.thumbnail(.square(8), preservesAspectRatio: true)
        try await cache(tier).storeEverywhere(self.thumbnail(of: entry), for: thumbnail)
        try directory.cache().store(newer, for: key)
        #expect(try await cache(tier, disk: directory.cache()).data(for: thumbnail) == nil)
    }

    @Test("an older thumbnail in a tier neither counts nor removes the newer ones, where the disk has no original")
    func older() async throws {
        let (tier, directory) = (DictionaryTier(), try CacheDirectory())
        let (small, large) = (
            key.thumbnail(.square(8), preservesAspectRatio: true), key.thumbnail(.square(9), preservesAspectRatio: true)
        )
        try await cache(tier).storeEverywhere(thumbnail(of: entry), for: small)
        let disk = directory.cache()
        try disk.store(thumbnail(of: newer), for: large)
        let cache = cache(tier, disk: disk)
        #expect(try await cache.data(for: small) == nil)
        // Of one file, they are found.
        try await self.cache(tier).storeEverywhere(thumbnail(of: newer), for: small)
        #expect(try await cache.data(for: small) != nil)
        await cache.flush()
        #expect(disk.contains(small) && disk.contains(large))
    }

    @Test("what fills the nearer tiers takes nothing away there")
    func fillsAlone() async throws {
        let (near, far, directory) = (DictionaryTier(), DictionaryTier(), try CacheDirectory())
        let thumbnail = key.thumbnail(.square(8), preservesAspectRatio: true)
        try await cache(far).storeEverywhere(entry, for: key)
        try await cache(near).storeEverywhere(self.thumbnail(of: newer), for: thumbnail)
        let disk = directory.cache()
        try disk.store(self.thumbnail(of: newer), for: thumbnail)
        let cache = cache(near, far, disk: disk)
        #expect(try await cache.data(for: key) == entry.data)
        await cache.flush()
        #expect(disk.contains(thumbnail) && near.entries.value.count == 2)
    }

    @Test("a tier that fails costs no picture")
    func failing() async throws {
        let (failing, good) = (DictionaryTier(failure: WebImageError.cancelled()), DictionaryTier())
        try await cache(failing, good).storeEverywhere(entry, for: key)
        #expect(try await cache(failing, good).data(for: key) == entry.data)
        #expect(try await cache(failing).data(for: key) == nil)
    }

    @Test("an entry that has expired is none, and beginnings of files go to no tier")
    func excluded() async throws {
        let tier = DictionaryTier()
        var expired = entry
        expired.expiresAt = Date() - 1
        try await cache(tier).storeEverywhere(expired, for: key)
        #expect(try await cache(tier).data(for: key) == nil)
        tier.entries.update { $0 = [:] }
        try await cache(tier).storeEverywhere(entry, for: key.partialBody)
        #expect(tier.entries.value.isEmpty)
    }

    @Test("a query that is cancelled ends at once, and its tier's task is cancelled")
    func cancelled() async throws {
        let tier = DictionaryTier(after: Gate())
        let cache = cache(tier)
        let found = Task { try await cache.data(for: key) }
        try await tier.reads.wait { $0.count == 1 }
        found.cancel()
        let error = await #expect(throws: WebImageError.self) { try await found.value }
        #expect(error?.isCancelled == true)
    }

    /// In a child process, because the handler is global.
    @Test("a tier whose request fails because its query is cancelled gives no warning")
    func cancelledRequest() async {
        await #expect(processExitsWith: .success) {
            let warnings = Observed(0)
            WebImageLog.setHandler { _ in warnings.update { $0 += 1 } }
            let tier = RequestTier()
            let farther = try #require(FartherTiers([tier]))
            let found = Task { await farther.entry(for: "key") == nil }
            try await tier.requests.wait { $0 == 1 }
            found.cancel()
            #expect(await found.value && warnings.value == 0)
        }
    }

    @Test("an entry's bytes have all that belongs to it, and nothing else reads them")
    func bytes() throws {
        var entry = DiskCacheEntry(
            data: Data("picture".utf8), storedAt: Date(timeIntervalSinceReferenceDate: 2),
            headers: ["etag": "\"1\""], extendedData: Data("mine".utf8),
            createdAt: Date(timeIntervalSinceReferenceDate: 1), expiresAt: Date(timeIntervalSinceReferenceDate: 3),
            originalPixelSize: PixelSize(width: 5, height: 6))
        entry.rights.credential = 7
        entry.rights.acceptsAnyCertificate = true
        let bytes = try entry.bytes(for: key)
        let read = try #require(DiskCacheEntry(bytes: bytes, for: key))
        #expect(read.isSame(as: entry) && read.rights == entry.rights)
        #expect(DiskCacheEntry(bytes: bytes, for: "another") == nil)
        for index in [0, bytes.count / 2, bytes.count - 1] {
            var damaged = bytes
            damaged[index] ^= 1
            #expect(DiskCacheEntry(bytes: damaged, for: key) == nil, "byte \(index)")
        }
        #expect(DiskCacheEntry(bytes: bytes.dropLast(), for: key) == nil)
        #expect(DiskCacheEntry(bytes: Data(), for: key) == nil)
    }
}

/// A tier whose requests end when they are cancelled, with an error of its own, as those of a URL session do.
private struct RequestTier: ImageCacheTier {
    struct Ended: Error {}

    let requests = Observed(0)
    private let gate = Gate()

    func bytes(at path: String) async throws -> Data? {
        requests.update { $0 += 1 }
        do { try await gate.wait() } catch { throw Ended() }
        return nil
    }

    func store(_ bytes: Data, at path: String) {}
    func remove(at path: String) {}
}

/// A disk that has no space.
private struct FullDisk: DiskCaching {
    func contains(_ key: CacheKey) -> Bool { false }
    func entry(for key: CacheKey) -> DiskCacheEntry? { nil }
    func store(_ entry: DiskCacheEntry, for key: CacheKey) throws(WebImageError) {
        throw WebImageError(.diskFull, stage: .store, kind: .transient, reason: "full")
    }
    func remove(for key: CacheKey) {}
    func removeAll() {}
    func removeExpired() {}
    func usage() -> DiskCacheUsage { DiskCacheUsage(count: 0, byteCount: 0) }
}

extension ImageCache {
    /// Returns when all tiers have the entry.
    fileprivate func storeEverywhere(_ entry: DiskCacheEntry, for key: CacheKey) async throws {
        try await store(entry, for: key)
        await flush()
    }
}

extension DictionaryTier {
    /// The path at which a cache looks for an entry.
    fileprivate func path(of key: CacheKey) -> String {
        let name = DiskEntryName(key).fileName
        return "\(name.prefix(16))/\(name)"
    }
}
