import Dispatch
import FoundationEssentials
import Synchronization
import WebImageCore

/// The background work of a disk cache: it lists the directories, evicts entries, and writes access times. All of it
/// runs on one queue, one job at a time.
extension DiskCache {
    /// Access times are written to the files after this many reads, or this many seconds after the first of them.
    private static let accessTimeBatch = 4096
    private static let accessTimeDelay = 10
    /// So many entries are chosen at a time, and then removed, while others may read and write between any two.
    private static let victimBatch = 512
    private static let hour = 3600
    /// Seconds until a retry after a shortage of files or memory.
    private static let retryDelay = 1

    /// Throws when the directory exists and its entries cannot be listed: any count of them would be wrong.
    package func checkReadable() throws(WebImageError) {
        do { try files.check() } catch { throw error.webImageError(stage: .disk) }
    }

    /// The number of entries, and the bytes of their files, whichever process has written them; zero where the
    /// directory cannot be read. The owner lists the directories that have changed since it last listed them; a process
    /// that does not own the directory lists all.
    public func usage() -> DiskCacheUsage { withTotals { index.usage }.result }

    /// The same, where the beginnings of interrupted transfers count as bytes, but not as pictures.
    package func pictureUsage() -> DiskCacheUsage {
        withTotals {
            let usage = index.usage
            return DiskCacheUsage(count: usage.count - index.partialBodyCount, byteCount: usage.byteCount)
        }.result
    }

    /// Removes entries older than ``ImageCacheConfig/maxDiskAge``. If the rest is above
    /// ``ImageCacheConfig/maxDiskSize`` or ``ImageCacheConfig/maxDiskCount``, then removes the oldest until less than
    /// half of that size, and at most half of that count, is left. Lists directories as ``usage()`` does.
    ///
    /// - Throws: The first error; all other entries are removed nevertheless. When the system is too short of files or
    ///   memory to list the directories, these are the entries that were known before.
    public func removeExpired() throws(WebImageError) {
        let (failure, shortage) = withTotals { evict() }
        if let failure = shortage ?? failure { throw failure.webImageError(stage: .store) }
    }

    /// Removes entries that are too old or too many, whatever limits the cache has: the oldest by
    /// ``ImageCacheConfig/diskCacheExpireType`` until the rest is within all limits given, and no more. Entries that
    /// are read or stored meanwhile stay. Lists directories as ``usage()`` does; any thread.
    ///
    /// ```swift
    /// let removed = try cache.trim(toSize: 500 << 20, age: .seconds(30 * 24 * 60 * 60))
    /// ```
    ///
    /// - Parameters:
    ///   - size: The most bytes that the files may take on disk, as in ``ImageCacheConfig/maxDiskSize``. Default: any.
    ///   - count: The most entries that may stay. Default: any.
    ///   - age: The longest time since the date of an entry. Default: any.
    /// - Returns: The entries that were removed, and the bytes of their files.
    /// - Throws: As ``removeExpired()``.
    @discardableResult
    public func trim(
        toSize size: Int? = nil, count: Int? = nil, age: Duration? = nil
    ) throws(WebImageError) -> DiskCacheUsage {
        let tooOld = age.map { EvictionGoal.nothingOlder(FileTime(now()).before($0.seconds)) }
        let tooMuch = EvictionGoal.atMost(.init(count: count ?? .max, size: size ?? .max))
        let ((removed, failure), shortage) = withTotals { () -> (DiskCacheUsage, FileSystemError?) in
            var removed = DiskCacheUsage(count: 0, byteCount: 0)
            var failure: FileSystemError?
            for goal in [tooOld, tooMuch].compactMap(\.self) {
                let failed = remove(
                    until: goal,
                    report: { record in
                        removed.count += 1
                        removed.byteCount += record.byteCount
                    })
                failure = failure ?? failed
            }
            return (removed, failure)
        }
        if let failure = shortage ?? failure { throw failure.webImageError(stage: .store) }
        return removed
    }

    /// Runs `work` after all jobs of the maintenance queue, with a complete index.
    ///
    /// - Returns: Also why the index is not complete, where the system is short of a resource.
    private func withTotals<Result: Sendable>(
        _ work: () -> Result
    ) -> (result: Result, shortage: FileSystemError?) {
        let (result, first, last) = maintenance.sync {
            // A guest takes the order of use from the files.
            if !index.isOwner { writeAccessTimes() }
            let first = index.refresh(isAsked: true)
            let last = first.isIncomplete ? index.refresh(isAsked: true) : nil
            defer { index.forgetIfGuest() }
            return (work(), first, last)
        }
        let refreshed = last ?? first
        if refreshed.isIncomplete { planRetry() }
        tell(first)
        if let last { tell(last) }
        return (result, refreshed.shortage)
    }

    /// Saves the index, and gives up ownership of the directory.
    package func close() {
        maintenance.sync {
            writeAccessTimes()
            index.close()
        }
    }

    /// Writes the access times that are only in memory to the files.
    package func saveAccessTimes() {
        maintenance.sync { writeAccessTimes() }
    }

    /// Schedules a refresh of the index in the background where that is due.
    func endCall() {
        guard index.needsRefresh.load(ordering: .relaxed), !isRetryPlanned.load(ordering: .relaxed) else { return }
        scheduleMaintenance()
    }

    func scheduleMaintenance() {
        guard !isMaintenanceDue.exchange(true, ordering: .relaxed) else { return }
        maintenance.async { [weak self] in self?.maintain() }
    }

    func scheduleAccessTimes(unsaved count: Int) {
        switch count {
        case 1:
            maintenance.async(after: Self.accessTimeDelay) { [weak self] in self?.writeAccessTimes() }
        case Self.accessTimeBatch:
            maintenance.async { [weak self] in self?.writeAccessTimes() }
        default: break
        }
    }

    /// - Parameter isHourly: Whether the owner looks for changes made by other means than a cache.
    private func maintain(isHourly: Bool = false) {
        isMaintenanceDue.store(false, ordering: .relaxed)
        let refreshed = index.refresh(isAsked: isHourly && index.isOwner) { [maintenance] in maintenance.isAwaited }
        if refreshed.isIncomplete { planRetry() }
        let failure = isEvictionDue(at: FileTime(now())) ? evict() : nil
        // The waiting caller runs the rest of the work.
        if maintenance.isAwaited { scheduleMaintenance() }
        planNext()
        // Not on the thread of the maintenance queue: the app's callback may wait for that queue, which waits for this
        // thread.
        DispatchQueue.global(qos: .utility).async { [weak self] in
            if let failure { _ = self?.troubles.tell(failure, stage: .store) }
            self?.tell(refreshed)
        }
    }

    private func tell(_ refreshed: DiskIndex.Refreshed) {
        if let warning = refreshed.warning { troubles.tellOfIndex(warning.message, because: warning.error) }
        if let warning = DirectoryOwners.shared.warning(about: directory) { troubles.tellOfOwner(warning) }
    }

    private func planRetry() {
        guard !isRetryPlanned.exchange(true, ordering: .relaxed) else { return }
        maintenance.async(after: Self.retryDelay) { [weak self] in
            self?.isRetryPlanned.store(false, ordering: .relaxed)
            self?.maintain()
        }
    }

    /// A process that only reads never passes a limit, but its entries expire too.
    private func planNext() {
        guard evictsAutomatically, !isMaintenancePlanned.exchange(true, ordering: .relaxed)
        else { return }
        maintenance.async(after: Self.hour) { [weak self] in
            self?.isMaintenancePlanned.store(false, ordering: .relaxed)
            self?.maintain(isHourly: true)
        }
    }

    func isEvictionDue(at time: FileTime) -> Bool {
        evictsAutomatically && index.isEvictionDue(limits, now: time)
    }

    private func evict() -> FileSystemError? {
        let (time, limits) = (FileTime(now()), limits)
        let isBrokenOff = { [maintenance] in maintenance.isAwaited }
        let tooOld = EvictionGoal.age(limits, now: time).flatMap { remove(until: $0, isBrokenOff: isBrokenOff) }
        // Expired entries that cannot be removed must not let the cache grow above its limits.
        let tooMany = EvictionGoal.limits(limits, amount: index.amount).flatMap {
            remove(until: $0, isBrokenOff: isBrokenOff)
        }
        let failure = tooOld ?? tooMany
        if !isBrokenOff() { index.didEvict(at: time, hasSucceeded: failure == nil) }
        return failure
    }

    /// - Parameters:
    ///   - isBrokenOff: Called before each batch; true ends the eviction.
    ///   - report: Gets the record of each removed entry.
    /// - Returns: The first error; entries that cannot be removed are skipped.
    func remove(
        until goal: EvictionGoal, isBrokenOff: () -> Bool = { false },
        report: (IndexRecord) -> Void = { _ in }
    ) -> FileSystemError? {
        var failure: FileSystemError?
        var passed: DiskEntryName?
        var seen = DiskDirectory.SeenDirectories()
        while true {
            let victims = index.victims(for: goal, after: passed, limit: Self.victimBatch)
            guard !victims.isEmpty, !isBrokenOff() else { return failure }
            let failed = index.evict(victims) { victim throws(FileSystemError) in
                try files.remove(victim.name, seen: &seen)
                report(victim.record)
            }
            if let (name, error) = failed {
                failure = failure ?? error
                passed = name
            }
        }
    }

    /// Writing an access time changes the file's attributes, and would keep the entry where
    /// ``DiskCacheExpireType/changeDate`` counts.
    private func writeAccessTimes() {
        let times = index.takeUses()
        if index.order != .changeDate { files.setAccessTimes(times) }
    }
}
