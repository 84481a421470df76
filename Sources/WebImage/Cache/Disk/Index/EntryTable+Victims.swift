/// What has to go.
extension EntryTable {
    var amount: EvictionGoal.Amount { EvictionGoal.Amount(count: count, size: allocatedSize) }

    /// The next entries to go, oldest first, `limit` at most. Costs as many steps as entries come back.
    ///
    /// - Parameter skipped: One that could not be removed: only what is newer is looked at, as long as it is there.
    func victims(for goal: EvictionGoal, after skipped: DiskEntryName? = nil, limit: Int) -> [Item] {
        var victims: [Item] = []
        var rest = amount
        var number = start(after: skipped)
        while number != .none, victims.count < limit {
            let node = nodes[number.index]
            guard goal.demands(node.record[order], of: rest) else { break }
            victims.append((node.name, node.record))
            rest.count -= 1
            rest.size -= node.record.allocatedSize
            number = node.newer
        }
        return victims
    }

    private func start(after skipped: DiskEntryName?) -> NodeNumber {
        guard let skipped else { return oldest }
        let number = number(of: skipped)
        return number == .none ? oldest : nodes[number.index].newer
    }
}
