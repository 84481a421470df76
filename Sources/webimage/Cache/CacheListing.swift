import WebImage
import WebImageCommandLine

/// `webimage cache list`: one line for each picture.
struct CacheListing {
    /// nil takes them as they come, without waiting for the last.
    let order: CacheOrder?

    func tell(_ cache: DiskCache, by teller: CacheTeller) throws(WebImageError) {
        guard let order else {
            return try cache.forEachEntry { entry in
                tell(entry, by: teller)
                return isWanted(teller)
            }
        }
        var entries: [DiskCacheEntrySummary] = []
        try cache.forEachEntry { entry in
            entries.append(entry)
            return !Task.isCancelled
        }
        for entry in entries.sorted(by: order.precedes) where isWanted(teller) { tell(entry, by: teller) }
    }

    private func tell(_ entry: DiskCacheEntrySummary, by teller: CacheTeller) {
        let record = CacheEntryRecord(entry)
        teller.tell(record) { record.line(columns: teller.console.outputColumns) }
    }

    /// Whether anybody still reads.
    private func isWanted(_ teller: CacheTeller) -> Bool { !Task.isCancelled && !teller.console.hasLostOutput }
}

/// What comes first in a list.
enum CacheOrder: String, CaseIterable {
    /// The largest.
    case size
    /// What was used last.
    case date
    /// By name.
    case key

    func precedes(_ first: DiskCacheEntrySummary, _ second: DiskCacheEntrySummary) -> Bool {
        switch self {
        case .size where first.byteCount != second.byteCount: first.byteCount > second.byteCount
        case .date where first.accessedAt != second.accessedAt: first.accessedAt > second.accessedAt
        default: first.key.string < second.key.string
        }
    }
}

extension OptionValue where Value == CacheOrder {
    /// One of the orders, by its name.
    static var cacheOrder: Self {
        Self(placeholder: "size|date|key", expectation: "size, date or key", parse: CacheOrder.init)
    }
}
