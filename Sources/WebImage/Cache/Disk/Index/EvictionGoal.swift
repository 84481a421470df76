import FoundationEssentials

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
    static func age(_ config: ImageCacheConfig, now: FileTime) -> EvictionGoal? {
        config.maxDiskAge >= 0 ? .nothingOlder(now.before(config.maxDiskAge)) : nil
    }

    /// The goal for limits: less than half of each limit that is passed stays; nil when no limit is passed.
    static func limits(_ config: ImageCacheConfig, amount: Amount) -> EvictionGoal? {
        var goal = Amount(count: .max, size: .max)
        if config.maxDiskCount > 0, amount.count > config.maxDiskCount { goal.count = max(1, config.maxDiskCount / 2) }
        if config.maxDiskSize > 0, amount.size > config.maxDiskSize { goal.size = (config.maxDiskSize - 1) / 2 }
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
