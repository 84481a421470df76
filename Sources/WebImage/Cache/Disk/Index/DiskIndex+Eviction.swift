import Synchronization

extension DiskIndex {
    /// What there is now.
    var amount: EvictionGoal.Amount { state.withLock { $0.table.amount } }

    /// The next entries to go; see ``EntryTable/victims(for:after:limit:)``.
    func victims(for goal: EvictionGoal, after skipped: DiskEntryName?, limit: Int) -> [EntryTable.Item] {
        _ = catchUp(within: .max)
        return state.withLock { $0.table.victims(for: goal, after: skipped, limit: limit) }
    }

    /// Removes entries that were chosen, and spares those that were read or written since. The others are told of all at
    /// once: one note for each would take as long as its removal. They go directory by directory, since to find another one
    /// takes as long as well.
    ///
    /// - Parameter remove: Removes the file of one entry.
    /// - Returns: The newest that could not be removed, with the first error.
    func evict(
        _ victims: [EntryTable.Item], remove: (DiskEntryName) throws(FileSystemError) -> Void
    ) -> (name: DiskEntryName, error: FileSystemError)? {
        leaveIfRemoved()
        joinAtFirst()
        let shared = state.withLock { state in
            state.evicting.formUnion(victims.lazy.map(\.name))
            return state.shared
        }
        shared?.begin()
        var gone: [DiskEntryName] = []
        var failure: (number: Int, error: FileSystemError)?
        for number in victims.indices.sorted(by: { victims[$0].name.directory < victims[$1].name.directory }) {
            let (name, record) = victims[number]
            do throws(FileSystemError) {
                if try evict(name, ifStill: record, toldIn: shared, remove: remove) { gone.append(name) }
            } catch {
                failure = (max(number, failure?.number ?? 0), failure?.error ?? error)
            }
        }
        if let shared { endEviction(of: gone, toldIn: shared) }
        state.withLock { $0.evicting.subtract(victims.lazy.map(\.name)) }
        return failure.map { (victims[$0.number].name, $0.error) }
    }

    /// - Returns: Whether the file is gone, of which the others are yet to be told.
    private func evict(
        _ name: DiskEntryName, ifStill record: IndexRecord, toldIn shared: IndexState?,
        remove: (DiskEntryName) throws(FileSystemError) -> Void
    ) throws(FileSystemError) -> Bool {
        try changing(name, isOneOfMany: shared != nil) { () throws(FileSystemError) in
            // Stored anew, it may be as large, in the same second.
            guard state.withLock({ $0.table[name] == record && $0.evicting.contains(name) }) else { return false }
            try remove(name)
            guard let shared else {
                self.remove(name)
                return false
            }
            let isOneOfMany = state.withLock { $0.inProgress[name]?.shared === shared }
            if isOneOfMany {
                forget(name)
            } else {
                // The index was lost meanwhile.
                self.remove(name)
                doubt([name])
            }
            return isOneOfMany
        }
    }

    private func endEviction(of gone: [DiskEntryName], toldIn shared: IndexState) {
        let isTold = sharing.withLock { sharing in
            guard sharing?.seat.state === shared else { return false }
            // What is stored anew is told after this, or was told before. What others have told, or counted, may be older.
            let absent = state.withLock { state in
                state.changes?.formUnion(gone)
                state.doubtful.formUnion(gone.filter { state.table[$0] != nil })
                return gone.filter { state.table[$0] == nil }
            }
            if absent.count < gone.count { needsCare.store(true, ordering: .relaxed) }
            tell(absent.map { (.remove, $0, .nothing) }, by: &sharing)
            return true
        }
        if !isTold { lookAgain(gone.map { (.remove, $0, .nothing) }) }
        if shared.areOthersBusy { doubt(gone) }
        state.withLock { $0.noteDebts() }
        shared.end()
    }

    /// Whether entries should be looked through now: a limit was passed, or it is an hour since the last time. Where
    /// files cannot be removed, an hour is soon enough to try again.
    func isEvictionDue(_ config: ImageCacheConfig, now: FileTime) -> Bool {
        state.withLock { state in
            guard let (time, hasSucceeded) = state.lastEviction else { return true }
            let isOver = hasSucceeded && EvictionGoal.limits(config, amount: state.table.amount) != nil
            return isOver || time <= now.before(3600) || time > now
        }
    }

    /// Notes that entries were looked through.
    func didEvict(at time: FileTime, hasSucceeded: Bool) {
        state.withLock { $0.lastEviction = (time, hasSucceeded) }
    }
}
