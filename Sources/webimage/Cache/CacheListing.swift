import WebImage
import WebImageCommandLine

/// `webimage cache list`: one line for each picture.
struct CacheListing {
    /// nil prints entries in directory order, without waiting for the last.
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

    /// Whether the output still has a reader.
    private func isWanted(_ teller: CacheTeller) -> Bool { !Task.isCancelled && !teller.console.hasLostOutput }
}

/// The sort order of a list.
enum CacheOrder: String, CaseIterable {
    /// The largest first.
    case size
    /// The most recently used first.
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
    /// A sort order by its name.
    static var cacheOrder: Self {
        Self(
            placeholder: "size|date|key", expectation: "size, date or key",
            completion: .words(CacheOrder.allCases.map(\.rawValue)), parse: CacheOrder.init)
    }
}
