import FoundationEssentials

/// What is known of the files of a disk cache: derived from them, and never more than they say.
///
/// It starts empty and is complete once a scan of the directories ended. Until then, what the cache itself stores and
/// removes is newer than what the scan saw.
struct DiskIndex {
    struct Record: Hashable {
        /// Bytes of the file.
        var size: Int
        /// When it was written.
        var storedAt: FileTime
        /// When it was last read or written.
        var usedAt: FileTime

        /// Bytes that the file takes in blocks of 4,096, as most file systems give them.
        var sizeOnDisk: Int { (size + 4095) & ~4095 }

        init(size: Int, storedAt: FileTime, usedAt: FileTime) {
            // A file of exabytes (they can be sparse) is nothing that the cache wrote; its size must not break sums.
            self.size = min(max(0, size), DiskEntryFormat.largestFile + 1)
            self.storedAt = storedAt
            self.usedAt = usedAt
        }

        /// What a file says itself.
        init(_ status: FileStatus) {
            self.init(size: status.size, storedAt: status.modified, usedAt: max(status.accessed, status.modified))
        }
    }

    private(set) var usage = DiskCacheUsage(count: 0, byteCount: 0)
    private(set) var sizeOnDisk = 0
    private(set) var isComplete = false
    private var lastEviction: (time: FileTime, hasSucceeded: Bool)?

    private var records: [DiskEntryName: Record] = [:]
    private var removedBeforeCompletion: Set<DiskEntryName> = []
    private var used: Set<DiskEntryName> = []
    private var generation = 0

    /// How many entries were read since their access times were last taken by ``takeAccessTimes()``.
    var unsavedAccessTimeCount: Int { used.count }

    subscript(name: DiskEntryName) -> Record? { records[name] }

    var names: [DiskEntryName] { Array(records.keys) }

    /// Notes a file that the cache wrote, or that it found by reading it.
    mutating func insert(_ record: Record, for name: DiskEntryName) {
        removedBeforeCompletion.remove(name)
        if let old = records.updateValue(record, forKey: name) { count(old, by: -1) }
        count(record, by: 1)
    }

    /// Notes that a file is gone.
    mutating func remove(_ name: DiskEntryName) {
        if !isComplete { removedBeforeCompletion.insert(name) }
        used.remove(name)
        if let old = records.removeValue(forKey: name) { count(old, by: -1) }
    }

    /// Notes that a file was read.
    mutating func touch(_ name: DiskEntryName, status: FileStatus, at time: FileTime) {
        var record = Record(status)
        record.usedAt = time
        if let known = records[name], known.size == record.size { record.storedAt = known.storedAt }
        insert(record, for: name)
        used.insert(name)
    }

    /// The entries read since the last call, with the time of each one's last read, to be written to their files.
    mutating func takeAccessTimes() -> [(name: DiskEntryName, time: FileTime)] {
        defer { used = [] }
        return used.compactMap { name in records[name].map { (name, $0.usedAt) } }
    }

    private mutating func count(_ record: Record, by sign: Int) {
        usage.count += sign
        usage.byteCount += sign * record.size
        sizeOnDisk += sign * record.sizeOnDisk
    }
}

// MARK: - Scanning

extension DiskIndex {
    /// Names a scan that starts now; nil when none is needed.
    var scanTicket: Int? { isComplete ? nil : generation }

    /// Takes over what a scan saw, unless the cache itself knows better.
    mutating func merge(_ found: [(name: DiskEntryName, record: Record)], ticket: Int) {
        guard ticket == generation else { return }
        for (name, record) in found where records[name] == nil && !removedBeforeCompletion.contains(name) {
            insert(record, for: name)
        }
    }

    /// Ends a scan.
    mutating func complete(ticket: Int) {
        guard ticket == generation else { return }
        isComplete = true
        removedBeforeCompletion = []
    }

    /// Forgets everything: somebody removed files behind the cache's back.
    mutating func invalidate() {
        let next = generation + 1
        self = DiskIndex()
        generation = next
    }
}

// MARK: - Eviction

extension DiskIndex {
    /// Whether entries should be looked through now: a limit was passed, or it is an hour since the last time. Where
    /// files cannot be removed, an hour is soon enough to try again.
    func isEvictionDue(_ config: ImageCacheConfig, now: FileTime) -> Bool {
        guard let (time, hasSucceeded) = lastEviction else { return true }
        return (hasSucceeded && isOverLimits(config)) || time <= now.before(3600)
    }

    /// Notes that entries were looked through.
    mutating func didEvict(at time: FileTime, hasSucceeded: Bool) { lastEviction = (time, hasSucceeded) }

    /// What has to go: first all that is too old; then, when the rest passes a limit, the oldest until less than half of
    /// that limit is taken.
    func victims(_ config: ImageCacheConfig, now: FileTime) -> [(name: DiskEntryName, record: Record)] {
        let date: (Record) -> FileTime = config.diskCacheExpireType == .accessDate ? \.usedAt : \.storedAt
        let deadline = config.maxDiskAge >= 0 ? now.before(config.maxDiskAge) : nil
        var victims: [(name: DiskEntryName, record: Record)] = []
        var rest: [(name: DiskEntryName, record: Record)] = []
        var excess = Excess(count: usage.count, size: sizeOnDisk)
        for (name, record) in records {
            if let deadline, date(record) <= deadline {
                victims.append((name, record))
                excess.subtract(record)
            } else {
                rest.append((name, record))
            }
        }
        guard excess.begin(config) else { return victims }
        for (name, record) in rest.sorted(by: { date($0.record) < date($1.record) }) {
            guard excess.isAboveGoals else { break }
            victims.append((name, record))
            excess.subtract(record)
        }
        return victims
    }

    private func isOverLimits(_ config: ImageCacheConfig) -> Bool {
        var excess = Excess(count: usage.count, size: sizeOnDisk)
        return excess.begin(config)
    }

    /// How far a cache is above its limits, and when enough is gone.
    private struct Excess {
        var count: Int
        var size: Int
        private var countGoal = Int.max
        private var sizeGoal = Int.max

        init(count: Int, size: Int) {
            self.count = count
            self.size = size
        }

        /// Sets a goal for each limit that is passed; false when none is.
        mutating func begin(_ config: ImageCacheConfig) -> Bool {
            if config.maxDiskCount > 0, count > config.maxDiskCount { countGoal = max(1, config.maxDiskCount / 2) }
            if config.maxDiskSize > 0, size > config.maxDiskSize { sizeGoal = (config.maxDiskSize - 1) / 2 }
            return isAboveGoals
        }

        var isAboveGoals: Bool { count > countGoal || size > sizeGoal }

        mutating func subtract(_ record: Record) {
            count -= 1
            size -= record.sizeOnDisk
        }
    }
}
