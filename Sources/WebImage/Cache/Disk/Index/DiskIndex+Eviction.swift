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
    /// once, before the first is gone: one note for each would take as long as its removal. They go directory by directory,
    /// since to find another one takes as long as well.
    ///
    /// - Parameter remove: Removes the file of one entry.
    /// - Returns: The newest that could not be removed, with the first error.
    func evict(
        _ victims: [EntryTable.Item], remove: (DiskEntryName) throws(FileSystemError) -> Void
    ) -> (name: DiskEntryName, error: FileSystemError)? {
        leaveIfRemoved()
        joinOrMark()
        let shared = state.withLock { state in
            state.evicting.formUnion(victims.lazy.map(\.name))
            return state.shared
        }
        shared?.begin()
        let before = shared?.reading
        defer {
            if let shared, mayHaveBeenCounted(in: shared, since: before) {
                lookAgain(victims.map { (.remove, $0.name, .nothing) })
            }
            if shared?.areOthersBusy == true { doubt(victims.lazy.map(\.name)) }
            state.withLock { state in
                state.evicting.subtract(victims.lazy.map(\.name))
                state.noteDebts()
            }
            shared?.end()
        }
        if shared != nil { tell(victims.map { (.remove, $0.name, .nothing) }) }
        var failure: (number: Int, error: FileSystemError)?
        for number in victims.indices.sorted(by: { victims[$0].name.directory < victims[$1].name.directory }) {
            let (name, record) = victims[number]
            do throws(FileSystemError) {
                try evict(name, ifStill: record, toldIn: shared, remove: remove)
            } catch {
                failure = (max(number, failure?.number ?? 0), failure?.error ?? error)
            }
        }
        return failure.map { (victims[$0.number].name, $0.error) }
    }

    /// Whether others may have looked at all files after they were told of entries as gone, and before those were.
    private func mayHaveBeenCounted(in shared: IndexState, since before: IndexState.Reading?) -> Bool {
        guard let before, let after = shared.reading else { return true }
        return after.isDamaged || after.header.mended != before.header.mended || state.withLock { $0.shared !== shared }
    }

    private func evict(
        _ name: DiskEntryName, ifStill record: IndexRecord, toldIn shared: IndexState?,
        remove: (DiskEntryName) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        try changing(name, isOneOfMany: true) { () throws(FileSystemError) in
            do throws(FileSystemError) {
                // Stored anew, it may be as large, in the same second.
                if state.withLock({ $0.table[name] == record && $0.evicting.contains(name) }) {
                    try remove(name)
                    // The index that it was told to may be lost meanwhile.
                    let isTold = shared != nil && state.withLock { $0.shared === shared }
                    if isTold { forget(name) } else { self.remove(name) }
                } else {
                    takeBack(name)
                }
            } catch {
                takeBack(name)
                throw error
            }
        }
    }

    /// The others were told that an entry is gone, and it is not.
    private func takeBack(_ name: DiskEntryName) {
        let (record, isShared) = state.withLock { ($0.table[name], $0.shared != nil) }
        if let record, isShared { tell([(.insert, name, record)]) }
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
