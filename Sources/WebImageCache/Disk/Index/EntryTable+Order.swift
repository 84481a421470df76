/// The list from the oldest to the newest entry, in order without sorting: a new entry mostly goes to its end, and an
/// entry with an earlier date a few places before. Partial bodies are a list of their own at its beginning.
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
        forgetFuture(after: now, from: newest, downTo: newestPartialBody)
        forgetFuture(after: now, from: newestPartialBody, downTo: .none)
    }

    private mutating func forgetFuture(after now: IndexDate, from start: NodeNumber, downTo end: NodeNumber) {
        var number = start
        while number != end, number != .none, nodes[number.index].record[order] > now {
            nodes[number.index].record[order] = now
            number = nodes[number.index].older
        }
    }

    /// The most steps from the end of the list to the place of an entry with an earlier date. An entry whose place is
    /// further away gets a later date than its own.
    static let mostSteps = 256

    /// Inserts an entry after all entries of its kind that are not newer.
    mutating func link(_ number: NodeNumber) {
        let isPartial = nodes[number.index].name.isOfPartialBody
        let (start, end) = isPartial ? (newestPartialBody, NodeNumber.none) : (newest, newestPartialBody)
        let older = neighbor(of: nodes[number.index].record[order], from: start, downTo: end)
        let newer = older == .none ? oldest : nodes[older.index].newer
        nodes[number.index].older = older
        nodes[number.index].newer = newer
        if older == .none { oldest = number } else { nodes[older.index].newer = number }
        if newer == .none { newest = number } else { nodes[newer.index].older = number }
        if isPartial, older == newestPartialBody { newestPartialBody = number }
        guard older != end else { return }
        nodes[number.index].record[order] = max(nodes[number.index].record[order], nodes[older.index].record[order])
    }

    private func neighbor(of date: IndexDate, from start: NodeNumber, downTo end: NodeNumber) -> NodeNumber {
        var (number, steps) = (start, 0)
        while number != end, number != .none, steps < Self.mostSteps, nodes[number.index].record[order] > date {
            number = nodes[number.index].older
            steps += 1
        }
        return number
    }

    mutating func unlink(_ number: NodeNumber) {
        let (older, newer) = (nodes[number.index].older, nodes[number.index].newer)
        if older == .none { oldest = newer } else { nodes[older.index].newer = newer }
        if newer == .none { newest = older } else { nodes[newer.index].older = older }
        if number == newestPartialBody { newestPartialBody = older }
    }
}
