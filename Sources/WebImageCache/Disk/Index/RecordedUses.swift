import WebImageCore

/// The uses of entries that are not written to their files yet. Noting a use appends three words to an array, where a
/// dictionary would hash a name at each hit.
struct RecordedUses: Sendable {
    private struct Use {
        let name: DiskEntryName
        var date: IndexDate
    }

    private static let leastLimit = 8192

    private var row: [Use] = []
    /// At this length, uses of the same entry are merged into one; the limit is at least twice the number of different
    /// entries.
    private var limit = leastLimit
    private var count = 0

    /// - Parameter isKnownToFile: Whether the date in the entry's file is close enough.
    /// - Returns: The number of reads noted since the last ``take()``.
    mutating func note(_ name: DiskEntryName, at date: IndexDate, isKnownToFile: Bool) -> Int {
        count += 1
        if isKnownToFile { return count }
        if let last = row.indices.last, row[last].name == name {
            row[last].date = max(row[last].date, date)
            return count
        }
        if row.count == limit {
            row = dates.map { Use(name: $0.key, date: $0.value) }
            limit = max(Self.leastLimit, row.count * 2)
        }
        row.append(Use(name: name, date: date))
        return count
    }

    /// Removes all uses.
    ///
    /// - Returns: Each entry once, with its last use.
    mutating func take() -> [(name: DiskEntryName, time: FileTime)] {
        defer { self = RecordedUses() }
        return dates.map { ($0.key, $0.value.time) }
    }

    private var dates: [DiskEntryName: IndexDate] {
        Dictionary(row.map { ($0.name, $0.date) }, uniquingKeysWith: max)
    }
}
