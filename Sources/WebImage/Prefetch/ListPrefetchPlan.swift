/// The items of a list to prefetch: takes the visible range, returns what to do.
///
/// Items ahead of the scrolling, the nearest first; items on both sides before the first scroll. Visible items are
/// excluded, because their cells load them.
struct ListPrefetchPlan {
    /// The changes for a new visible range.
    struct Change: Hashable {
        /// Items to start, the nearest first.
        var started: [Int] = []
        /// Items that are not needed any more, to be cancelled.
        var cancelled: [Int] = []
        /// Items that are visible now: their cells load them and join the running prefetch.
        var seen: [Int] = []
    }

    private enum Direction {
        case forwards, backwards
    }

    /// The number of items to prefetch ahead.
    let aheadCount: Int
    /// Items that are ahead and whose prefetch has started or ended.
    private(set) var ahead: Set<Int> = []
    /// Items that were ahead and are visible now.
    private(set) var seen: Set<Int> = []
    private var visible = 0..<0
    private var direction: Direction?

    init(aheadCount: Int) { self.aheadCount = max(0, aheadCount) }

    /// Takes the visible items; parts outside of the list are ignored. An empty range stops prefetching and resets the
    /// direction.
    mutating func show(_ range: Range<Int>, itemCount: Int) -> Change {
        let range = range.clamped(to: 0..<max(0, itemCount))
        guard !range.isEmpty else { return hide() }
        direction = direction(to: range)
        visible = range
        let wanted = wantedItems(itemCount)
        let begun = ahead.union(seen)
        let change = Change(
            started: wanted.filter { !ahead.contains($0) },
            cancelled: begun.subtracting(wanted).subtracting(range).sorted(),
            seen: ahead.intersection(range).sorted())
        seen = begun.intersection(range)
        ahead = Set(wanted)
        return change
    }

    /// Cancels everything: the list is gone, or its items have changed.
    mutating func hide() -> Change {
        defer { self = ListPrefetchPlan(aheadCount: aheadCount) }
        return Change(cancelled: ahead.union(seen).sorted())
    }

    /// Compares the centres, so that a range that only grows, for instance with a window, has a direction, too.
    private func direction(to range: Range<Int>) -> Direction? {
        guard !visible.isEmpty else { return nil }
        let (before, now) = (visible.lowerBound + visible.upperBound, range.lowerBound + range.upperBound)
        if now == before { return direction }
        return now > before ? .forwards : .backwards
    }

    /// The nearest first; for both sides, in turn, and the other side alone where one ends.
    private func wantedItems(_ itemCount: Int) -> [Int] {
        let after = Array((visible.upperBound..<itemCount).prefix(aheadCount))
        let before = Array((0..<visible.lowerBound).suffix(aheadCount).reversed())
        switch direction {
        case .forwards: return after
        case .backwards: return before
        case nil:
            let nearest = (0..<aheadCount).flatMap { distance in
                [after, before].compactMap { distance < $0.count ? $0[distance] : nil }
            }
            return Array(nearest.prefix(aheadCount))
        }
    }
}
