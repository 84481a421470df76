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

    /// Throws when the directory is there and its entries cannot be listed: no count of them would be true.
    package func checkReadable() throws(WebImageError) {
        do { try files.check() } catch { throw error.webImageError(stage: .disk) }
    }

    /// Entries, and the bytes of their files; none where the directory cannot be read. Waits for the scan when it has
    /// not ended.
    public func usage() -> DiskCacheUsage {
        maintenance.sync { completeIndex(isAsked: true) }
        index.warnings.tell()
        return index.usage
    }

    /// Removes what is older than ``ImageCacheConfig/maxDiskAge``; then, when the rest passes
    /// ``ImageCacheConfig/maxDiskSize`` or ``ImageCacheConfig/maxDiskCount``, the oldest until less than half of that size
    /// is taken, and no more than half of that count. Waits for the scan when it has not ended.
    ///
    /// - Throws: The first error; the others are gone all the same.
    public func removeExpired() throws(WebImageError) {
        let failure = maintenance.sync {
            completeIndex(isAsked: true)
            return evict()
        }
        index.warnings.tell()
        if let failure { throw failure.webImageError(stage: .store) }
    }

    /// Removes what is too old or too much now, whatever limits the cache has: the oldest by
    /// ``ImageCacheConfig/diskCacheExpireType`` until the rest is within all limits that are given, and no more. What is read
    /// or stored meanwhile stays. Waits for the scan when it has not ended; any thread.
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
        let (removed, failure) = maintenance.sync { () -> (DiskCacheUsage, FileSystemError?) in
            completeIndex(isAsked: true)
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
        index.warnings.tell()
        if let failure { throw failure.webImageError(stage: .store) }
        return removed
    }

    /// Writes the access times that are only in memory yet to the files.
    package func saveAccessTimes() {
        maintenance.sync { writeAccessTimes() }
    }

    /// Once a call's own error is told: what the index says of the same trouble is nothing new then.
    func endCall() {
        index.warnings.tell()
        // Somebody else who has the index locked is waited for, and not asked with each picture.
        guard index.needsCare.load(ordering: .relaxed), !isRetryPlanned.load(ordering: .relaxed) else { return }
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

    private func maintain() {
        isMaintenanceDue.store(false, ordering: .relaxed)
        completeIndex()
        if isEvictionDue(at: FileTime(now())), let failure = evict() {
            tellOutside { [troubles] in _ = troubles.tell(failure, stage: .store) }
        }
        // Whoever waits takes over what is left of it.
        if maintenance.isAwaited { scheduleMaintenance() }
        planNext()
        if !index.warnings.isEmpty { tellOutside { [warnings = index.warnings] in warnings.tell() } }
    }

    /// Not on the queue's own thread, which holds its turn: the app may ask for something that waits for that.
    private func tellOutside(_ tell: @escaping @Sendable () -> Void) {
        DispatchQueue.global(qos: .utility).async(execute: tell)
    }

    /// Who only reads passes no limit, and entries grow too old all the same.
    private func planNext() {
        guard config.shouldRemoveExpiredDataAutomatically,
            !isMaintenancePlanned.exchange(true, ordering: .relaxed)
        else { return }
        maintenance.async(after: Self.hour) { [weak self] in
            self?.isMaintenancePlanned.store(false, ordering: .relaxed)
            self?.maintain()
        }
    }

    func isEvictionDue(at time: FileTime) -> Bool {
        config.shouldRemoveExpiredDataAutomatically && index.isEvictionDue(config, now: time)
    }

    private func completeIndex(isAsked: Bool = false) {
        let pause = index.care(isAsked: isAsked) { [maintenance] in maintenance.isAwaited }
        guard let pause, !isRetryPlanned.exchange(true, ordering: .relaxed) else {
            return
        }
        maintenance.async(afterMilliseconds: pause) { [weak self] in
            self?.isRetryPlanned.store(false, ordering: .relaxed)
            self?.maintain()
        }
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
    ///   - limit: How many are looked at, at most.
    ///   - isBrokenOff: Asked before every few hundred; once true, the rest stays.
    ///   - report: Gets what was known of each that is removed.
    /// - Returns: The first error; what cannot be removed is passed over.
    func remove(
        until goal: EvictionGoal, limit: Int = .max, isBrokenOff: () -> Bool = { false },
        report: (IndexRecord) -> Void = { _ in }
    ) -> FileSystemError? {
        var failure: FileSystemError?
        var passed: DiskEntryName?
        var rest = limit
        while true {
            let victims = index.victims(for: goal, after: passed, limit: min(rest, Self.victimBatch))
            guard !victims.isEmpty, !isBrokenOff() else { return failure }
            rest -= victims.count
            var seen = DiskDirectory.SeenDirectories()
            let failed = index.evict(victims) { name throws(FileSystemError) in
                let record = index[name]
                try files.remove(name, seen: &seen)
                if let record { report(record) }
            }
            if let (name, error) = failed {
                failure = failure ?? error
                passed = name
            }
        }
    }

    /// To write a time to a file is a change of the file, and would keep it where changes count.
    private func writeAccessTimes() {
        let times = index.tellUses()
        if config.diskCacheExpireType != .changeDate { files.setAccessTimes(times) }
    }
}
