import Synchronization
import WebImageCore

/// Changes and uses of entries by this process.
extension DiskIndex {
    /// Nanoseconds after which an owner looks for the mark of a guest, and a guest tries to become the owner.
    private static let refreshInterval: Int64 = 10_000_000_000

    /// Changes the file of one entry; `body` also notes the result in the index. Changes of one entry run one after the
    /// other.
    ///
    /// - Parameter isOneOfMany: Whether the caller leaves a guest's mark after many changes.
    func changing<Result, Failure: Error>(
        _ name: DiskEntryName, isOneOfMany: Bool = false, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try locks.withLock(name) { () throws(Failure) in try change(isOneOfMany: isOneOfMany, body) }
    }

    /// As ``changing(_:isOneOfMany:_:)`` for a read, which waits for no store: does nothing while this process changes
    /// the file of an entry with the same lock. The next read or listing finds what there is to change or to note.
    func changingIfFree(_ name: DiskEntryName, _ body: () -> Void) {
        locks.withLockIfFree(name) { change(isOneOfMany: false, body) }
    }

    private func change<Result, Failure: Error>(
        isOneOfMany: Bool, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        claim()
        defer { endChange(isOneOfMany: isOneOfMany) }
        return try body()
    }

    private func endChange(isOneOfMany: Bool) {
        let time = now()
        let (lock, isGuest) = state.withLock { ($0.ownerLock, $0.isGuest) }
        noteTime(time)
        if let lock, let root = directory.lastRoot, lock.root != root { resign() }
        if isGuest, !isOneOfMany { files.leaveMark() }
    }

    private func noteTime(_ time: FileTime) {
        let isDue = state.withLock { $0.isSnapshotDue || $0.isRefreshDue(at: time, every: Self.refreshInterval) }
        if isDue { needsRefresh.store(true, ordering: .relaxed) }
    }

    /// Notes a file that was written or found. To be called within ``changing(_:isOneOfMany:_:)`` of the entry.
    func insert(_ record: IndexRecord, for name: DiskEntryName) {
        let today = IndexDate(now())
        state.withLock { state in
            guard state.keepsTable else { return }
            state.table.forgetFuture(after: today)
            state.table.insert(record.keepingCreation(of: state.table[name]), for: name)
            state.noteChange(of: name)
            state.evicting.remove(name)
        }
    }

    /// Notes that a file is removed. To be called within ``changing(_:isOneOfMany:_:)`` of the entry.
    func remove(_ name: DiskEntryName) {
        state.withLock { state in
            guard state.keepsTable else { return }
            state.table.remove(name)
            state.noteChange(of: name)
        }
    }

    /// The result of noting a use.
    enum Use {
        /// The use waits for ``takeUses()``, as one of `count`.
        case waits(count: Int)
        /// The index has another file under that name, or none.
        case isUnknown
    }

    /// Notes that a file was read.
    func use(_ name: DiskEntryName, status: FileStatus, at time: FileTime) -> Use {
        let date = IndexDate(time)
        noteTime(time)
        return state.withLock { state in
            if let known = state.table[name] {
                guard known.size == IndexRecord(status, now: time).size else { return .isUnknown }
                if order == .accessDate { state.table.forgetFuture(after: date) }
                _ = state.table.use(name, at: date)
            } else if state.isComplete, state.keepsTable {
                return .isUnknown
            }
            state.noteUse(of: name, at: date)
            return .waits(count: state.uses.note(name, at: date, isKnownToFile: status.tells(ofUseAt: time)))
        }
    }

    /// The entries that were read since the last call, with the time of each one's last use.
    func takeUses() -> [(name: DiskEntryName, time: FileTime)] { state.withLock { $0.uses.take() } }

    /// Notes the current file of an entry, whichever process has written it, as ``changingIfFree(_:_:)`` does.
    ///
    /// - Parameter isUsed: Whether it was just read.
    func look(at name: DiskEntryName, isUsed: Bool) {
        changingIfFree(name) {
            guard let status = try? directory.status(of: name) ?? .nothing else { return }
            guard status.kind == .file else {
                if self[name] != nil { remove(name) }
                return
            }
            let time = now()
            var (record, _) = directory.record(of: name, status, known: self[name], order: order, now: time)
            if isUsed { record.used = IndexDate(time) }
            insert(record, for: name)
        }
    }
}

extension DiskIndex.State {
    /// A snapshot is due after so many changes since the last one. Each directory that has changed since the snapshot
    /// is listed at the next start; that takes milliseconds for thousands of entries.
    var isSnapshotDue: Bool { isComplete && ownerLock != nil && unsavedCount > 1024 + table.count / 8 }

    /// Writing this many entries takes as long as listing one directory of a full cache.
    var isLastSnapshotDue: Bool { isComplete && ownerLock != nil && unsavedCount > table.count / 256 }

    /// A guest has a table only while it answers a request for totals.
    fileprivate var keepsTable: Bool { !isGuest || isComplete }

    fileprivate mutating func noteChange(of name: DiskEntryName) {
        recent?.changed.insert(name)
        // Another process may have replaced the file since: the directory stays dirty.
        stamps[name.directory] = nil
        unsavedCount += 1
    }

    /// A guest has no table to update.
    fileprivate mutating func noteUse(of name: DiskEntryName, at date: IndexDate) {
        guard !isGuest, let recent else { return }
        self.recent?.used[name] = max(recent.used[name] ?? date, date)
    }

    /// Also due where the clock was set back.
    fileprivate func isRefreshDue(at time: FileTime, every interval: Int64) -> Bool {
        guard let lastRefresh else { return false }
        let (age, isOver) = time.nanoseconds.subtractingReportingOverflow(lastRefresh.nanoseconds)
        return isOver || !(0..<interval).contains(age)
    }
}

extension FileStatus {
    /// Whether the file's own date of the last use is less than a minute old at `time`. Such a date is not written again:
    /// writing takes half as long as a read, and an error of a minute does not matter for eviction.
    fileprivate func tells(ofUseAt time: FileTime) -> Bool {
        let last = max(accessed, modified)
        return last <= time && last > time.before(60)
    }

    /// The status of a missing file.
    fileprivate static let nothing = FileStatus(
        kind: .other, size: 0, inode: 0, accessed: FileTime(nanoseconds: 0), modified: FileTime(nanoseconds: 0))
}
