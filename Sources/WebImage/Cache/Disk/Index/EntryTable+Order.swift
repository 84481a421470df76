/// The list from the oldest to the newest entry, in order without sorting: a new entry mostly goes to its end, and an
/// entry with an earlier date a few places before.
extension EntryTable {
    /// Calls `body` with each entry, the oldest first.
    func forEach<Failure: Error>(_ body: (Item) throws(Failure) -> Void) throws(Failure) {
        var number = oldest
        while number != .none {
            let node = nodes[number.index]
            try body((node.name, node.record))
            number = node.newer
        }
    }

    /// Sets dates after `now` to `now`: the clock was wrong then, or is now. Takes one step for each of them.
    mutating func forgetFuture(after now: IndexDate) {
        var number = newest
        while number != .none, nodes[number.index].record[order] > now {
            nodes[number.index].record[order] = now
            number = nodes[number.index].older
        }
    }

    /// The most steps from the end of the list to the place of an entry with an earlier date. An entry whose place is
    /// further away gets a later date than its own.
    static let mostSteps = 256

    /// Inserts an entry after all entries that are not newer.
    mutating func link(_ number: NodeNumber) {
        let older = neighbor(of: nodes[number.index].record[order])
        let newer = older == .none ? oldest : nodes[older.index].newer
        nodes[number.index].older = older
        nodes[number.index].newer = newer
        if older == .none { oldest = number } else { nodes[older.index].newer = number }
        if newer == .none { newest = number } else { nodes[newer.index].older = number }
        guard older != .none else { return }
        nodes[number.index].record[order] = max(nodes[number.index].record[order], nodes[older.index].record[order])
    }

    private func neighbor(of date: IndexDate) -> NodeNumber {
        var (number, steps) = (newest, 0)
        while number != .none, steps < Self.mostSteps, nodes[number.index].record[order] > date {
            number = nodes[number.index].older
            steps += 1
        }
        return number
    }

    mutating func unlink(_ number: NodeNumber) {
        let (older, newer) = (nodes[number.index].older, nodes[number.index].newer)
        if older == .none { oldest = newer } else { nodes[older.index].newer = newer }
        if newer == .none { newest = older } else { nodes[newer.index].older = older }
    }
}
