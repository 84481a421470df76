/// Where a view is, for the order of loads.
package enum ViewVisibility: Sendable, Hashable {
    /// Within the visible part of all scrollers around it.
    case seen
    /// Within the ``LoadWindow``, or hidden.
    case near
    /// Its load waits.
    case far
}

/// The position of a view after a layout.
package struct ViewStanding: Sendable, Hashable {
    /// The distance in screens from the visible part of the scroller that it is farthest away from: negative before it,
    /// 0 for a visible view.
    package var distance: Double
    /// Whether it is within the load windows of all scrollers.
    package var isInWindow: Bool
    /// Whether the view itself is hidden, wherever it is.
    package var isHidden: Bool
    /// Its upper left corner in the window; of a visible view only.
    package var corner: PointSize

    package init(
        distance: Double = 0, isInWindow: Bool = true, isHidden: Bool = false,
        corner: PointSize = PointSize(width: 0, height: 0)
    ) {
        (self.distance, self.isInWindow, self.isHidden, self.corner) = (distance, isInWindow, isHidden, corner)
    }

    var isVisible: Bool { distance == 0 && !isHidden }

    /// - Parameter allowsNear: Whether views that are near may load; false while visible ones do.
    package func visibility(allowsNear: Bool) -> ViewVisibility {
        if isVisible { return .seen }
        return isInWindow && allowsNear ? .near : .far
    }
}

/// The order in which loads begin.
package enum LoadOrder {
    /// Sorts visible views in reading order, from top to bottom and from start to end; then all others, the nearest
    /// first.
    ///
    /// - Parameters:
    ///   - isRightToLeft: Whether lines are read from the right.
    ///   - isReversed: Whether the last visible view comes first, which a fast scroll has brought into sight.
    package static func sort<ID>(
        _ views: [(id: ID, standing: ViewStanding)], isRightToLeft: Bool = false, isReversed: Bool = false
    ) -> [ID] {
        let seen = views.filter { $0.standing.isVisible }
            .map { (id: $0.id, y: $0.standing.corner.height, x: $0.standing.corner.width * (isRightToLeft ? -1 : 1)) }
            .sorted { ($0.y, $0.x) < ($1.y, $1.x) }
            .map(\.id)
        let others = views.filter { !$0.standing.isVisible }
            .sorted { abs($0.standing.distance) < abs($1.standing.distance) }
            .map(\.id)
        return (isReversed ? seen.reversed() : seen) + others
    }
}
