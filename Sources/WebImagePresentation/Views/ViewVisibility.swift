import WebImageCore
import WebImageLoading

/// The place of a view, for the order of loads.
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
    /// The screens that must at least be scrolled before it is in the window.
    package var screensToWindow = 0.0
    /// Whether the view itself is hidden, wherever it is.
    package var isHidden: Bool
    /// Whether a scroller around it is too fast for pictures to be seen.
    package var isFlying = false
    /// Whether such a scroller brings the last of its views into sight.
    package var isFlyingForwards = false
    /// Whether it lies against the direction of scrolling.
    package var isBehind = false
    /// The upper left corner of its cell in the window, or else its own; of a visible view only.
    package var cellCorner: PointSize
    /// Its upper left corner in the window; of a visible view only.
    package var corner: PointSize

    package init(
        distance: Double = 0, isInWindow: Bool = true, isHidden: Bool = false,
        corner: PointSize = PointSize(width: 0, height: 0), cellCorner: PointSize? = nil
    ) {
        (self.distance, self.isInWindow, self.isHidden) = (distance, isInWindow, isHidden)
        (self.corner, self.cellCorner) = (corner, cellCorner ?? corner)
    }

    /// Notes the distance from the visible part of one of the scrollers around it.
    ///
    /// - Parameter direction: That of the latest scroll; nil before the first one.
    package mutating func move(by distance: Double, within window: LoadWindow, scrolling direction: ScrollDirection?) {
        if !window.contains(distance, scrolling: direction) {
            isInWindow = false
            screensToWindow = max(screensToWindow, abs(distance) - max(window.behind, window.ahead))
        }
        guard abs(distance) > abs(self.distance) else { return }
        self.distance = distance
        isBehind = (distance < 0) != (direction == .backwards)
    }

    package var isVisible: Bool { distance == 0 && !isHidden }

    /// - Parameter allowsNear: Whether views that are near may load; false while visible ones do.
    package func visibility(allowsNear: Bool) -> ViewVisibility {
        if isVisible { return .seen }
        return isInWindow && allowsNear ? .near : .far
    }
}

/// The order in which loads begin.
package enum LoadOrder {
    /// Sorts visible views in reading order, from top to bottom and from start to end, and after them those of a fast
    /// scroll, the last first, which it has just brought into sight; then all others, the nearest first.
    ///
    /// - Parameter isRightToLeft: Whether lines are read from the right.
    package static func sort<ID: Comparable>(
        _ views: [(id: ID, standing: ViewStanding)], isRightToLeft: Bool = false
    ) -> [(id: ID, standing: ViewStanding)] {
        let across = isRightToLeft ? -1.0 : 1
        let seen = views.filter { $0.standing.isVisible }
            .sorted { seenKey($0.id, $0.standing, across) < seenKey($1.id, $1.standing, across) }
        let others = views.filter { !$0.standing.isVisible }
            .sorted { otherKey($0.id, $0.standing, across) < otherKey($1.id, $1.standing, across) }
        return seen + others
    }

    private static func seenKey<ID: Comparable>(
        _ id: ID, _ view: ViewStanding, _ across: Double
    ) -> (Double, Double, Double, Double, Double, ID) {
        let sign = view.isFlyingForwards ? -1.0 : 1
        return (
            -sign, sign * view.cellCorner.height, sign * across * view.cellCorner.width, sign * view.corner.height,
            sign * across * view.corner.width, id
        )
    }

    private static func otherKey<ID: Comparable>(
        _ id: ID, _ view: ViewStanding, _ across: Double
    ) -> (Double, Double, Double, Double, ID) {
        (abs(view.distance), view.isBehind ? 1 : 0, view.corner.height, across * view.corner.width, id)
    }
}
