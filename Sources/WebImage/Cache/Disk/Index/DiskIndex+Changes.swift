import Synchronization

/// What this process does with the files.
extension DiskIndex {
    /// Nanoseconds after which an owner looks whether guests were there, and a guest whether there is an owner.
    private static let refreshInterval: Int64 = 10_000_000_000

    /// Changes the file of one entry, and notes in `body` what came of it. One change of an entry at a time.
    func changing<Result, Failure: Error>(
        _ name: DiskEntryName, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try locks.withLock(name) { () throws(Failure) in
            claim()
            defer { endChange() }
            return try body()
        }
    }

    private func endChange() {
        let time = now()
        let (lock, isGuest) = state.withLock { ($0.ownerLock, $0.isGuest) }
        noteTime(time)
        if let lock, let root = directory.lastRoot, lock.root != root { resign() }
        if isGuest { files.leaveMark() }
    }

    private func noteTime(_ time: FileTime) {
        let isDue = state.withLock { $0.isSnapshotDue || $0.isRefreshDue(at: time, every: Self.refreshInterval) }
        if isDue { needsRefresh.store(true, ordering: .relaxed) }
    }

    /// Notes a file that was written, or that was found to be there. To be called while ``changing(_:_:)`` the entry.
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

    /// Notes that a file is gone. To be called while ``changing(_:_:)`` the entry.
    func remove(_ name: DiskEntryName) {
        state.withLock { state in
            guard state.keepsTable else { return }
            state.table.remove(name)
            state.noteChange(of: name)
        }
    }

    /// What became of a use that was noted.
    enum Use {
        /// It waits for ``takeUses()``, as so many do.
        case waits(count: Int)
        /// The index knows another file under that name, or none.
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

    /// The entries that were read since this was last asked, with the time of each one's last use.
    func takeUses() -> [(name: DiskEntryName, time: FileTime)] { state.withLock { $0.uses.take() } }

    /// Notes what stands in the place of an entry, whichever process has put it there.
    ///
    /// - Parameter isUsed: Whether it was just read.
    func look(at name: DiskEntryName, isUsed: Bool) {
        changing(name) {
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
    /// A snapshot is worth its time when so much has changed since the last one. A directory that has changed since is listed
    /// at the next start, which takes milliseconds for thousands of entries.
    var isSnapshotDue: Bool { isComplete && ownerLock != nil && unsavedCount > 1024 + table.count / 8 }

    /// A directory of a full cache takes as long to be listed as so many entries take to be written.
    var isLastSnapshotDue: Bool { isComplete && ownerLock != nil && unsavedCount > table.count / 256 }

    /// A guest knows something only while it answers a question about totals.
    fileprivate var keepsTable: Bool { !isGuest || isComplete }

    fileprivate mutating func noteChange(of name: DiskEntryName) {
        recent?.changed.insert(name)
        // Another process may have the last word on the file: only a look at the directory tells.
        stamps[name.directory] = nil
        unsavedCount += 1
    }

    /// A guest has no table that would have to know it.
    fileprivate mutating func noteUse(of name: DiskEntryName, at date: IndexDate) {
        guard !isGuest, let recent else { return }
        self.recent?.used[name] = max(recent.used[name] ?? date, date)
    }

    /// Where the clock was set back, it is due as well.
    fileprivate func isRefreshDue(at time: FileTime, every interval: Int64) -> Bool {
        guard let lastRefresh else { return false }
        let (age, isOver) = time.nanoseconds.subtractingReportingOverflow(lastRefresh.nanoseconds)
        return isOver || !(0..<interval).contains(age)
    }
}

extension FileStatus {
    /// Whether the file says that it was read then, or less than a minute before. To write that down takes as long as half
    /// of a read; the index knows it to the second, and should that be lost, a minute decides nothing.
    fileprivate func tells(ofUseAt time: FileTime) -> Bool {
        let last = max(accessed, modified)
        return last <= time && last > time.before(60)
    }

    /// Where there is no file.
    fileprivate static let nothing = FileStatus(
        kind: .other, size: 0, inode: 0, accessed: FileTime(nanoseconds: 0), modified: FileTime(nanoseconds: 0))
}
