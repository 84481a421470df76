import WebImageCore

/// Builds a table from many entries at once.
extension EntryTable {
    /// Builds a table from different entries, partial bodies first, and the oldest first among both kinds.
    struct Builder {
        /// The number of entries that ``append(count:item:)`` takes.
        static var pieceSize: Int { ChunkedArray<Node>.chunkSize }

        private var table: EntryTable
        private let capacity: Int
        /// A plain array while the table is built: writing to random places in it takes most of the time.
        private var heads: [NodeNumber]

        init(order: DiskCacheExpireType, capacity: Int) {
            table = EntryTable(order: order)
            self.capacity = max(1, capacity)
            heads = [NodeNumber](repeating: .none, count: self.capacity)
        }

        var count: Int { table.nodes.count }

        /// Adds ``pieceSize`` entries; fewer only once, at the end.
        mutating func append(count: Int, item: (Int) -> Item) {
            let start = table.nodes.count
            var (byteCount, allocatedSize, partialBodyCount) = (0, 0, 0)
            table.nodes.appendChunk(count: count) { index in
                let (name, record) = item(index)
                byteCount += record.byteCount
                allocatedSize += record.allocatedSize
                if name.isOfPartialBody { partialBodyCount += 1 }
                let number = start + index
                let bucket = EntryTable.bucket(of: name, among: capacity)
                let node = Node(
                    name: name, record: record, next: heads[bucket],
                    older: number > 0 ? NodeNumber(number - 1) : .none, newer: NodeNumber(number + 1))
                heads[bucket] = NodeNumber(number)
                return node
            }
            table.count += count
            table.byteCount += byteCount
            table.allocatedSize += allocatedSize
            table.partialBodyCount += partialBodyCount
        }

        consuming func finish() -> EntryTable {
            var table = table
            let heads = heads
            table.buckets = ChunkedArray(count: heads.count) { heads[$0] }
            if count > 0 {
                (table.oldest, table.newest) = (NodeNumber(0), NodeNumber(count - 1))
                table.nodes[count - 1].newer = .none
                if table.partialBodyCount > 0 { table.newestPartialBody = NodeNumber(table.partialBodyCount - 1) }
            }
            return table
        }
    }

    /// A table of `count` different entries that `item` gives, in the order of ``Builder``.
    init(order: DiskCacheExpireType, count: Int, item: (Int) -> Item) {
        var builder = Builder(order: order, capacity: count)
        for start in stride(from: 0, to: count, by: Builder.pieceSize) {
            builder.append(count: min(Builder.pieceSize, count - start)) { item(start + $0) }
        }
        self = builder.finish()
    }

    /// A table of different entries in any order.
    ///
    /// - Parameter time: The time that orders an entry, where known more precisely than in its record.
    init<Entry>(
        order: DiskCacheExpireType, unordered entries: [Entry], item: (Entry) -> Item, time: (Entry) -> FileTime
    ) {
        var positions = entries.indices.map { (number: Int) -> (time: Int64, index: UInt32) in
            // Partial bodies come before the beginning of time.
            let nanoseconds = max(0, time(entries[number]).nanoseconds)
            let isPartial = item(entries[number]).name.isOfPartialBody
            return (time: isPartial ? .min + nanoseconds : nanoseconds, index: UInt32(truncatingIfNeeded: number))
        }
        positions.sort { $0 < $1 }
        self.init(order: order, count: entries.count) { item(entries[Int(positions[$0].index)]) }
    }

    /// The same entries, ordered by another date.
    init(order: DiskCacheExpireType, _ other: EntryTable) {
        var items: [Item] = []
        items.reserveCapacity(other.count)
        other.forEach { items.append($0) }
        self.init(order: order, unordered: items, item: { $0 }, time: { $0.record[order].time })
    }
}
