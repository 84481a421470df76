import WebImageCore

extension MovingPage {
    /// The part of the view that is not empty, in points; nil for none.
    package var frame: PointRect? {
        switch shape {
        case .flip(let flip): flip.frame.intersection(flip.bounds)
        case .zoom(let zoom): zoom.bounds
        case .curl(let curl): curl.bounds
        }
    }

    /// The part of the page's content that a rectangle of the view may show, in points; nil for none.
    package func source(of rect: PointRect) -> PointRect? {
        switch shape {
        case .flip(let flip): flip.source(of: rect)
        case .zoom(let zoom): zoom.source(of: rect)
        case .curl(let curl): curl.source(of: rect)
        }
    }
}

extension PerspectiveFlip {
    /// The visible frame of the page.
    var frame: PointRect {
        let center = axis.along(bounds).middle
        let breadth = axis.across(bounds)
        let near = max(magnification(at: reach), magnification(at: -reach))
        let half = breadth.length / 2 * near
        return axis.rect(
            along: Extent(center + projection(of: -reach), center + projection(of: reach)),
            across: Extent(breadth.middle - half, breadth.middle + half))
    }

    func source(of rect: PointRect) -> PointRect? {
        guard let seen = frame.intersection(rect) else { return nil }
        let (center, middle) = (axis.along(bounds).middle, axis.across(bounds).middle)
        let (along, across) = (axis.along(seen), axis.across(seen))
        let ends = [along.start, along.end].map { position(seenAt: $0 - center) }
        let sides = ends.flatMap { end in
            [across.start, across.end].map { middle + ($0 - middle) / magnification(at: end) }
        }
        return axis.rect(
            along: Extent(center + (ends.min() ?? 0), center + (ends.max() ?? 0)),
            across: Extent(sides.min() ?? middle, sides.max() ?? middle)
        ).intersection(bounds)
    }
}

extension PageZoom {
    func source(of rect: PointRect) -> PointRect? {
        guard let seen = frame.intersection(rect) else { return nil }
        return PointRect(
            x: bounds.x + (seen.x - frame.x) / factor, y: bounds.y + (seen.y - frame.y) / factor,
            width: seen.size.width / factor, height: seen.size.height / factor
        ).intersection(bounds)
    }
}

extension PageCurl {
    func source(of rect: PointRect) -> PointRect? {
        let first = corners(of: rect).map { place(ofX: $0.x, y: $0.y) }.min() ?? 0
        let way = max(0, 2 * fold + .pi * radius - 2 * first)
        let far = rect.moved(byX: direction.x * way, y: direction.y * way)
        return rect.union(far).intersection(bounds)
    }

    private func corners(of rect: PointRect) -> [Point] {
        [
            Point(x: rect.x, y: rect.y), Point(x: rect.maxX, y: rect.y), Point(x: rect.x, y: rect.maxY),
            Point(x: rect.maxX, y: rect.maxY),
        ]
    }
}

extension PointRect {
    fileprivate func moved(byX x: Double, y: Double) -> PointRect {
        PointRect(x: self.x + x, y: self.y + y, size: size)
    }
}
