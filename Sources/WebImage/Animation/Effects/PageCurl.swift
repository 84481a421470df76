import Glibc

/// A page that is rolled up from its lower end around a cylinder, which wanders to the top and uncovers what lies below.
///
/// Seen from straight above, the page is: flat down to the fold, where the cylinder touches it; wrapped round half of
/// the cylinder, first with its front and then with its back to the eye; and flat again on top, its back to the eye and
/// its loose end towards the page's beginning. Only what is uppermost is drawn, so that translucent pages are right too.
struct PageCurl {
    /// Where on the page the cylinder touches it, from its top.
    let fold: Double
    let radius: Double
    /// How long a shadow is.
    let shadowLength: Double
    /// How far round the cylinder the page's loose end is, in radians, as if the cylinder went on.
    let looseAngle: Double

    let bounds: PointRect
    let grid: PixelGrid

    private var length: Double { bounds.size.height }

    /// - Parameter progress: 0 for a flat page to 1 for one that has left the view, with its shadow.
    init(progress: Double, in scene: TransitionScene) {
        bounds = scene.bounds
        grid = PixelGrid(scale: scene.scale)
        let length = bounds.size.height
        // The page lies round whole device pixels of the cylinder, so that what is flat on both sides is whole ones too.
        radius = max(grid.pixel, grid.snap(.pi * length / 8)) / .pi
        shadowLength = radius
        let way = length + radius + shadowLength
        fold = min(length, grid.snap(length - min(1, max(0, progress)) * way))
        looseAngle = (length - fold) / radius
    }

    /// Where a point of the page is seen, from the top.
    func projection(of position: Double) -> Double {
        let angle = (position - fold) / radius
        if angle <= 0 { return position }
        return angle < .pi ? fold + radius * sin(angle) : fold - (position - fold - .pi * radius)
    }

    /// The point of the page at an angle round the cylinder, within its ends.
    func position(atAngle angle: Double) -> Double { min(length, max(0, fold + angle * radius)) }

    /// Where the page's loose end is seen.
    var looseEdge: Double { grid.snap(projection(of: length)) }

    /// The lowest place that the page reaches.
    var lowestEdge: Double { min(length, looseAngle < .pi / 2 ? looseEdge : grid.snap(fold + radius)) }
}

extension PageCurl {
    /// Parts of the page that are drawn evenly where it is round. They are the same in each frame, so that a renderer
    /// learns them once.
    static let stripCount = 160

    /// A part of the page that is drawn evenly.
    struct Strip {
        /// The part, from the page's top.
        var part: Extent
        /// Where it is seen.
        var seen: Extent
        /// Whether its back is seen, upside down.
        var isBack = false
    }

    /// What is seen of the page, none of it twice.
    var strips: [Strip] {
        let crest = position(atAngle: .pi / 2)
        let top = position(atAngle: .pi)
        var strips: [Strip] = []
        strips.reserveCapacity(Self.stripCount)
        // The flat part ends where the loose end lies on it.
        let flat = Extent(0, looseAngle < .pi ? fold : min(fold, looseEdge))
        strips.append(Strip(part: flat, seen: flat))
        if looseAngle < .pi {
            // What is bent up is hidden as soon as the loose end hangs over it.
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
