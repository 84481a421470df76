/// Look-up by name with linear hashing (Litwin, 1980). Each added entry adds one bucket and moves about one entry into
/// it, so that the table never stops to rehash a million entries. Names are digests, so their bits need no mixing.
extension EntryTable {
    func number(of name: DiskEntryName) -> NodeNumber {
        var number = buckets[bucket(of: name)]
        while number != .none, nodes[number.index].name != name { number = nodes[number.index].next }
        return number
    }

    mutating func putIntoBucket(_ number: NodeNumber) {
        let bucket = bucket(of: nodes[number.index].name)
        nodes[number.index].next = buckets[bucket]
        buckets[bucket] = number
    }

    /// - Returns: The node of that name, which is in no bucket now.
    mutating func takeFromBucket(_ name: DiskEntryName) -> NodeNumber {
        let bucket = bucket(of: name)
        var previous = NodeNumber.none
        var number = buckets[bucket]
        while number != .none, nodes[number.index].name != name {
            (previous, number) = (number, nodes[number.index].next)
        }
        guard number != .none else { return .none }
        let next = nodes[number.index].next
        if previous == .none { buckets[bucket] = next } else { nodes[previous.index].next = next }
        return number
    }

    /// Buckets are never removed: a cache that was full once will be full again.
    mutating func growBuckets(for count: Int) {
        while buckets.count < count { splitBucket() }
    }

    private mutating func splitBucket() {
        let new = buckets.count
        let split = new & (Self.mask(for: new + 1) >> 1)
        buckets.append(.none)
        var rest = buckets[split]
        buckets[split] = .none
        while rest != .none {
            let number = rest
            rest = nodes[number.index].next
            putIntoBucket(number)
        }
    }

    private func bucket(of name: DiskEntryName) -> Int { Self.bucket(of: name, among: buckets.count) }

    static func bucket(of name: DiskEntryName, among count: Int) -> Int {
        let mask = mask(for: count)
        let bucket = Int(truncatingIfNeeded: name.low) & mask
        return bucket < count ? bucket : bucket & (mask >> 1)
    }

    /// The bits that number `count` buckets.
    private static func mask(for count: Int) -> Int {
        (1 << (Int.bitWidth - max(0, count - 1).leadingZeroBitCount)) - 1
    }
}
