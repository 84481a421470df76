/// The items of a list to prefetch: takes the visible range, returns what to do.
///
/// The items within the window around the visible ones, the nearest first. Visible items are excluded, because their
/// cells load them.
package struct ListPrefetchPlan {
    /// The changes for a new visible range.
    package struct Change: Hashable {
        /// Items to start, the nearest first.
        package var started: [Int] = []
        /// Items that are not needed any more, to be cancelled.
        var cancelled: [Int] = []
        /// Items that are visible now: their cells load them and join the running prefetch.
        var seen: [Int] = []
    }

    let window: LoadWindow
    /// Items within the window whose prefetch has started or ended.
    package private(set) var near: Set<Int> = []
    /// Items that were in the window and are visible now.
    private(set) var seen: Set<Int> = []
    private var visible = 0..<0
    private var direction: ScrollDirection?

    package init(window: LoadWindow) { self.window = window }

    /// Takes the visible items; parts outside of the list are ignored. An empty range stops prefetching and resets the
    /// direction.
    package mutating func show(_ range: Range<Int>, itemCount: Int) -> Change {
        let range = range.clamped(to: 0..<max(0, itemCount))
        guard !range.isEmpty else { return hide() }
        direction = direction(to: range)
        visible = range
        let wanted = wantedItems(itemCount)
        let begun = near.union(seen)
        let change = Change(
            started: wanted.filter { !near.contains($0) },
            cancelled: begun.subtracting(wanted).subtracting(range).sorted(),
            seen: near.intersection(range).sorted())
        seen = begun.intersection(range)
        near = Set(wanted)
        return change
    }

    /// Cancels everything: the list is gone, or its items have changed.
    package mutating func hide() -> Change {
        defer { self = ListPrefetchPlan(window: window) }
        return Change(cancelled: near.union(seen).sorted())
    }

    /// Compares the centres, so that a range that only grows, for instance with a window, has a direction, too.
    private func direction(to range: Range<Int>) -> ScrollDirection? {
        guard !visible.isEmpty else { return nil }
        let (before, now) = (visible.lowerBound + visible.upperBound, range.lowerBound + range.upperBound)
        if now == before { return direction }
        return now > before ? .forwards : .backwards
    }

    /// The nearest first; of two at the same distance, the one in the direction of scrolling.
    private func wantedItems(_ itemCount: Int) -> [Int] {
        let (ahead, behind) = (reach(window.ahead, itemCount), reach(window.behind, itemCount))
        let isBackwards = direction == .backwards
        return (1...max(1, ahead, behind)).flatMap { way -> [Int] in
            let (after, before) = (visible.upperBound - 1 + way, visible.lowerBound - way)
            let distance = Double(way) / Double(visible.count)
            let items = [(after, distance), (before, -distance)]
            return (isBackwards ? items.reversed() : items)
                .filter { (0..<itemCount).contains($0.0) && window.contains($0.1, scrolling: direction) }
                .map(\.0)
        }
    }

    /// The number of items in so many screens.
    private func reach(_ screens: Double, _ itemCount: Int) -> Int {
        Int(min(Double(itemCount), (screens * Double(visible.count)).rounded(.down)))
    }
}
