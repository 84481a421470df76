import Synchronization

/// What this process does with the files.
extension DiskIndex {
    /// Changes the file of one entry, and notes in `body` what came of it. One change of an entry at a time; should the
    /// process die in the middle, the next one looks at all files.
    func changing<Result, Failure: Error>(
        _ name: DiskEntryName, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try locks.withLock(name) { () throws(Failure) in
            let shared = state.withLock { state in
                state.inProgress.append(name)
                return state.shared
            }
            shared?.begin()
            defer {
                shared?.end()
                state.withLock { state in
                    if let position = state.inProgress.firstIndex(of: name) { state.inProgress.remove(at: position) }
                }
            }
            return try body()
        }
    }

    /// Notes a file that was written, or that was found to be there. To be called while ``changing(_:_:)`` the entry.
    func insert(_ record: IndexRecord, for name: DiskEntryName) {
        let today = IndexDate(now())
        let noted = state.withLock { state in
            var record = record
            if let known = state.table[name] { record.created = known.created }
            state.table.forgetFuture(after: today)
            state.table.insert(record, for: name)
            state.changes?.insert(name)
            return (state.table[name] ?? record, isShared: state.shared != nil)
        }
        tellAtOnce(.insert, name, noted.0, isShared: noted.isShared)
    }

    /// Notes that a file is gone. To be called while ``changing(_:_:)`` the entry.
    func remove(_ name: DiskEntryName) {
        let isShared = forget(name)
        tellAtOnce(.remove, name, .nothing, isShared: isShared)
    }

    /// Notes that a file is gone, of which the others are told otherwise.
    ///
    /// - Returns: Whether there are others to be told.
    @discardableResult
    func forget(_ name: DiskEntryName) -> Bool {
        state.withLock { state in
            state.table.remove(name)
            state.used.remove(name)
            state.changes?.insert(name)
            return state.shared != nil
        }
    }

    /// With its first change a process joins the others, lest it die untold; reading the index has time.
    private func tellAtOnce(
        _ change: JournalRecord.Change, _ name: DiskEntryName, _ record: IndexRecord, isShared: Bool
    ) {
        if isShared { return tell([(change, name, record)]) }
        guard state.withLock({ $0.lastOpening == nil }) else { return }
        join()
        needsCare.store(true, ordering: .relaxed)
    }

    /// Notes that a file was read. The others are told by ``tellUses()``.
    ///
    /// - Returns: How many entries were used since then; nil when the index does not know that file.
    func use(_ name: DiskEntryName, status: FileStatus, at time: FileTime) -> Int? {
        state.withLock { state in
            let record = IndexRecord(status, now: time)
            guard state.table[name]?.size == record.size else { return nil }
            if order == .accessDate { state.table.forgetFuture(after: IndexDate(time)) }
            guard state.table.use(name, at: IndexDate(time)) else { return nil }
            state.used.insert(name)
            return state.used.count
        }
    }

    /// Notes what stands in the place of an entry, whoever put it there.
    ///
    /// - Parameter isUsed: Whether it was just read.
    func look(at name: DiskEntryName, isUsed: Bool) {
        changing(name) {
            let known = self[name]
            guard let found = try? directory.status(of: name) ?? .nothing else { return }
            guard found.kind == .file else {
                if known != nil { remove(name) }
                return
            }
            let time = now()
            var record = IndexRecord(found, now: time)
            guard known?.size != record.size else { return }
            if isUsed { record.used = IndexDate(time) }
            insert(record, for: name)
        }
    }

    /// Tells the others, and the next process, what was read.
    ///
    /// - Returns: The entries, with the time of each one's last use.
    func tellUses() -> [(name: DiskEntryName, time: FileTime)] {
        let (uses, isShared) = state.withLock { state in
            defer { state.used = [] }
            let uses = state.used.compactMap { name in state.table[name].map { (name: name, record: $0) } }
            return (uses.sorted { $0.record.used < $1.record.used }, state.shared != nil)
        }
        if isShared, !uses.isEmpty { tell(uses.map { (.use, $0.name, $0.record) }) }
        return uses.map { ($0.name, $0.record.used.time) }
    }

    /// Forgets everything: somebody removed files behind the cache's back.
    func invalidate() {
        state.withLock { $0.table = EntryTable(order: order) }
        distrust()
    }

    /// Believes nothing any more before all files were looked at.
    func distrust() {
        state.withLock { state in
            state.isComplete = false
            state.changes = []
            state.generation += 1
            state.shared?.noteDamage()
        }
        needsCare.store(true, ordering: .relaxed)
    }
}

extension FileStatus {
    /// Where there is no file.
    fileprivate static let nothing = FileStatus(
        kind: .other, size: 0, inode: 0, accessed: FileTime(nanoseconds: 0), modified: FileTime(nanoseconds: 0))
}
