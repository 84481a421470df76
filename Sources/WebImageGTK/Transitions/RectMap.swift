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

    /// Where a piece of a bitmap's part goes. Edges at which pieces meet go to that of the nearest device pixel: anywhere
    /// else a renderer would soften both, and a seam be seen. May become empty.
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
    /// The rectangle with the sides of `frame`, in which it lies, exchanged.
    nonisolated func mirrored(in frame: PointRect, horizontally: Bool, vertically: Bool) -> PointRect {
        PointRect(
            x: horizontally ? frame.x + frame.maxX - maxX : x, y: vertically ? frame.y + frame.maxY - maxY : y,
            size: size)
    }

    /// Where to cut off what of `other` hangs over; nil when nothing does, by more than `tolerance`.
    ///
    /// Sides where nothing hangs over stay open: renderers soften the edges both of what is drawn and of a clip, and one
    /// edge must not be softened twice.
    nonisolated func clip(for other: PointRect, tolerance: Double) -> PointRect? {
        let margin = 1.0
        func side(_ overhang: Double) -> Double { overhang > tolerance ? 0 : margin }
        let (left, top) = (side(x - other.x), side(y - other.y))
        let (right, bottom) = (side(other.maxX - maxX), side(other.maxY - maxY))
        guard min(left, top, right, bottom) < margin else { return nil }
        return PointRect(
            x: x - left, y: y - top, width: size.width + left + right, height: size.height + top + bottom)
    }

    /// The rectangle, so many points to the right and down.
    nonisolated func moved(byX x: Double, y: Double) -> PointRect {
        PointRect(x: self.x + x, y: self.y + y, size: size)
    }

    nonisolated var area: Double { size.width * size.height }
}
