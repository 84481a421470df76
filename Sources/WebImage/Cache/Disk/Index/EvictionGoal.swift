import FoundationEssentials

/// How far an eviction goes, from the oldest entry on.
enum EvictionGoal {
    struct Amount {
        var count: Int
        /// Bytes on disk.
        var size: Int
    }

    /// Nothing from that moment or before it stays.
    case nothingOlder(FileTime)
    /// No more than this stays.
    case atMost(Amount)

    /// What goes by its age; nil when entries are kept for ever.
    static func age(_ config: ImageCacheConfig, now: FileTime) -> EvictionGoal? {
        config.maxDiskAge >= 0 ? .nothingOlder(now.before(config.maxDiskAge)) : nil
    }

    /// For each limit that is passed, less than half of it is to stay; nil when none is.
    static func limits(_ config: ImageCacheConfig, amount: Amount) -> EvictionGoal? {
        var goal = Amount(count: .max, size: .max)
        if config.maxDiskCount > 0, amount.count > config.maxDiskCount { goal.count = max(1, config.maxDiskCount / 2) }
        if config.maxDiskSize > 0, amount.size > config.maxDiskSize { goal.size = (config.maxDiskSize - 1) / 2 }
        return goal.count < .max || goal.size < .max ? .atMost(goal) : nil
    }

    /// Whether the oldest entry, of that date, goes, when so much is there with it.
    func demands(_ date: IndexDate, of amount: Amount) -> Bool {
        switch self {
        case .nothingOlder(let deadline): date.time <= deadline
        case .atMost(let goal): amount.count > goal.count || amount.size > goal.size
        }
    }
}
