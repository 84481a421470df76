/// Making a table of many entries at once.
extension EntryTable {
    /// A table of `count` different entries that `next` gives, oldest first.
    init(order: DiskCacheExpireType, count: Int, next: (Int) -> Item) {
        self.init(order: order)
        buckets = ChunkedArray(repeating: .none, count: max(1, count))
        for index in 0..<count {
            let (name, record) = next(index)
            let newer = index + 1 < count ? NodeNumber(index + 1) : .none
            let older = index > 0 ? NodeNumber(index - 1) : .none
            nodes.append(Node(name: name, record: record, next: .none, older: older, newer: newer))
            self.count(record, by: 1)
            putIntoBucket(NodeNumber(index))
        }
        guard count > 0 else { return }
        oldest = NodeNumber(0)
        newest = NodeNumber(count - 1)
    }
}
