import WebImageCore

extension Gravity {
    /// The upper left corner of `inner` within `outer`, which it does not leave; ``Anchor/smart`` counts as the middle.
    ///
    /// - Parameter scale: Pixels of a point, for offsets.
    func corner(of inner: PixelSize, in outer: PixelSize, scale: Double) -> (x: Int, y: Int) {
        let free = freeCorner(of: inner, in: outer, scale: scale)
        func inside(_ place: Int, _ room: Int) -> Int { min(max(0, place), max(0, room)) }
        return (inside(free.x, outer.width - inner.width), inside(free.y, outer.height - inner.height))
    }

    /// The same, for what may lie outside.
    func freeCorner(of inner: PixelSize, in outer: PixelSize, scale: Double) -> (x: Int, y: Int) {
        switch anchor {
        case .edge(let edgeX, let edgeY):
            (
                Self.start(edgeX, x.pixels(of: outer.width, scale: scale), outer.width - inner.width),
                Self.start(edgeY, y.pixels(of: outer.height, scale: scale), outer.height - inner.height)
            )
        case .focus(let x, let y):
            (
                (Double(outer.width) * x - Double(inner.width) / 2).roundedToInt,
                (Double(outer.height) * y - Double(inner.height) / 2).roundedToInt
            )
        case .smart: Gravity.center.freeCorner(of: inner, in: outer, scale: scale)
        }
    }

    /// An offset leads away from the edge that it is measured from.
    private static func start(_ edge: Double, _ offset: Int, _ room: Int) -> Int {
        (Double(room) * edge).roundedToInt + (edge == 1 ? -offset : offset)
    }
}
