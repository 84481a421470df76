/// The names of entries that were read, in no order: noting one is to add two words to a row, where a set would hash them
/// twice at each hit.
struct UsedNames: Sendable {
    private static let leastLimit = 8192

    private var row: [DiskEntryName] = []
    /// At so many, those that are there several times are looked for; at least half of them are different then.
    private var limit = leastLimit

    /// How many were noted, of which some may be the same.
    var count: Int { row.count }

    /// All of them, each once.
    var names: Set<DiskEntryName> { Set(row) }

    mutating func insert(_ name: DiskEntryName) {
        guard row.last != name else { return }
        if row.count == limit {
            row = Array(names)
            limit = max(Self.leastLimit, row.count * 2)
        }
        row.append(name)
    }

    /// Forgets all.
    ///
    /// - Returns: What they were.
    mutating func take() -> Set<DiskEntryName> {
        defer { self = UsedNames() }
        return names
    }
}
