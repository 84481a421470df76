import Dispatch
import FoundationEssentials
import Synchronization

/// What a disk cache does beside the road: it finds out what is there, removes what is too much, and writes down what
/// was read. All of it goes through one queue, one after the other.
extension DiskCache {
    /// So many reads, or so many seconds after the first of them, access times are written to the files.
    private static let accessTimeBatch = 4096
    private static let accessTimeDelay = 10

    /// Throws when the directory is there and its entries cannot be listed: no count of them would be true.
    package func checkReadable() throws(WebImageError) {
        do { try files.check() } catch { throw error.webImageError(stage: .disk) }
    }

    /// Entries, and the bytes of their files; none where the directory cannot be read. Waits for the scan when it has
    /// not ended.
    public func usage() -> DiskCacheUsage {
        maintenance.sync { completeIndex() }
        return index.withLock { $0.usage }
    }

    /// Removes what is older than ``ImageCacheConfig/maxDiskAge``; then, when the rest passes ``ImageCacheConfig/maxDiskSize``
    /// or ``ImageCacheConfig/maxDiskCount``, the oldest until less than half of that limit is taken. Waits for the scan when it has not ended.
    ///
    /// - Throws: The first error; the others are gone all the same.
    public func removeExpired() throws(WebImageError) {
        let failure = maintenance.sync {
            completeIndex()
            return evict()
        }
        if let failure { throw failure.webImageError(stage: .store) }
    }

    /// Writes the access times that are only in memory yet to the files.
    package func saveAccessTimes() {
        maintenance.sync { writeAccessTimes() }
    }

    func scheduleMaintenanceIfDue(at time: FileTime) {
        let isDue = index.withLock { !$0.isComplete || isEvictionDue($0, at: time) }
        if isDue { scheduleMaintenance() }
    }

    func scheduleMaintenance() {
        guard !isMaintenanceDue.exchange(true, ordering: .relaxed) else { return }
        maintenance.async { [weak self] in self?.maintain() }
    }

    func scheduleAccessTimes(unsaved count: Int) {
        switch count {
        case 1:
            maintenance.asyncAfter(deadline: .now() + .seconds(Self.accessTimeDelay)) { [weak self] in
                self?.writeAccessTimes()
            }
        case Self.accessTimeBatch:
            maintenance.async { [weak self] in self?.writeAccessTimes() }
        default: break
        }
    }

    private func maintain() {
        isMaintenanceDue.store(false, ordering: .relaxed)
        completeIndex()
        let time = FileTime(now())
        if index.withLock({ isEvictionDue($0, at: time) }) { _ = evict() }
    }

    private func isEvictionDue(_ index: borrowing DiskIndex, at time: FileTime) -> Bool {
        config.shouldRemoveExpiredDataAutomatically && index.isEvictionDue(config, now: time)
    }

    private func completeIndex() {
        guard let ticket = index.withLock({ $0.scanTicket }) else { return }
        files.forEachDirectory(now: FileTime(now())) { entries in
            let found = entries.map { (name: $0.name, record: DiskIndex.Record($0.status)) }
            index.withLock { $0.merge(found, ticket: ticket) }
        }
        index.withLock { $0.complete(ticket: ticket) }
    }

    private func evict() -> FileSystemError? {
        let time = FileTime(now())
        // On a copy, since sorting many entries takes long.
        let snapshot = index.withLock { $0 }
        var failure: FileSystemError?
        for (name, record) in snapshot.victims(config, now: time) {
            do { try remove(name, ifStill: record) } catch { failure = failure ?? error }
        }
        index.withLock { $0.didEvict(at: time, hasSucceeded: failure == nil) }
        return failure
    }

    /// Removes an entry, unless it was read or written since it was chosen.
    private func remove(_ name: DiskEntryName, ifStill record: DiskIndex.Record) throws(FileSystemError) {
        try locks.withLock(name) { () throws(FileSystemError) in
            guard index.withLock({ $0[name] == record }) else { return }
            try files.remove(name)
            index.withLock { $0.remove(name) }
        }
    }

    private func writeAccessTimes() {
        files.setAccessTimes(index.withLock { $0.takeAccessTimes() })
    }
}
