import FoundationEssentials
import WebImageCore

/// The end of an eviction, which begins with the oldest entry.
enum EvictionGoal {
    struct Amount {
        var count: Int
        /// Bytes on disk.
        var size: Int
    }

    /// Entries from that time or before are evicted.
    case nothingOlder(FileTime)
    /// At most this amount stays.
    case atMost(Amount)

    /// The goal for the age of entries; nil when entries never expire.
    static func age(_ limits: DiskCacheLimits, now: FileTime) -> EvictionGoal? {
        guard let age = limits.age, age >= .zero else { return nil }
        return .nothingOlder(now.before(age.seconds))
    }

    /// The goal for limits: less than half of each limit that is passed stays; nil when no limit is passed.
    static func limits(_ limits: DiskCacheLimits, amount: Amount) -> EvictionGoal? {
        var goal = Amount(count: .max, size: .max)
        if let limit = limits.count, amount.count > limit { goal.count = limit > 0 ? max(1, limit / 2) : 0 }
        if let limit = limits.size, amount.size > limit { goal.size = max(0, limit - 1) / 2 }
        return goal.count < .max || goal.size < .max ? .atMost(goal) : nil
    }

    /// Whether the oldest entry, with that date, is evicted when `amount` is the current total.
    func demands(_ date: IndexDate, of amount: Amount) -> Bool {
        switch self {
        case .nothingOlder(let deadline): date.time <= deadline
        case .atMost(let goal): amount.count > goal.count || amount.size > goal.size
        }
    }
}
