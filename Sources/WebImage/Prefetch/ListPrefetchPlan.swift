/// Which items of a list are worth having before they are seen: takes what is seen, returns what to do.
///
/// Ahead of the scrolling, the nearest first; on both sides as long as nobody has scrolled. Never what is seen, which its
/// cells load themselves.
struct ListPrefetchPlan {
    /// What has changed.
    struct Change: Hashable {
        /// Items to begin with, the nearest first.
        var started: [Int] = []
        /// Items that nobody needs any more, to be stopped.
        var cancelled: [Int] = []
        /// Items that are seen now: their cells load them, and join what is under way.
        var seen: [Int] = []
    }

    private enum Direction {
        case forwards, backwards
    }

    /// How many items to be ahead.
    let aheadCount: Int
    /// Items that are being prefetched or were, and are still ahead.
    private(set) var ahead: Set<Int> = []
    /// Items that were ahead until they were seen, and still are.
    private(set) var seen: Set<Int> = []
    private var visible = 0..<0
    private var direction: Direction?

    init(aheadCount: Int) { self.aheadCount = max(0, aheadCount) }

    /// Takes the items that are seen now; parts outside the list are ignored. With nothing seen, nothing is prefetched
    /// and the direction is forgotten.
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

    /// Gives everything up: the list is gone, or its items are others now.
    mutating func hide() -> Change {
        defer { self = ListPrefetchPlan(aheadCount: aheadCount) }
        return Change(cancelled: ahead.union(seen).sorted())
    }

    /// Compares the middles, so that a range that only grows, as when a window does, goes its way too.
    private func direction(to range: Range<Int>) -> Direction? {
        guard !visible.isEmpty else { return nil }
        let (before, now) = (visible.lowerBound + visible.upperBound, range.lowerBound + range.upperBound)
        if now == before { return direction }
        return now > before ? .forwards : .backwards
    }

    /// The nearest first; where both sides count, the one after the other, and where one side ends, the other.
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
