import Glibc

/// A page with the former content on its front and the new one on its back, that turns by half a turn around its middle.
///
/// All lengths along the axis are measured from the middle of the view. The eye is straight in front of it. Since a view
/// cuts off what leaves its bounds, the page steps back as it turns, so that its near edge stays in the view's plane.
struct PerspectiveFlip {
    /// The face that is seen.
    let content: TransitionLayer.Content
    /// Where the page's length is seen turned.
    let axis: TransitionLayer.Axis

    private let bounds: PointRect
    /// Half of the page's length.
    private let reach: Double
    /// How far the face has turned from where it lies flat, its sign by the side that comes nearer.
    private let cosine: Double
    private let sine: Double
    /// From the eye to the page's middle, and to the view's plane.
    private let distance: Double
    private let eyeDistance: Double

    /// - Parameters:
    ///   - side: The side that comes towards the eye, over to the opposite one.
    ///   - progress: 0 to 1, and a little beyond: up to where the other face would be seen again.
    init(from side: ViewSide, progress: Double, in scene: TransitionScene) {
        let turn = min(1.45, max(-0.45, progress))
        let angle = (turn < 0.5 ? turn : turn - 1) * .pi
        content = turn < 0.5 ? .old : .new
        axis = side.axis
        bounds = scene.bounds
        reach = axis.along(bounds).length / 2
        cosine = cos(angle)
        sine = -side.direction * sin(angle)
        // Closer, and the far edge looks tiny; farther, and the turn looks flat.
        eyeDistance = 2 * max(scene.size.width, scene.size.height)
        distance = eyeDistance + reach * abs(sine)
    }

    /// How large the page is seen at `position`, a point of it; 1 in the view's plane.
    func magnification(at position: Double) -> Double { eyeDistance / (distance - position * sine) }

    /// Where a point of the page is seen.
    func projection(of position: Double) -> Double { position * cosine * magnification(at: position) }

    /// How far behind the view's plane a point of the page lies: 0 to the page's length.
    func depth(at position: Double) -> Double { reach * abs(sine) - position * sine }
}

extension PerspectiveFlip {
    /// Parts of the page that are drawn evenly. They are the same in each frame, so that a renderer learns them once.
    ///
    /// Each costs OpenGL in software a twentieth of a millisecond. In a large view there are as few as leave no point of the
    /// page farther than a pixel and a half from where it is seen exactly: along the page, half a pixel is lost to edges of
    /// whole pixels, and a fifth to what bends within a strip; across it, the ends of a strip of length `l` are
    /// `breadth · l / (8 · longer side)` too large or too small when the page is upright. A small view can afford more,
    /// for a page whose sides have no steps.
    func stripCount(grid: PixelGrid) -> Int {
        let length = 2 * reach / grid.pixel
        let breadth = axis.across(bounds).length / grid.pixel
        let across = min(length, breadth) / (8 * 1.25)
        let along = length * (0.08 / (0.2 * max(length, breadth))).squareRoot()
        let smooth = min(Self.smoothStripCount, length / 2)
        return Int(min(max(1, across, along, smooth).rounded(.up), Self.largestStripCount))
    }

    /// As many as cost little, of two pixels or more.
    private static let smoothStripCount = 64.0
    /// Beyond a thousand pixels, some of a point's accuracy is worth less than the time of yet more strips.
    private static let largestStripCount = 96.0

    /// The page in strips from its lesser end to its greater one, and its shade, if the picture is opaque.
    ///
    /// - Parameter contentFrame: Where the face's picture lies at rest; nil shades nothing.
    func layers(grid: PixelGrid, shading contentFrame: PointRect?) -> [TransitionLayer] {
        let middle = axis.along(bounds).middle
        let content = contentFrame.flatMap(bounds.intersection)
        var strips: [TransitionLayer] = []
        var shades: [TransitionLayer] = []
        let count = stripCount(grid: grid)
        strips.reserveCapacity(2 * count)
        shades.reserveCapacity(count)
        var (position, edge) = (-reach, grid.snap(middle + projection(of: -reach)))
        for index in 1...count {
            let next = grid.cut(index, of: count, length: 2 * reach) - reach
            let nextEdge = grid.snap(middle + projection(of: next))
            defer { (position, edge) = (next, nextEdge) }
            guard next > position, nextEdge > edge else { continue }
            let strip = strip(Extent(position, next), seen: Extent(edge, nextEdge))
            strips.append(strip)
            if let content, let shade = shade(over: strip, content) { shades.append(shade) }
        }
        return strips + shades
    }

    private func strip(_ part: Extent, seen: Extent) -> TransitionLayer {
        let breadth = axis.across(bounds)
        let middle = axis.along(bounds).middle
        let half = breadth.length / 2 * magnification(at: part.middle)
        return TransitionLayer(
            content,
            source: axis.rect(along: Extent(middle + part.start, middle + part.end), across: breadth),
            frame: axis.rect(along: seen, across: Extent(breadth.middle - half, breadth.middle + half)))
    }

    /// The darkness of one strip, only where its picture is.
    private func shade(over strip: TransitionLayer, _ content: PointRect) -> TransitionLayer? {
        guard let part = strip.source.intersection(content) else { return nil }
        let middle = axis.along(bounds).middle
        let along = axis.along(part)
        return TransitionLayer(
            .shade(
                from: darkness(at: along.start - middle), to: darkness(at: along.end - middle), axis: axis),
            source: part, frame: strip.place(of: part))
    }

    /// Darker the more the page is turned away, and the farther it is.
    private func darkness(at position: Double) -> RGBAColor {
        let turned = 0.2 * abs(sine)
        let far = 0.3 * depth(at: position) / (2 * reach)
        return RGBAColor(red: 0, green: 0, blue: 0, alpha: UInt8((255 * (turned + far)).rounded()))
    }
}

extension TransitionLayer {
    /// Where `part` of the source is drawn.
    func place(of part: PointRect) -> PointRect {
        let horizontal = frame.size.width / source.size.width
        let vertical = frame.size.height / source.size.height
        let left = isMirroredHorizontally ? source.maxX - part.maxX : part.x - source.x
        let top = isMirroredVertically ? source.maxY - part.maxY : part.y - source.y
        return PointRect(
            x: frame.x + left * horizontal, y: frame.y + top * vertical, width: part.size.width * horizontal,
            height: part.size.height * vertical)
    }
}

extension TransitionEffect {
    /// The view turns like a page around its vertical middle, its left side towards the viewer.
    public static let flipFromLeft = flip(from: .left, "flipFromLeft")
    /// The view turns like a page around its vertical middle, its right side towards the viewer.
    public static let flipFromRight = flip(from: .right, "flipFromRight")
    /// The view turns like a page around its horizontal middle, its top towards the viewer.
    public static let flipFromTop = flip(from: .top, "flipFromTop")
    /// The view turns like a page around its horizontal middle, its bottom towards the viewer.
    public static let flipFromBottom = flip(from: .bottom, "flipFromBottom")

    private static func flip(from side: ViewSide, _ name: String) -> TransitionEffect {
        TransitionEffect(builtIn: name) { progress, scene in
            let page = PerspectiveFlip(from: side, progress: progress, in: scene)
            return page.layers(grid: PixelGrid(scale: scene.scale), shading: scene.opaqueFrame(of: page.content))
        }
    }
}

extension TransitionScene {
    /// Where a content lies of which every pixel is opaque: a shade on anything else would darken what shines through.
    func opaqueFrame(of content: TransitionLayer.Content) -> PointRect? {
        content == .old ? (isOldOpaque ? oldFrame : nil) : (isNewOpaque ? newFrame : nil)
    }
}
