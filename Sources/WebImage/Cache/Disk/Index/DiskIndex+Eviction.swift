import Synchronization

extension DiskIndex {
    /// How much there is, for limits.
    var amount: EvictionGoal.Amount { state.withLock { $0.table.amount } }

    /// The next entries to go; see ``EntryTable/victims(for:after:limit:)``.
    func victims(for goal: EvictionGoal, after skipped: DiskEntryName?, limit: Int) -> [EntryTable.Item] {
        state.withLock { $0.table.victims(for: goal, after: skipped, limit: limit) }
    }

    /// Removes entries that were chosen, and spares those that this process or, as their files say, another one has read or
    /// written since. They go directory by directory, since to find another one takes as long as to remove a file.
    ///
    /// - Parameter remove: Gets each entry whose file is to be removed.
    /// - Returns: The newest that could not be removed, with the first error.
    func evict(
        _ victims: [EntryTable.Item], remove: (EntryTable.Item) throws(FileSystemError) -> Void
    ) -> (name: DiskEntryName, error: FileSystemError)? {
        state.withLock { $0.evicting.formUnion(victims.lazy.map(\.name)) }
        var failure: (number: Int, error: FileSystemError)?
        for number in victims.indices.sorted(by: { victims[$0].name.directory < victims[$1].name.directory }) {
            do throws(FileSystemError) { try evict(victims[number], remove) } catch {
                failure = (max(number, failure?.number ?? 0), failure?.error ?? error)
            }
        }
        state.withLock { $0.evicting.subtract(victims.lazy.map(\.name)) }
        return failure.map { (victims[$0.number].name, $0.error) }
    }

    private func evict(
        _ victim: EntryTable.Item, _ remove: (EntryTable.Item) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        let (name, record) = victim
        try changing(name) { () throws(FileSystemError) in
            // Stored anew, it may be as large, in the same second.
            guard state.withLock({ $0.table[name] == record && $0.evicting.contains(name) }) else { return }
            let seen = directory.quickStatus(of: name).map { record.updated(by: IndexRecord($0, now: now())) }
            if let seen, seen[order] > record[order] { return insert(seen, for: name) }
            try remove(victim)
            self.remove(name)
        }
    }

    /// Whether entries should be looked through now: a limit was passed, or it is an hour since the last time. Where
    /// files cannot be removed, an hour is soon enough to try again. Only the owner does that by itself.
    func isEvictionDue(_ config: ImageCacheConfig, now: FileTime) -> Bool {
        state.withLock { state in
            guard !state.isGuest else { return false }
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
