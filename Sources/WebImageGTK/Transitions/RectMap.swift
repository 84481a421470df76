import WebImage

/// The scaling and translation that take one rectangle to another.
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

    /// The place of a piece of a bitmap's part. Edges where pieces meet are rounded to device pixels: elsewhere a
    /// renderer antialiases both, which makes a seam visible. May become empty.
    func place(of piece: PixelRect, in part: PixelRect, scale: Double) -> PointRect {
        let (exact, all) = (self(piece.points), part.points)
        let grid = PixelGrid(scale: scale)
        func edge(_ position: Double, isOuter: Bool) -> Double { isOuter ? position : grid.snap(position) }
        let left = edge(exact.x, isOuter: piece.points.x == all.x)
        let top = edge(exact.y, isOuter: piece.points.y == all.y)
        let right = edge(exact.maxX, isOuter: piece.points.maxX == all.maxX)
        let bottom = edge(exact.maxY, isOuter: piece.points.maxY == all.maxY)
        return PointRect(x: left, y: top, width: right - left, height: bottom - top)
    }
}

extension PointRect {
    /// The rectangle mirrored within `frame`.
    nonisolated func mirrored(in frame: PointRect, horizontally: Bool, vertically: Bool) -> PointRect {
        PointRect(
            x: horizontally ? frame.x + frame.maxX - maxX : x, y: vertically ? frame.y + frame.maxY - maxY : y,
            size: size)
    }

    /// The clip for the parts of `other` that overhang; nil when none overhangs by more than `tolerance`.
    ///
    /// Sides without overhang stay open: renderers antialias the edges of both content and clip, and one edge must not
    /// be antialiased twice.
    nonisolated func clip(for other: PointRect, tolerance: Double) -> PointRect? {
        let margin = 1.0
        func side(_ overhang: Double) -> Double { overhang > tolerance ? 0 : margin }
        let (left, top) = (side(x - other.x), side(y - other.y))
        let (right, bottom) = (side(other.maxX - maxX), side(other.maxY - maxY))
        guard min(left, top, right, bottom) < margin else { return nil }
        return PointRect(
            x: x - left, y: y - top, width: size.width + left + right, height: size.height + top + bottom)
    }

    /// The rectangle translated by (`x`, `y`) points.
    nonisolated func moved(byX x: Double, y: Double) -> PointRect {
        PointRect(x: self.x + x, y: self.y + y, size: size)
    }

    nonisolated var area: Double { size.width * size.height }
}
