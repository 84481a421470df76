/// The page of a browser that is in view: a whole number at rest, a fraction while pages are turned.
package struct PagePosition: Sendable, Equatable {
    /// The number of pages.
    package private(set) var count: Int
    /// In pages, from the first one.
    package private(set) var position: Double

    /// The room at each side of a page, in points.
    package static let padding = 10.0

    package init(count: Int, index: Int = 0) {
        self.count = max(0, count)
        position = Double(max(0, min(index, count - 1)))
    }

    /// The page in the middle of the view; 0 without pages.
    package var index: Int { clamped(Int(position.rounded())) }

    package var isAtRest: Bool { position == Double(index) }
    package var hasNext: Bool { index + 1 < count }
    package var hasPrevious: Bool { index > 0 }

    /// The pages in view: one at rest, two during a turn, none without pages.
    package var visible: Range<Int> {
        guard count > 0 else { return 0..<0 }
        let first = clamped(Int(position.rounded(.down)))
        return first..<clamped(Int(position.rounded(.up))) + 1
    }

    /// The left edge of a page, in points from that of the view.
    ///
    /// - Parameter width: That of the view.
    package func x(of page: Int, width: Double) -> Double { (Double(page) - position) * (width + 2 * Self.padding) }

    /// Turns the pages by a distance of a finger: beyond the ends by half of it, and at most by half a page.
    package mutating func drag(by pages: Double) {
        guard count > 0 else { return }
        let last = Double(count - 1)
        position = min(max(position.dragged(by: pages, within: 0...last), -0.5), last + 0.5)
    }

    /// The page that comes to rest when a finger lets go.
    ///
    /// - Parameters:
    ///   - start: The page at the beginning of the drag: a quick one turns one page, never more.
    ///   - velocity: In pages a second.
    package func target(from start: Int, velocity: Double) -> Int {
        guard abs(velocity) > 0.5 else { return index }
        let goal = velocity > 0 ? position.rounded(.up) : position.rounded(.down)
        return clamped(max(start - 1, min(start + 1, Int(goal))))
    }

    package mutating func move(to position: Double) { self.position = position }

    /// Shows a page at once; the last one where there are fewer.
    package mutating func jump(to index: Int) { position = Double(clamped(index)) }

    /// Another number of pages: the last one where there are fewer now.
    package mutating func setCount(_ count: Int) { self = PagePosition(count: count, index: index) }

    package func clamped(_ index: Int) -> Int { max(0, min(index, count - 1)) }
}
