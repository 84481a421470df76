import Synchronization

extension DiskIndex {
    /// What there is now.
    var amount: EvictionGoal.Amount { state.withLock { $0.table.amount } }

    /// The next entries to go; see ``EntryTable/victims(for:after:limit:)``.
    func victims(for goal: EvictionGoal, after skipped: DiskEntryName?, limit: Int) -> [EntryTable.Item] {
        _ = catchUp(within: .max)
        return state.withLock { $0.table.victims(for: goal, after: skipped, limit: limit) }
    }

    /// Whether entries should be looked through now: a limit was passed, or it is an hour since the last time. Where
    /// files cannot be removed, an hour is soon enough to try again.
    func isEvictionDue(_ config: ImageCacheConfig, now: FileTime) -> Bool {
        state.withLock { state in
            guard let (time, hasSucceeded) = state.lastEviction else { return true }
            let isOver = hasSucceeded && EvictionGoal.limits(config, amount: state.table.amount) != nil
            return isOver || time <= now.before(3600)
        }
    }

    /// Notes that entries were looked through.
    func didEvict(at time: FileTime, hasSucceeded: Bool) {
        state.withLock { $0.lastEviction = (time, hasSucceeded) }
    }
}
