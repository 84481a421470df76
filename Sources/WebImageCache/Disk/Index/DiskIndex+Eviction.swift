import Synchronization
import WebImageCore

extension DiskIndex {
    /// The amount that limits apply to.
    var amount: EvictionGoal.Amount { state.withLock { $0.table.amount } }

    /// The next entries to evict; see ``EntryTable/victims(for:after:limit:)``.
    func victims(for goal: EvictionGoal, after skipped: DiskEntryName?, limit: Int) -> [EntryTable.Item] {
        state.withLock { $0.table.victims(for: goal, after: skipped, limit: limit) }
    }

    /// Removes the chosen entries, except those that this process or, according to their files, another one has read or
    /// written since. Removes them directory by directory: opening another directory takes as long as removing a file.
    ///
    /// - Parameter remove: Gets each entry whose file is to be removed.
    /// - Returns: The newest entry that could not be removed, with the first error.
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
        if state.withLock({ $0.isGuest }) { files.leaveMark() }
        return failure.map { (victims[$0.number].name, $0.error) }
    }

    private func evict(
        _ victim: EntryTable.Item, _ remove: (EntryTable.Item) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        let (name, record) = victim
        try changing(name, isOneOfMany: true) { () throws(FileSystemError) in
            // An entry that was stored again may have the same size and the same second.
            guard state.withLock({ $0.table[name] == record && $0.evicting.contains(name) }) else { return }
            let seen = directory.quickStatus(of: name).map { record.updated(by: IndexRecord($0, now: now())) }
            if let seen, seen[order] > record[order] { return insert(seen, for: name) }
            try remove(victim)
            self.remove(name)
        }
    }

    /// Whether an eviction is due: a limit is passed, or the last eviction is an hour ago. Where files cannot be
    /// removed, the next try is also an hour later. Only the owner evicts without being asked.
    func isEvictionDue(_ limits: DiskCacheLimits, now: FileTime) -> Bool {
        state.withLock { state in
            guard !state.isGuest else { return false }
            guard let (time, hasSucceeded) = state.lastEviction else { return true }
            let isOver = hasSucceeded && EvictionGoal.limits(limits, amount: state.table.amount) != nil
            return isOver || time <= now.before(3600) || time > now
        }
    }

    /// Makes an eviction due: the limits have changed.
    func forgetEviction() { state.withLock { $0.lastEviction = nil } }

    /// Notes the time of an eviction.
    func didEvict(at time: FileTime, hasSucceeded: Bool) {
        state.withLock { $0.lastEviction = (time, hasSucceeded) }
    }
}
