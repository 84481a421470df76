import WebImageCore

/// The contents of a memory cache, and its eviction, as a plain value under the cache's lock: S3-FIFO (Yang, Zhang,
/// Qiu, Yue, Vigfusson: "FIFO Queues are All You Need for Cache Eviction", SOSP 2023), with costs in bytes.
///
/// A look-up counts a use and moves nothing. A new picture enters the queue of new pictures, which gets three tenths of
/// the cache. A picture at the end of that queue moves to the queue of proven pictures, if it was used more than once.
/// Otherwise it is evicted, and leaves a ghost: if it returns soon, it counts as proven at once. A proven picture at
/// the end of its queue goes through the queue again for each use, three times at most. So a scan of pictures that are
/// seen once evicts no others. Three tenths, where the paper has one, are enough to scroll back in a list.
///
/// Evicted pictures are handed to the caller, which frees them outside the lock.
struct MemoryCacheStore: ~Copyable {
    private(set) var limits: MemoryCacheLimits
    private(set) var evictions = 0
    private(set) var expirations = 0
    private(set) var tally = MemoryCacheTally()

    private var table = MemoryEntryTable()
    /// Pictures that were decoded in another way.
    private var variants = KeyFamilies()
    /// Thumbnails and transformed pictures.
    private var derived = KeyFamilies()
    private var new = EvictionQueue()
    private var proven = EvictionQueue()
    private var ghosts = GhostQueue()
    private var weakImages = WeakImageTable()

    init(limits: MemoryCacheLimits) { self.limits = limits }

    var count: Int { table.count }
    var totalCost: Int { new.cost + proven.cost }

    // MARK: Looking up

    /// The result of a look-up without a change.
    enum Finding: Sendable {
        case image(Image)
        case nothing
        /// The picture has expired, or may be alive elsewhere: ``settle(_:at:releasing:)`` decides.
        case unsettled
    }

    /// Looks a picture up and counts that, without a change, so that many threads can do so at once.
    // Inlined, because a call would copy the whole store.
    @inline(__always)
    func find(_ fingerprint: KeyFingerprint, at now: Int, counting tally: inout MemoryCacheTally) -> Finding {
        guard let slot = table.slot(for: fingerprint) else {
            if limits.keepsWeakReferences { return .unsettled }
            tally.misses += 1
            return .nothing
        }
        let image: Image? = table.withEntry(at: slot) { entry in
            guard entry.deadline > now else { return nil }
            entry.countUse()
            return entry.image
        }
        guard let image else { return .unsettled }
        tally.hits += 1
        return .image(image)
    }

    /// Looks up a picture that has expired, or that may be alive elsewhere; the latter is stored again.
    mutating func settle(_ key: CacheKey, at now: Int, releasing released: inout [Image]) -> Image? {
        var image = takeExpired(key, at: now, releasing: &released)
        if image == nil, let revived = weakImages.entry(for: key, at: now) {
            image = revived.image
            // It is in memory in any case.
            insert(
                revived.image, for: key, cost: revived.cost, within: .max, deadline: revived.deadline, at: now,
                &released)
        }
        if image == nil { tally.misses += 1 } else { tally.hits += 1 }
        return image
    }

    /// The picture, if it was stored again meanwhile; otherwise removes it.
    private mutating func takeExpired(_ key: CacheKey, at now: Int, releasing released: inout [Image]) -> Image? {
        guard let slot = table.slot(for: key.fingerprint) else { return nil }
        let image: Image? = table.withEntry(at: slot) { $0.deadline > now ? $0.image : nil }
        if image == nil { expire(slot, &released) }
        return image
    }

    // MARK: Storing and removing

    /// Stores a picture, replaces any other under that key, and evicts others until it fits. A picture over a tenth of
    /// the limit is not stored.
    ///
    /// - Parameter room: The bytes that other holders of memory leave to this cache.
    mutating func store(
        _ image: Image, for key: CacheKey, cost: Int, within room: Int = .max, deadline: Int, at now: Int,
        releasing released: inout [Image]
    ) {
        let cost = min(max(0, cost), MemoryCacheLimits.highestCost)
        if let file = image.source { removeOthers(of: key, thanOf: file, releasing: &released) }
        if limits.keepsWeakReferences {
            weakImages.insert(image, for: key, cost: cost, deadline: deadline, releasing: &released)
        }
        insert(image, for: key, cost: cost, within: room, deadline: deadline, at: now, &released)
    }

    /// Removes a picture, with its variants, and its ghost.
    ///
    /// - Parameter alone: Whether what was made from it stays.
    mutating func remove(_ key: CacheKey, alone: Bool, releasing released: inout [Image]) {
        _ = ghosts.remove(key.fingerprint)
        weakImages.remove(key, alone: alone)
        for slot in slots(of: key.fingerprint, alone: alone) { release(slot, &released) }
    }

    /// Removes a picture, its variants, and what was made from it, except what is of `file`.
    mutating func removeFamily(of key: CacheKey, unlessOf file: FileFingerprint?, releasing released: inout [Image]) {
        removeFamily(of: key.fingerprint, releasing: &released) { file == nil || $0 != file }
    }

    /// Removes what was made from other files than the picture that is stored now: a family is of one file.
    private mutating func removeOthers(
        of key: CacheKey, thanOf file: FileFingerprint, releasing released: inout [Image]
    ) {
        let family = key.derivedFamily ?? key.variantFamily ?? key.fingerprint
        removeFamily(of: family, releasing: &released) { $0 != nil && $0 != file }
    }

    private mutating func removeFamily(
        of family: KeyFingerprint, releasing released: inout [Image], where isOlder: (FileFingerprint?) -> Bool
    ) {
        weakImages.removeFamily(of: family, releasing: &released, where: isOlder)
        for slot in slots(of: family, alone: false) where isOlder(table.withEntry(at: slot) { $0.image.source }) {
            release(slot, &released)
        }
    }

    /// The pictures of a family that have not expired, in no order.
    func images(of key: CacheKey, at now: Int) -> [Image] {
        slots(of: key.fingerprint, alone: false).compactMap { slot in
            table.withEntry(at: slot) { $0.deadline > now ? $0.image : nil }
        }
    }

    /// The entries of a picture, of its variants, and of what was made from it, each once.
    private func slots(of picture: KeyFingerprint, alone: Bool) -> [Int] {
        let itself = (table.slot(for: picture).map { [$0] } ?? []) + variants.slots(of: picture)
        return alone ? itself : itself + derived.slots(of: picture)
    }

    /// The keys of the pictures that have not expired, in no order.
    func keys(at now: Int) -> [CacheKey] {
        table.slots.compactMap { slot in table.withEntry(at: slot) { $0.deadline > now ? $0.key : nil } }
    }

    /// Removes all pictures.
    mutating func removeAll(releasing released: inout [Image]) {
        weakImages = WeakImageTable()
        ghosts = GhostQueue()
        for slot in table.slots { release(slot, &released) }
        table = MemoryEntryTable()
        variants = KeyFamilies()
        derived = KeyFamilies()
    }

    /// Removes expired pictures.
    mutating func removeExpired(at now: Int, releasing released: inout [Image]) {
        for slot in table.slots where table.withEntry(at: slot, { $0.deadline <= now }) { expire(slot, &released) }
        weakImages.removeExpired(at: now)
    }

    mutating func change(_ limits: MemoryCacheLimits, at now: Int, releasing released: inout [Image]) {
        self.limits = limits
        if !limits.keepsWeakReferences { weakImages = WeakImageTable() }
        for slot in table.slots where table.withEntry(at: slot, { $0.cost > limits.entryCost }) {
            evict(slot, &released)
        }
        evict(to: limits.room(), at: now, releasing: &released)
    }

    private mutating func insert(
        _ image: Image, for key: CacheKey, cost: Int, within bytes: Int, deadline: Int, at now: Int,
        _ released: inout [Image]
    ) {
        var isProven = ghosts.remove(key.fingerprint)
        var uses: UInt8 = 0
        if let slot = table.slot(for: key.fingerprint) {
            (isProven, uses) = table.withEntry(at: slot) { ($0.isProven, $0.useCount) }
            release(slot, &released)
        }
        guard cost <= min(limits.entryCost, bytes) else {
            evictions += 1
            return released.append(image)
        }
        // Room is made before the picture is added, so that it cannot be evicted itself.
        var room = limits.room(for: cost, count: 1)
        room.cost = min(room.cost, bytes - cost)
        evict(to: room, at: now, releasing: &released)
        var entry = MemoryEntry(image, for: key, cost: cost, deadline: deadline, uses: uses)
        entry.isProven = isProven
        let slot = table.insert(entry)
        variants.insert(slot, of: key.variantFamily)
        derived.insert(slot, of: key.derivedFamily)
        enqueue(slot, cost: cost, isProven: isProven)
    }

    private mutating func enqueue(_ slot: Int, cost: Int, isProven: Bool) {
        if isProven { proven.append(slot, cost: cost) } else { new.append(slot, cost: cost) }
    }

    private mutating func release(_ slot: Int, _ released: inout [Image]) {
        let entry = table.remove(at: slot)
        variants.remove(slot)
        derived.remove(slot)
        if entry.isProven { proven.remove(slot, cost: entry.cost) } else { new.remove(slot, cost: entry.cost) }
        released.append(entry.image)
    }

    private mutating func expire(_ slot: Int, _ released: inout [Image]) {
        release(slot, &released)
        expirations += 1
    }

    private mutating func evict(_ slot: Int, _ released: inout [Image]) {
        release(slot, &released)
        evictions += 1
    }
}

// MARK: - Eviction

extension MemoryCacheStore {
    /// The share of the cache for new pictures, in tenths.
    private static let tenthsForNew = 3

    /// Evicts pictures until no more are held than `room` allows.
    mutating func evict(to room: MemoryCacheLimits.Room, at now: Int, releasing released: inout [Image]) {
        while totalCost > room.cost || count > room.count {
            // The share is taken of whichever limit is passed, bytes or pictures.
            let isNewsTurn =
                totalCost > room.cost
                ? new.cost * 10 > totalCost * Self.tenthsForNew : new.count * 10 > count * Self.tenthsForNew
            if let slot = isNewsTurn || proven.count == 0 ? new.oldest : nil {
                judgeNew(slot, at: now, &released)
            } else if let slot = proven.oldest {
                judgeProven(slot, at: now, &released)
            } else {
                return
            }
        }
    }

    private mutating func judgeNew(_ slot: Int, at now: Int, _ released: inout [Image]) {
        let (deadline, uses, cost, fingerprint) = table.withEntry(at: slot) {
            ($0.deadline, $0.useCount, $0.cost, $0.fingerprint)
        }
        if deadline <= now {
            expire(slot, &released)
        } else if uses > 1 {
            table.changeEntry(at: slot) { entry in
                entry.isProven = true
                entry.setUseCount(0)
            }
            new.remove(slot, cost: cost)
            proven.append(slot, cost: cost)
        } else {
            evict(slot, &released)
            ghosts.append(fingerprint, limit: count)
        }
    }

    private mutating func judgeProven(_ slot: Int, at now: Int, _ released: inout [Image]) {
        let (deadline, uses, cost) = table.withEntry(at: slot) { ($0.deadline, $0.useCount, $0.cost) }
        if deadline <= now {
            expire(slot, &released)
        } else if uses > 0 {
            table.withEntry(at: slot) { $0.setUseCount(uses - 1) }
            proven.remove(slot, cost: cost)
            proven.append(slot, cost: cost)
        } else {
            evict(slot, &released)
        }
    }
}
