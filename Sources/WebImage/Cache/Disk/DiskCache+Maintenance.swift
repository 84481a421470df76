import Dispatch
import FoundationEssentials
import Synchronization

/// What a disk cache does beside the road: it finds out what is there, removes what is too much, and writes down what
/// was read. All of it goes through one queue, one after the other.
extension DiskCache {
    /// So many reads, or so many seconds after the first of them, access times are written to the files.
    private static let accessTimeBatch = 4096
    private static let accessTimeDelay = 10
    /// So many entries are chosen at a time, and then removed, while others may read and write between any two.
    private static let victimBatch = 512
    private static let hour = 3600
    /// Seconds after which what the system ran short of may be there again.
    private static let retryDelay = 1

    /// Throws when the directory is there and its entries cannot be listed: no count of them would be true.
    package func checkReadable() throws(WebImageError) {
        do { try files.check() } catch { throw error.webImageError(stage: .disk) }
    }

    /// Entries, and the bytes of their files, whichever process has written them; none where the directory cannot be read.
    /// Lists the directories that have changed since the last time, or all where another process owns the directory.
    public func usage() -> DiskCacheUsage { withTotals { index.usage } }

    /// Removes what is older than ``ImageCacheConfig/maxDiskAge``; then, when the rest passes
    /// ``ImageCacheConfig/maxDiskSize`` or ``ImageCacheConfig/maxDiskCount``, the oldest until less than half of that size
    /// is taken, and no more than half of that count. Lists directories as ``usage()`` does.
    ///
    /// - Throws: The first error; the others are gone all the same.
    public func removeExpired() throws(WebImageError) {
        if let failure = withTotals({ evict() }) { throw failure.webImageError(stage: .store) }
    }

    /// Removes what is too old or too much now, whatever limits the cache has: the oldest by
    /// ``ImageCacheConfig/diskCacheExpireType`` until the rest is within all limits that are given, and no more. What is read
    /// or stored meanwhile stays. Lists directories as ``usage()`` does; any thread.
    ///
    /// ```swift
    /// let removed = try cache.trim(toSize: 500 << 20, age: 30 * 24 * 60 * 60)
    /// ```
    ///
    /// - Parameters:
    ///   - size: Bytes that the files may take on disk, as in ``ImageCacheConfig/maxDiskSize``. Default: any.
    ///   - count: Entries that may stay. Default: any.
    ///   - age: Seconds that may have passed since the date of an entry. Default: any.
    /// - Returns: The entries that were removed, and the bytes of their files.
    /// - Throws: The first error; the others are gone all the same.
    @discardableResult
    public func trim(
        toSize size: Int? = nil, count: Int? = nil, age: TimeInterval? = nil
    ) throws(WebImageError) -> DiskCacheUsage {
        let tooOld = age.map { EvictionGoal.nothingOlder(FileTime(now()).before($0)) }
        let tooMuch = EvictionGoal.atMost(.init(count: count ?? .max, size: size ?? .max))
        let (removed, failure) = withTotals { () -> (DiskCacheUsage, FileSystemError?) in
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
        if let failure { throw failure.webImageError(stage: .store) }
        return removed
    }

    /// Runs `work` behind all that waits for the maintenance queue, with an index that knows what is there.
    private func withTotals<Result: Sendable>(_ work: () -> Result) -> Result {
        let (result, refreshed) = maintenance.sync {
            var refreshed = index.refresh(isAsked: true)
            if refreshed.isIncomplete { refreshed = index.refresh(isAsked: true) }
            defer { index.forgetIfGuest() }
            return (work(), refreshed)
        }
        if refreshed.isIncomplete { planRetry() }
        tell(refreshed)
        return result
    }

    /// Saves what is known, and leaves the directory to another owner.
    package func close() {
        maintenance.sync {
            writeAccessTimes()
            index.close()
        }
    }

    /// Writes the access times that are only in memory yet to the files.
    package func saveAccessTimes() {
        maintenance.sync { writeAccessTimes() }
    }

    /// Has the index brought up to date in the background where that is due.
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

    /// - Parameter isHourly: Whether the owner looks for what was changed by other means than a cache.
    private func maintain(isHourly: Bool = false) {
        isMaintenanceDue.store(false, ordering: .relaxed)
        let refreshed = index.refresh(isAsked: isHourly && index.isOwner) { [maintenance] in maintenance.isAwaited }
        if refreshed.isIncomplete { planRetry() }
        let failure = isEvictionDue(at: FileTime(now())) ? evict() : nil
        // The caller who waits runs what is left of it.
        if maintenance.isAwaited { scheduleMaintenance() }
        planNext()
        // Not on the queue's own thread, which holds its turn: the app may ask for something that waits for that.
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

    /// A process that only reads passes no limit, and entries grow too old all the same.
    private func planNext() {
        guard config.shouldRemoveExpiredDataAutomatically,
            !isMaintenancePlanned.exchange(true, ordering: .relaxed)
        else { return }
        maintenance.async(after: Self.hour) { [weak self] in
            self?.isMaintenancePlanned.store(false, ordering: .relaxed)
            self?.maintain(isHourly: true)
        }
    }

    func isEvictionDue(at time: FileTime) -> Bool {
        config.shouldRemoveExpiredDataAutomatically && index.isEvictionDue(config, now: time)
    }

    private func evict() -> FileSystemError? {
        let time = FileTime(now())
        let isBrokenOff = { [maintenance] in maintenance.isAwaited }
        let tooOld = EvictionGoal.age(config, now: time).flatMap { remove(until: $0, isBrokenOff: isBrokenOff) }
        // What is too old and stays all the same is no reason to let the cache grow.
        let tooMany = EvictionGoal.limits(config, amount: index.amount).flatMap {
            remove(until: $0, isBrokenOff: isBrokenOff)
        }
        let failure = tooOld ?? tooMany
        if !isBrokenOff() { index.didEvict(at: time, hasSucceeded: failure == nil) }
        return failure
    }

    /// - Parameters:
    ///   - isBrokenOff: Asked before every few hundred; once true, the rest stays.
    ///   - report: Gets what was known of each that is removed.
    /// - Returns: The first error; what cannot be removed is passed over.
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

    /// To write a time to a file is a change of the file, and would keep it where changes count.
    private func writeAccessTimes() {
        let times = index.takeUses()
        if config.diskCacheExpireType != .changeDate { files.setAccessTimes(times) }
    }
}
