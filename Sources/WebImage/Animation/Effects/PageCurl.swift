import Glibc

/// A page that rolls up from its lower end around a cylinder, which moves to the top and uncovers the content below.
///
/// Seen from above, the page is flat down to the fold, where the cylinder touches it; then it wraps around half of the
/// cylinder, first with its front and then with its back visible; then it is flat again on top of itself, with its back
/// visible and its loose end towards the page's top. Only the uppermost part is drawn, so that translucent pages are
/// correct, too.
struct PageCurl {
    /// The position on the page where the cylinder touches it, from the top.
    let fold: Double
    let radius: Double
    /// The length of the shadow.
    let shadowLength: Double
    /// The angle of the page's loose end around the cylinder in radians, as if it never left the cylinder.
    let looseAngle: Double

    let bounds: PointRect
    let grid: PixelGrid

    private var length: Double { bounds.size.height }

    /// - Parameter progress: 0 for a flat page to 1 for one that has left the view, with its shadow.
    init(progress: Double, in scene: TransitionScene) {
        bounds = scene.bounds
        grid = PixelGrid(scale: scene.scale)
        let length = bounds.size.height
        // Half of the cylinder's circumference is whole device pixels, so that the flat parts on both sides are, too.
        radius = max(grid.pixel, grid.snap(.pi * length / 8)) / .pi
        shadowLength = radius
        let way = length + radius + shadowLength
        fold = min(length, grid.snap(length - min(1, max(0, progress)) * way))
        looseAngle = (length - fold) / radius
    }

    /// The visible position of a point of the page, from the top.
    func projection(of position: Double) -> Double {
        let angle = (position - fold) / radius
        if angle <= 0 { return position }
        return angle < .pi ? fold + radius * sin(angle) : fold - (position - fold - .pi * radius)
    }

    /// The point of the page at an angle around the cylinder, clamped to its ends.
    func position(atAngle angle: Double) -> Double { min(length, max(0, fold + angle * radius)) }

    /// The visible position of the page's loose end.
    var looseEdge: Double { grid.snap(projection(of: length)) }

    /// The lowest visible position of the page.
    var lowestEdge: Double { min(length, looseAngle < .pi / 2 ? looseEdge : grid.snap(fold + radius)) }
}

extension PageCurl {
    /// The number of strips in the curved part of the page; each is drawn flat. They are the same in each frame, so
    /// that a renderer uploads them once.
    static let stripCount = 160

    /// A part of the page that is drawn flat.
    struct Strip {
        /// The part, from the top of the page.
        var part: Extent
        /// Its visible position.
        var seen: Extent
        /// Whether its back is visible, upside down.
        var isBack = false
    }

    /// The visible parts of the page, without overlap.
    var strips: [Strip] {
        let crest = position(atAngle: .pi / 2)
        let top = position(atAngle: .pi)
        var strips: [Strip] = []
        strips.reserveCapacity(Self.stripCount)
        // The flat part ends where the loose end covers it.
        let flat = Extent(0, looseAngle < .pi ? fold : min(fold, looseEdge))
        strips.append(Strip(part: flat, seen: flat))
        if looseAngle < .pi {
            // The loose end hides the bent part as soon as it overhangs.
            let hidden = looseAngle < .pi / 2 ? length : position(atAngle: .pi - looseAngle)
            appendRound(Extent(fold, hidden), to: looseEdge) { Strip(part: $0, seen: $1) }
        }
        appendRound(Extent(crest, top), to: looseAngle < .pi ? looseEdge : fold) {
            Strip(part: $0, seen: Extent($1.end, $1.start), isBack: true)
        }
        strips.append(Strip(part: Extent(top, length), seen: Extent(looseEdge, fold), isBack: true))
        return strips.filter { !$0.part.isEmpty && !$0.seen.isEmpty && $0.seen.end > 0 }

        func appendRound(_ part: Extent, to lastEdge: Double, _ strip: (Extent, Extent) -> Strip) {
            guard !part.isEmpty else { return }
            var (position, edge) = (part.start, grid.snap(projection(of: part.start)))
            var index = Int(part.start / length * Double(Self.stripCount)) - 1
            while position < part.end {
                index += 1
                let next = min(part.end, grid.cut(index, of: Self.stripCount, length: length))
                guard next > position else { continue }
                let nextEdge = next < part.end ? grid.snap(projection(of: next)) : lastEdge
                strips.append(strip(Extent(position, next), Extent(edge, nextEdge)))
                (position, edge) = (next, nextEdge)
            }
        }
    }
}
