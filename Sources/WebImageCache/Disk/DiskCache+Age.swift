import FoundationEssentials
import WebImageCore

/// The age of entries that count as none before they are removed.
extension DiskCache {
    /// Whether an eviction would remove the entry for its age, in a cache that shows none of these.
    ///
    /// - Parameter created: When it was first stored.
    func isTooOld(_ name: DiskEntryName, _ status: FileStatus, created: Date) -> Bool {
        let now = FileTime(now())
        guard ignoresExpired, let goal = EvictionGoal.age(limits, now: now) else { return false }
        let seen = IndexRecord(status, now: now)
        // Uses are written to the files some seconds later.
        var record = index[name]?.updated(by: seen) ?? seen
        record.created = IndexDate(FileTime(created))
        return goal.demands(record[index.order], of: EvictionGoal.Amount(count: 0, size: 0))
    }
}
