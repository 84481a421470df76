/// The entries that were read, and when, until that is written to their files. Noting one is to add three words to a row,
/// where a dictionary would hash a name at each hit.
struct RecordedUses: Sendable {
    private struct Use {
        let name: DiskEntryName
        var date: IndexDate
    }

    private static let leastLimit = 8192

    private var row: [Use] = []
    /// Where the row is as long as this, uses of the same entry become one; at least half of them are different then.
    private var limit = leastLimit
    private var count = 0

    /// - Parameter isKnownToFile: Whether the file of the entry says it well enough.
    /// - Returns: How many reads were noted since the uses were last taken.
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

    /// Forgets all.
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
