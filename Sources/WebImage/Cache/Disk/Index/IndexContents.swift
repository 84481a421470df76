/// What was read of an index on disk.
struct IndexContents {
    enum Trust {
        /// Snapshot and journals say what the files did, to the last change.
        case complete
        /// Somebody died in the middle of a change, or was told of damage before.
        case unfinished
        /// What stands there makes no sense, or is not there.
        case damaged
    }

    var table: EntryTable
    /// The journal that changes go to, read to its end.
    let journal: IndexJournal
    let trust: Trust
    /// Whether the journal ends in a half record, after which nobody can go on.
    let isTorn: Bool

    /// Reads snapshot and journals; the seat must hold the lock.
    static func read(
        by seat: IndexSeat, isAlone: Bool, order: DiskCacheExpireType
    ) throws(FileSystemError) -> IndexContents {
        let hadDamage = seat.state.damage != 0
        let isUnfinished = isAlone && seat.state.hasUnfinished
        if isAlone { seat.state.forgetUnfinished() }
        if let (table, journal) = try readAll(by: seat, order: order) {
            if isUnfinished { seat.state.noteDamage() }
            return IndexContents(
                table: table, journal: journal, trust: hadDamage || isUnfinished ? .unfinished : .complete,
                isTorn: isAlone ? try journal.isTorn() : false)
        }
        // A new index starts like this, and nothing is wrong with that.
        seat.state.noteDamage()
        var journal = try IndexJournal(seat.state.epoch, in: seat.files)
        do throws(FileSystemError) { _ = try journal.readOn() } catch {
            journal.close()
            throw error
        }
        return IndexContents(
            table: EntryTable(order: order), journal: journal,
            trust: hadDamage && !seat.files.hasSnapshot ? .unfinished : .damaged, isTorn: false)
    }

    /// nil when a part is missing or damaged.
    private static func readAll(
        by seat: IndexSeat, order: DiskCacheExpireType
    ) throws(FileSystemError) -> (EntryTable, IndexJournal)? {
        guard let snapshot = try seat.files.readSnapshot(), snapshot.header.epoch <= seat.state.epoch,
            seat.state.epoch - snapshot.header.epoch <= 1000
        else { return nil }
        var table = snapshot.header.order == order ? snapshot.table : EntryTable(order: order, snapshot.table)
        for epoch in snapshot.header.epoch...seat.state.epoch {
            guard seat.files.hasJournal(epoch) else { return nil }
            var journal = try IndexJournal(epoch, in: seat.files)
            do throws(FileSystemError) {
                let (records, isWhole) = try journal.readOn()
                for record in records { table.apply(record) }
                guard isWhole else {
                    journal.close()
                    return nil
                }
            } catch {
                journal.close()
                throw error
            }
            if epoch == seat.state.epoch { return (table, journal) }
            journal.close()
        }
        return nil
    }
}

extension EntryTable {
    /// Does what another process did.
    mutating func apply(_ change: JournalRecord) {
        switch change.change {
        case .insert: insert(change.record, for: change.name)
        case .remove: remove(change.name)
        case .use: _ = use(change.name, at: change.record.used)
        case .reload: break
        }
    }
}
