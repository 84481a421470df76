/// All entries of a disk cache in memory: found by name, and in a list in the order of eviction, at 60 bytes each. In the
/// list, partial bodies come before all whole entries.
///
/// Finding, adding, using and removing an entry take the same few steps whatever their number. A copy takes almost no
/// time, and does not change with the original.
struct EntryTable: Sendable {
    typealias Item = (name: DiskEntryName, record: IndexRecord)

    struct Node: Sendable, BitwiseCopyable {
        var name: DiskEntryName
        var record: IndexRecord
        /// The next node in the same bucket, or the next free one.
        var next: NodeNumber
        var older: NodeNumber
        var newer: NodeNumber
    }

    /// The index of a node; ``NodeNumber/none`` stands for no node.
    struct NodeNumber: Sendable, Hashable, BitwiseCopyable {
        static let none = NodeNumber(value: .max)
        let value: UInt32

        init(value: UInt32) { self.value = value }
        init(_ index: Int) { value = UInt32(truncatingIfNeeded: index) }

        var index: Int { Int(value) }
    }

    /// The date that orders the entries.
    let order: DiskCacheExpireType

    var count = 0
    /// Those of ``count`` that are the beginnings of files.
    var partialBodyCount = 0
    /// The sum of the files' sizes.
    var byteCount = 0
    /// The sum of the space that the files take on disk.
    var allocatedSize = 0

    var nodes = ChunkedArray<Node>()
    var buckets = ChunkedArray<NodeNumber>(count: 1) { _ in .none }
    var oldest = NodeNumber.none
    var newest = NodeNumber.none
    /// The last partial body in the list.
    var newestPartialBody = NodeNumber.none
    private var free = NodeNumber.none

    init(order: DiskCacheExpireType) { self.order = order }

    subscript(name: DiskEntryName) -> IndexRecord? {
        let number = number(of: name)
        return number == .none ? nil : nodes[number.index].record
    }

    /// Adds an entry, or replaces its record, and moves it to the place of its date.
    mutating func insert(_ record: IndexRecord, for name: DiskEntryName) {
        let known = number(of: name)
        guard known != .none else { return add(record, for: name) }
        let old = nodes[known.index].record
        count(old, of: name, by: -1)
        count(record, of: name, by: 1)
        nodes[known.index].record = record
        guard order != .creationDate || old.created != record.created else { return }
        unlink(known)
        link(known)
    }

    /// Notes that an entry was read; false when it is not there.
    mutating func use(_ name: DiskEntryName, at date: IndexDate) -> Bool {
        let number = number(of: name)
        guard number != .none else { return false }
        nodes[number.index].record.used = max(nodes[number.index].record.used, date)
        if order == .accessDate, number != newest {
            unlink(number)
            link(number)
        }
        return true
    }

    /// Removes an entry; nil when the table does not have it.
    @discardableResult
    mutating func remove(_ name: DiskEntryName) -> IndexRecord? {
        let number = takeFromBucket(name)
        guard number != .none else { return nil }
        unlink(number)
        let record = nodes[number.index].record
        count(record, of: name, by: -1)
        nodes[number.index].next = free
        free = number
        return record
    }

    private mutating func add(_ record: IndexRecord, for name: DiskEntryName) {
        let node = Node(name: name, record: record, next: .none, older: .none, newer: .none)
        var number = free
        if number == .none {
            number = NodeNumber(nodes.count)
            nodes.append(node)
        } else {
            free = nodes[number.index].next
            nodes[number.index] = node
        }
        count(record, of: name, by: 1)
        growBuckets(for: count)
        putIntoBucket(number)
        link(number)
    }

    private mutating func count(_ record: IndexRecord, of name: DiskEntryName, by sign: Int) {
        count += sign
        if name.isOfPartialBody { partialBodyCount += sign }
        byteCount += sign * record.byteCount
        allocatedSize += sign * record.allocatedSize
    }
}
