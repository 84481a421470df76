/// Chooses the entries to evict.
extension EntryTable {
    var amount: EvictionGoal.Amount { EvictionGoal.Amount(count: count, size: allocatedSize) }

    /// The next entries to evict, partial bodies first and then oldest first, `limit` at most. Takes one step for each
    /// entry of the result, and for each partial body that is not old enough.
    ///
    /// - Parameter skipped: An entry that could not be removed: only newer ones are examined, as long as it exists.
    func victims(for goal: EvictionGoal, after skipped: DiskEntryName? = nil, limit: Int) -> [Item] {
        var victims: [Item] = []
        var rest = amount
        var number = start(after: skipped)
        while number != .none, victims.count < limit {
            let node = nodes[number.index]
            number = node.newer
            guard goal.demands(node.record[order], of: rest) else {
                if node.name.isOfPartialBody { continue }
                break
            }
            victims.append((node.name, node.record))
            rest.count -= 1
            rest.size -= node.record.allocatedSize
        }
        return victims
    }

    private func start(after skipped: DiskEntryName?) -> NodeNumber {
        guard let skipped else { return oldest }
        let number = number(of: skipped)
        return number == .none ? oldest : nodes[number.index].newer
    }
}
