import WebImageCore

/// A side of a view, as the origin of a movement.
enum ViewSide: Sendable, CaseIterable {
    case left
    case right
    case top
    case bottom

    /// The axis of movements from this side.
    var axis: TransitionLayer.Axis {
        switch self {
        case .left, .right: .horizontal
        case .top, .bottom: .vertical
        }
    }

    /// 1 where movements from this side lead to greater coordinates, -1 otherwise.
    var direction: Double {
        switch self {
        case .left, .top: 1
        case .right, .bottom: -1
        }
    }
}

extension PointRect {
    /// The rectangle moved by `distance` points along an axis.
    func moved(by distance: Double, along axis: TransitionLayer.Axis) -> PointRect {
        axis == .horizontal
            ? PointRect(x: x + distance, y: y, size: size) : PointRect(x: x, y: y + distance, size: size)
    }

    /// The rectangle without `hole`: up to four rectangles that do not overlap.
    package func subtracting(_ hole: PointRect) -> [PointRect] {
        guard let hole = intersection(hole) else { return [self] }
        return [
            PointRect(x: x, y: y, width: size.width, height: hole.y - y),
            PointRect(x: x, y: hole.y, width: hole.x - x, height: hole.size.height),
            PointRect(x: hole.maxX, y: hole.y, width: maxX - hole.maxX, height: hole.size.height),
            PointRect(x: x, y: hole.maxY, width: size.width, height: maxY - hole.maxY),
        ].filter { !$0.size.isEmpty }
    }
}
