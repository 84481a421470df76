import Glibc

/// A page with the former content on its front and the new one on its back, that makes half a turn around its centre
/// line.
///
/// All lengths along the axis are relative to the centre of the view, in front of which the eye is. A view clips at its
/// bounds, so the page moves back as it turns, which keeps its near edge in the view's plane.
struct PerspectiveFlip {
    /// The visible face.
    let content: TransitionLayer.Content
    /// The axis along which the page is foreshortened.
    let axis: TransitionLayer.Axis

    private let bounds: PointRect
    /// Half of the page's length.
    private let reach: Double
    /// The cosine of the face's angle from flat; the sign of the sine is that of the near side.
    private let cosine: Double
    private let sine: Double
    /// The distances from the eye to the page's centre, and to the view's plane.
    private let distance: Double
    private let eyeDistance: Double

    /// - Parameters:
    ///   - side: The side that moves towards the eye, and over to the opposite side.
    ///   - progress: 0 to 1, and slightly beyond: up to where the other face would be visible again.
    init(from side: ViewSide, progress: Double, in scene: TransitionScene) {
        let turn = min(1.45, max(-0.45, progress))
        let angle = (turn < 0.5 ? turn : turn - 1) * .pi
        content = turn < 0.5 ? .old : .new
        axis = side.axis
        bounds = scene.bounds
        reach = axis.along(bounds).length / 2
        cosine = cos(angle)
        sine = -side.direction * sin(angle)
        // A shorter distance makes the far edge tiny; a longer one makes the turn look flat.
        eyeDistance = 2 * max(scene.size.width, scene.size.height)
        distance = eyeDistance + reach * abs(sine)
    }

    /// The magnification at `position`, a point of the page; 1 in the view's plane.
    func magnification(at position: Double) -> Double { eyeDistance / (distance - position * sine) }

    /// The visible position of a point of the page.
    func projection(of position: Double) -> Double { position * cosine * magnification(at: position) }

    /// The distance of a point of the page behind the view's plane: 0 to the page's length.
    func depth(at position: Double) -> Double { reach * abs(sine) - position * sine }
}

extension PerspectiveFlip {
    /// The number of strips, each drawn flat. They are the same in each frame, so that a renderer uploads them once.
    ///
    /// Each costs OpenGL in software a twentieth of a millisecond. A large view has as few as keep every point of the
    /// page within a pixel and a half of its exact position. Along the page, whole-pixel edges cost half a pixel, and
    /// the curvature within a strip a fifth. Across it, the ends of a strip of length `l` are too large or too small by
    /// `breadth · l / (8 · longer side)` when the page is upright. A small view can have more strips, so that the
    /// page's sides show no steps.
    func stripCount(grid: PixelGrid) -> Int {
        let length = 2 * reach / grid.pixel
        let breadth = axis.across(bounds).length / grid.pixel
        let across = min(length, breadth) / (8 * 1.25)
        let along = length * (0.08 / (0.2 * max(length, breadth))).squareRoot()
        let smooth = min(Self.smoothStripCount, length / 2)
        return Int(min(max(1, across, along, smooth).rounded(.up), Self.largestStripCount))
    }

    /// The number that costs little, for strips of two pixels or more.
    private static let smoothStripCount = 64.0
    /// Beyond a thousand pixels, a lower accuracy is better than the time for yet more strips.
    private static let largestStripCount = 96.0

    /// The page in strips from its lower to its upper end, with shading if the picture is opaque.
    ///
    /// - Parameter contentFrame: The frame of the face's picture at rest; nil for no shading.
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

    /// The shading of one strip, within its picture.
    private func shade(over strip: TransitionLayer, _ content: PointRect) -> TransitionLayer? {
        guard let part = strip.source.intersection(content) else { return nil }
        let middle = axis.along(bounds).middle
        let along = axis.along(part)
        return TransitionLayer(
            .shade(
                from: darkness(at: along.start - middle), to: darkness(at: along.end - middle), axis: axis),
            source: part, frame: strip.place(of: part))
    }

    /// Darker with the page's angle and its distance.
    private func darkness(at position: Double) -> RGBAColor {
        let turned = 0.2 * abs(sine)
        let far = 0.3 * depth(at: position) / (2 * reach)
        return RGBAColor(red: 0, green: 0, blue: 0, alpha: UInt8((255 * (turned + far)).rounded()))
    }
}

extension TransitionLayer {
    /// The frame that `part` of the source is drawn into.
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
    /// The view turns like a page around its vertical centre line, its left side towards the viewer.
    public static let flipFromLeft = flip(from: .left, "flipFromLeft")
    /// The view turns like a page around its vertical centre line, its right side towards the viewer.
    public static let flipFromRight = flip(from: .right, "flipFromRight")
    /// The view turns like a page around its horizontal centre line, its top towards the viewer.
    public static let flipFromTop = flip(from: .top, "flipFromTop")
    /// The view turns like a page around its horizontal centre line, its bottom towards the viewer.
    public static let flipFromBottom = flip(from: .bottom, "flipFromBottom")

    private static func flip(from side: ViewSide, _ name: String) -> TransitionEffect {
        TransitionEffect(builtIn: name) { progress, scene in
            let page = PerspectiveFlip(from: side, progress: progress, in: scene)
            return page.layers(grid: PixelGrid(scale: scene.scale), shading: scene.opaqueFrame(of: page.content))
        }
    }
}

extension TransitionScene {
    /// The frame of an opaque content; nil otherwise: shading a translucent one would darken what is behind it.
    func opaqueFrame(of content: TransitionLayer.Content) -> PointRect? {
        content == .old ? (isOldOpaque ? oldFrame : nil) : (isNewOpaque ? newFrame : nil)
    }
}
