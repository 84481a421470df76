import WebImage

/// Takes one rectangle to another one, and all others along with it.
nonisolated struct RectMap {
    let source: PointRect
    let target: PointRect

    init(_ source: PointRect, to target: PointRect) {
        self.source = source
        self.target = target
    }

    func callAsFunction(_ rect: PointRect) -> PointRect {
        let horizontal = target.size.width / source.size.width
        let vertical = target.size.height / source.size.height
        return PointRect(
            x: target.x + (rect.x - source.x) * horizontal, y: target.y + (rect.y - source.y) * vertical,
            width: rect.size.width * horizontal, height: rect.size.height * vertical)
    }
}

extension PointRect {
    /// The rectangle with the sides of `frame`, in which it lies, exchanged.
    nonisolated func mirrored(in frame: PointRect, horizontally: Bool, vertically: Bool) -> PointRect {
        PointRect(
            x: horizontally ? frame.x + frame.maxX - maxX : x, y: vertically ? frame.y + frame.maxY - maxY : y,
            size: size)
    }

    /// Whether all sides are less than `distance` apart from those of `other`.
    nonisolated func isEqual(to other: PointRect, within distance: Double) -> Bool {
        abs(x - other.x) < distance && abs(y - other.y) < distance && abs(maxX - other.maxX) < distance
            && abs(maxY - other.maxY) < distance
    }

    nonisolated var area: Double { size.width * size.height }
}
