import FoundationEssentials
import Synchronization

/// What the index does beside the road: reading its files, looking at the entries' files, making a new snapshot. By one
/// thread at a time.
extension DiskIndex {
    /// Where the index cannot be read or written, an hour is soon enough to try again.
    private static let openingInterval = 3600.0

    /// Makes the index complete, and does what waits to be done.
    func care() {
        needsCare.store(false, ordering: .relaxed)
        leaveIfOutdated()
        openIfDue()
        _ = catchUp(within: .max)
        if !isComplete { rebuild() }
        settleDoubts()
        compactIfDue()
    }

    /// Closes what is open. The others, and the next process, know all that this one does.
    ///
    /// - Returns: What was read since the files were last told.
    func leave() -> [(name: DiskEntryName, time: FileTime)] {
        let uses = tellUses()
        sharing.withLock { sharing in
            sharing?.close()
            sharing = nil
        }
        return uses
    }

    private func leaveIfOutdated() {
        sharing.withLock { sharing in
            guard let own = sharing else { return }
            guard state.withLock({ $0.mustReload }) || !own.seat.isInPlace else { return }
            own.close()
            sharing = nil
            state.withLock { state in
                state.shared = nil
                state.lastOpening = nil
            }
        }
    }

    private func openIfDue() {
        let time = now()
        let isDue = state.withLock { state in
            guard state.shared == nil else { return false }
            return state.lastOpening.map { $0 <= time.before(Self.openingInterval) } ?? true
        }
        guard isDue else { return }
        guard directory.isThere else { return publish(EntryTable(order: order), isComplete: true) }
        let known = state.withLock { state in
            let known = state.isComplete ? state.table : nil
            state.lastOpening = time
            state.isComplete = false
            state.changes = state.changes ?? []
            state.mustReload = false
            return known
        }
        do { try open(known) } catch {
            warn("the index of the disk cache is not used: \(error.webImageError(stage: .disk).reason)")
        }
    }

    /// - Parameter known: What this process knew so far without the files of the index.
    private func open(_ known: EntryTable?) throws(FileSystemError) {
        let path = directory.cache
        let usual = IndexFiles(cache: path, fileSystem: directory.fileSystem)
        if let (seat, isAlone) = try IndexSeat.take(usual) {
            return try open(seat, known, isAlone: isAlone, isBeside: false)
        }
        let beside = IndexFiles(cache: path, fileSystem: directory.fileSystem, isBeside: true)
        guard let (seat, isAlone) = try IndexSeat.take(beside) else { return }
        try open(seat, known, isAlone: isAlone, isBeside: true)
    }

    private func open(_ seat: IndexSeat, _ known: EntryTable?, isAlone: Bool, isBeside: Bool) throws(FileSystemError) {
        do {
            let count = seat.state.changeCount
            var contents = try IndexContents.read(by: seat, isAlone: isAlone, order: order)
            if contents.trust == .damaged {
                warn("the index of the disk cache in \(directory.cache) is damaged and made anew")
            }
            // What the newer version does, nobody says here.
            let isComplete = contents.trust == .complete && !isBeside
            if !isComplete, let known { contents.table = known }
            if isAlone, isComplete {
                directory.refresh(&contents.table, since: try contents.journal.status.modified, now: now())
            }
            join(IndexSharing(seat: seat, journal: contents.journal), contents.table, isComplete, seen: count)
            seat.unlock()
            if contents.isTorn { compact() }
        } catch {
            seat.leave()
            throw error
        }
    }

    /// From now on the others are told what this process does, beginning with what it did since it started.
    private func join(_ own: IndexSharing, _ table: EntryTable, _ isComplete: Bool, seen: UInt64) {
        own.seat.state.begin()
        let changes = sharing.withLock { sharing in
            sharing = own
            return state.withLock { state in
                state.shared = own.seat.state
                state.seenChangeCount = seen
                return state.publish(table, isComplete: isComplete)
            }
        }
        if !changes.isEmpty { tell(changes) }
        own.seat.state.end()
    }

    private func publish(_ table: EntryTable, isComplete: Bool) {
        state.withLock { _ = $0.publish(table, isComplete: isComplete) }
    }

    /// Looks at all files.
    private func rebuild() {
        let (generation, known, shared) = state.withLock { ($0.generation, $0.table, $0.shared) }
        let damage = shared?.damage ?? 0
        let (table, hasLeftOvers) = directory.scan(known: known, now: now())
        let isDone = state.withLock { state in
            guard state.generation == generation, !state.mustReload else { return false }
            _ = state.publish(table, isComplete: true)
            return true
        }
        guard isDone else { return needsCare.store(true, ordering: .relaxed) }
        compact(mending: damage)
        // What may still be somebody's now, the next process removes: to it, something was begun and not ended.
        if hasLeftOvers { shared?.begin() }
    }
}

extension DiskIndex.State {
    /// Takes over a table, except for what this process has changed in the meantime.
    ///
    /// - Returns: Those changes.
    mutating func publish(
        _ new: EntryTable, isComplete: Bool
    ) -> [(change: JournalRecord.Change, name: DiskEntryName, record: IndexRecord)] {
        let known = (changes ?? []).map { (name: $0, record: table[$0]) }
        let order = table.order
        table = new
        for (name, record) in known where record == nil { table.remove(name) }
        let written = known.compactMap { item in item.record.map { (name: item.name, record: $0) } }
        for (name, record) in written.sorted(by: { $0.record[order] < $1.record[order] }) {
            table.insert(record, for: name)
        }
        self.isComplete = isComplete
        if isComplete { changes = nil }
        return known.map { ($0.record == nil ? .remove : .insert, $0.name, $0.record ?? .nothing) }
    }
}
