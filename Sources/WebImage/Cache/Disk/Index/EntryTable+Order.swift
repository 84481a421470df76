/// The row from the oldest to the newest. Whoever is put into it goes to its end, and its date is never earlier than its
/// neighbour's, so the row is in order without ever being sorted.
extension EntryTable {
    /// The oldest entries first.
    func forEach<Failure: Error>(_ body: (Item) throws(Failure) -> Void) throws(Failure) {
        var number = oldest
        while number != .none {
            let node = nodes[number.index]
            try body((node.name, node.record))
            number = node.newer
        }
    }

    /// Dates after `now` become `now`: the clock was wrong then, or is now. Costs a step for each.
    mutating func forgetFuture(after now: IndexDate) {
        var number = newest
        while number != .none, nodes[number.index].record[order] > now {
            nodes[number.index].record[order] = now
            number = nodes[number.index].older
        }
    }

    mutating func linkAsNewest(_ number: NodeNumber) {
        nodes[number.index].older = newest
        nodes[number.index].newer = .none
        if newest == .none {
            oldest = number
        } else {
            nodes[newest.index].newer = number
            let date = nodes[newest.index].record[order]
            if nodes[number.index].record[order] < date { nodes[number.index].record[order] = date }
        }
        newest = number
    }

    mutating func unlink(_ number: NodeNumber) {
        let (older, newer) = (nodes[number.index].older, nodes[number.index].newer)
        if older == .none { oldest = newer } else { nodes[older.index].newer = newer }
        if newer == .none { newest = older } else { nodes[newer.index].older = older }
    }
}
