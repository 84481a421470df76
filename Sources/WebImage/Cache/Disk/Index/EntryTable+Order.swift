/// The row from the oldest to the newest, in order without ever being sorted: whoever is put into it goes to its end as a
/// rule, and what others tell late goes a few places before that.
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

    /// So far from the end of the row its place is looked for, where an entry comes late. Who belongs further away counts
    /// as newer than it is.
    static let mostSteps = 256

    /// Puts an entry into the row behind all that are no newer.
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
