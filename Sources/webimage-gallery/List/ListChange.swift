/// How a list becomes another one: elements that go, and elements that come, run by run. What is in both stays, so that its
/// cells do.
nonisolated struct ListChange<Element: Hashable>: Equatable {
    /// A run that is replaced.
    struct Step: Equatable {
        /// The places of what goes, after the steps before.
        let removed: Range<Int>
        /// The elements that come in its place, by their places in the new list; empty for nothing.
        let inserted: Range<Int>
    }

    /// In the order in which they are made.
    let steps: [Step]

    init(from old: [Element], to new: [Element]) {
        let start = zip(old, new).prefix { $0 == $1 }.count
        let rest = (old: old.dropFirst(start), new: new.dropFirst(start))
        let end = zip(rest.old.reversed(), rest.new.reversed()).prefix { $0 == $1 }.count
        let (former, present) = (rest.old.dropLast(end), rest.new.dropLast(end))
        let (isFormer, isPresent) = (Set(former), Set(present))
        if former.filter(isPresent.contains) == present.filter(isFormer.contains) {
            // From the end, so that the places before stay the same.
            let gone = former.runs { !isPresent.contains($0) }.reversed().map { Step(removed: $0, inserted: 0..<0) }
            let come = present.runs { !isFormer.contains($0) }.map { Step(removed: $0.start, inserted: $0) }
            steps = gone + come
        } else {
            steps = [Step(removed: former.indices, inserted: present.indices)]
        }
    }
}

extension ArraySlice {
    /// The indices of elements one after the other that fulfil a condition.
    nonisolated fileprivate func runs(where isIncluded: (Element) -> Bool) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for index in indices where isIncluded(self[index]) {
            if let last = runs.last, last.upperBound == index {
                runs[runs.count - 1] = last.lowerBound..<index + 1
            } else {
                runs.append(index..<index + 1)
            }
        }
        return runs
    }
}

extension Range<Int> {
    /// The empty range at its beginning.
    nonisolated fileprivate var start: Range<Int> { lowerBound..<lowerBound }
}
