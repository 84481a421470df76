/// What was read of an index on disk.
struct IndexContents {
    enum Trust {
        /// Snapshot and journals say what the files did, to the last change.
        case complete
        /// Not all files were looked at since somebody died in the middle of a change, or since there is an index.
        case unfinished
        /// What stands there makes no sense.
        case damaged
    }

    var table: EntryTable
    var trust: Trust
    /// When the last change was noted.
    let time: FileTime

    /// Reads the snapshot, and all journals up to the one that changes go to; the seat must hold the lock.
    static func read(by seat: IndexSeat, order: DiskCacheExpireType) throws(FileSystemError) -> IndexContents {
        let hadDamage = seat.state.reading?.isDamaged ?? true
        if let (known, table, time) = try readAll(by: seat, order: order) {
            // By another order, nobody has looked into the files for when entries were first stored.
            guard known == order || order != .creationDate else {
                return IndexContents(table: EntryTable(order: order), trust: .unfinished, time: time)
            }
            return IndexContents(table: table, trust: hadDamage ? .unfinished : .complete, time: time)
        }
        let isNew = hadDamage && !seat.files.hasSnapshot
        seat.state.noteDamage()
        return IndexContents(
            table: EntryTable(order: order), trust: isNew ? .unfinished : .damaged, time: FileTime(nanoseconds: 0))
    }

    /// With the order that the snapshot had; nil when a part is missing or damaged.
    private static func readAll(
        by seat: IndexSeat, order: DiskCacheExpireType
    ) throws(FileSystemError) -> (DiskCacheExpireType, EntryTable, FileTime)? {
        // Before the journal: whatever is counted by now has to be in it.
        let count = seat.state.reading?.journalCount ?? 0
        let last = try seat.epoch
        guard let snapshot = try seat.files.readSnapshot(), snapshot.header.epoch <= last,
            last - snapshot.header.epoch <= 1000
        else { return nil }
        var table = snapshot.header.order == order ? snapshot.table : EntryTable(order: order, snapshot.table)
        for epoch in snapshot.header.epoch...last {
            guard seat.files.hasJournal(epoch) else { return nil }
            var journal = try IndexJournal(epoch, in: seat.files)
            defer { journal.close() }
            let time = try journal.status.modified
            let (records, isWhole) = try journal.readOn()
            guard isWhole, records.first == .beginning else { return nil }
            // Cut off between two records, as power loss may leave it, it looks whole.
            guard epoch < last || records.count >= count else { return nil }
            for record in records { table.apply(record) }
            if epoch == last { return (snapshot.header.order, table, time) }
        }
        return nil
    }
}

extension EntryTable {
    /// Does what another process did.
    mutating func apply(_ change: JournalRecord) {
        switch change.change {
        case .insert: insert(change.record.keepingCreation(of: self[change.name]), for: change.name)
        case .remove: remove(change.name)
        case .use: _ = use(change.name, at: change.record.used)
        case .reload: break
        }
    }
}
