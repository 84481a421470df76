/// Making a table of many entries at once.
extension EntryTable {
    /// A table of `count` different entries that `item` gives, oldest first.
    init(order: DiskCacheExpireType, count: Int, item: (Int) -> Item) {
        self.init(order: order)
        guard count > 0 else { return }
        // Flat while it is filled: a million steps all over it are what the time goes to.
        var heads = [NodeNumber](repeating: .none, count: count)
        var (byteCount, allocatedSize) = (0, 0)
        nodes = ChunkedArray(count: count) { index in
            let (name, record) = item(index)
            byteCount += record.byteCount
            allocatedSize += record.allocatedSize
            let bucket = Self.bucket(of: name, among: count)
            let node = Node(
                name: name, record: record, next: heads[bucket], older: index > 0 ? NodeNumber(index - 1) : .none,
                newer: index + 1 < count ? NodeNumber(index + 1) : .none)
            heads[bucket] = NodeNumber(index)
            return node
        }
        buckets = ChunkedArray(count: count) { heads[$0] }
        (self.count, self.byteCount, self.allocatedSize) = (count, byteCount, allocatedSize)
        (oldest, newest) = (NodeNumber(0), NodeNumber(count - 1))
    }
}

extension EntryTable {
    /// A table of different entries in any order.
    ///
    /// - Parameter time: What they are ordered by: finer than their dates, where that is known.
    init<Entry>(
        order: DiskCacheExpireType, unordered entries: [Entry], item: (Entry) -> Item, time: (Entry) -> FileTime
    ) {
        var positions = entries.indices.map {
            (time: time(entries[$0]).nanoseconds, index: UInt32(truncatingIfNeeded: $0))
        }
        positions.sort { $0 < $1 }
        self.init(order: order, count: entries.count) { item(entries[Int(positions[$0].index)]) }
    }

    /// A table of different entries in any order.
    init(order: DiskCacheExpireType, unordered items: [Item], time: (Item) -> FileTime) {
        self.init(order: order, unordered: items, item: { $0 }, time: time)
    }
}
