import WebImageCore

/// An interval along one axis, in points.
struct Extent: Hashable {
    var start: Double
    var end: Double

    init(_ start: Double, _ end: Double) {
        self.start = start
        self.end = end
    }

    var length: Double { end - start }
    var middle: Double { (start + end) / 2 }
    var isEmpty: Bool { !(end > start) }

    func intersection(_ other: Extent) -> Extent { Extent(max(start, other.start), min(end, other.end)) }
}

extension TransitionLayer.Axis {
    /// The interval of `rect` along this axis.
    func along(_ rect: PointRect) -> Extent {
        self == .horizontal ? Extent(rect.x, rect.maxX) : Extent(rect.y, rect.maxY)
    }

    /// The interval of `rect` along the other axis.
    func across(_ rect: PointRect) -> Extent {
        self == .horizontal ? Extent(rect.y, rect.maxY) : Extent(rect.x, rect.maxX)
    }

    /// The rectangle of two intervals, along this axis and across it.
    func rect(along: Extent, across: Extent) -> PointRect {
        self == .horizontal
            ? PointRect(x: along.start, y: across.start, width: along.length, height: across.length)
            : PointRect(x: across.start, y: along.start, width: across.length, height: along.length)
    }
}
