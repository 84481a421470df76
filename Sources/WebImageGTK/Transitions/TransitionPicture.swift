import WebImage

/// The picture at one end of a transition: drawn whole, or in parts without copies.
package final class TransitionPicture {
    /// Whether every pixel is known to be opaque.
    let isOpaque: Bool

    private var form: Form
    private var thumbnail: TransitionPicture?
    private var surface: CairoSurface?

    private enum Form {
        /// A bitmap; `whole` is the texture of all of it where a view shows it.
        case bitmap(TextureSlices, whole: Texture?)
        /// Content that draws itself; it can be drawn in parts only after it is rendered to pixels.
        case paintable(PaintableHandle)
        case nothing
    }

    /// A picture of these pixels.
    package convenience init(_ bitmap: Bitmap) { self.init(bitmap, texture: nil) }

    /// - Parameter texture: The texture of all of `bitmap`, if a renderer may have uploaded one already.
    init(_ bitmap: Bitmap, texture: Texture?) {
        form = .bitmap(TextureSlices(bitmap.displayable), whole: texture)
        isOpaque = bitmap.isOpaque
    }

    /// The current content of a paintable, which must not change any more.
    init(_ paintable: PaintableHandle) {
        form = .paintable(paintable)
        isOpaque = false
    }

    /// The pixels; nil for a paintable.
    var bitmap: Bitmap? { if case .bitmap(let slices, _) = form { slices.bitmap } else { nil } }

    /// Replaces the pixels by others of the same picture.
    func replace(by bitmap: Bitmap) { form = .bitmap(TextureSlices(bitmap), whole: Texture(bitmap)) }

    /// A frame begins.
    func beginFrame() {
        if case .bitmap(let slices, _) = form { slices.beginFrame() }
        thumbnail?.beginFrame()
    }

    /// How to draw a part of the picture.
    struct Placement {
        /// The frame of the whole picture at rest.
        var contentFrame: PointRect
        /// The part within that frame.
        var part: PointRect
        /// The frame that the part is drawn into.
        var frame: PointRect
        var isMirroredHorizontally = false
        var isMirroredVertically = false
        /// Device pixels per point.
        var scale: Double
        /// The visible part of a view that is far larger than a screen.
        var visible: PointRect?

        /// Whether the part is more than `share` of the picture.
        fileprivate func isMore(than share: Double) -> Bool { part.area > share * contentFrame.area }

        /// Whether pixels next to the part show at its edges. For whole pixels that are not enlarged they contribute
        /// half a pixel at most; without them nothing has to be clipped, which is a fifth of OpenGL's work.
        fileprivate func needsNeighbours(of pixels: PointRect) -> Bool {
            let isWhole = [pixels.x, pixels.y, pixels.maxX, pixels.maxY].allSatisfy { abs($0 - $0.rounded()) < 1e-3 }
            let isEnlarged =
                frame.size.width * scale > pixels.size.width + 0.5
                || frame.size.height * scale > pixels.size.height + 0.5
            return !isWhole || isEnlarged || min(pixels.size.width, pixels.size.height) < 4
        }

        /// Whether any of a part of the frame is visible, before mirroring.
        fileprivate func isSeen(_ part: PointRect) -> Bool {
            guard let visible else { return !part.size.isEmpty }
            let seen = part.mirrored(
                in: frame, horizontally: isMirroredHorizontally, vertically: isMirroredVertically)
            return seen.intersection(visible) != nil
        }
    }

    /// Draws a part of the picture.
    func draw(_ placement: Placement, into snapshot: Snapshot) {
        switch form {
        case .nothing:
            break
        case .paintable(let paintable):
            if placement.isMore(than: 0.5) {
                draw(placement, into: snapshot) { snapshot.draw(paintable, in: $0) }
            } else {
                flatten(placement.contentFrame, of: placement.contentFrame, scale: placement.scale)
                draw(placement, into: snapshot)
            }
        case .bitmap(let slices, let whole):
            let part = RectMap(placement.contentFrame, to: PixelRect(slices.bitmap.size).points)(placement.part)
            let isAlone = !placement.needsNeighbours(of: part)
            if let whole, placement.isMore(than: isAlone ? 0.95 : 0.5) {
                draw(placement, into: snapshot) { snapshot.draw(whole, in: $0) }
            } else {
                draw(slices, part, isAlone: isAlone, placement, into: snapshot)
            }
        }
    }

    /// The picture reduced so far that enlarging it blurs it; nil when there is no memory for it.
    func blurred() -> TransitionPicture? {
        if let thumbnail { return thumbnail }
        guard let small = bitmap?.blurred() else { return nil }
        thumbnail = TransitionPicture(small, texture: Texture(small))
        return thumbnail
    }

    /// The part of the picture within `bounds`, as a cairo surface; cached until its place changes.
    ///
    /// - Parameters:
    ///   - frame: The frame of the whole picture.
    ///   - hasSwappedColors: Whether red and blue are exchanged.
    func surface(
        lyingIn frame: PointRect, seenIn bounds: PointRect, scale: Double, hasSwappedColors: Bool = false
    ) -> CairoSurface? {
        guard let part = frame.intersection(bounds) else { return nil }
        let place = PixelGrid(scale: scale).outset(part)
        if let surface, surface.isSame(place, scale: scale, hasSwappedColors: hasSwappedColors) { return surface }
        surface = nil
        surface = CairoSurface(
            place, scale: scale, isOpaque: isOpaque && part == place, hasSwappedColors: hasSwappedColors
        ) {
            draw(Placement(contentFrame: frame, part: part, frame: part, scale: scale), into: $0)
        }
        return surface
    }

    /// A surface of at least the part of the picture within `bounds`; cached until it needs more.
    func surface(
        lyingIn frame: PointRect, coveringAtLeast bounds: PointRect, scale: Double, hasSwappedColors: Bool
    ) -> CairoSurface? {
        guard let part = frame.intersection(bounds) else { return nil }
        if let surface, surface.place.contains(part),
            surface.isSame(surface.place, scale: scale, hasSwappedColors: hasSwappedColors)
        {
            return surface
        }
        // Some more, so that the next frames need no other.
        let margin = 128.0
        let more = PointRect(
            x: bounds.x - margin, y: bounds.y - margin, width: bounds.size.width + 2 * margin,
            height: bounds.size.height + 2 * margin)
        return surface(lyingIn: frame, seenIn: more, scale: scale, hasSwappedColors: hasSwappedColors)
    }

    /// Draws the whole picture and clips it to the part.
    private func draw(_ placement: Placement, into snapshot: Snapshot, whole: (PointRect) -> Void) {
        let frame = RectMap(placement.part, to: placement.frame)(placement.contentFrame)
        draw(placement, covering: frame, into: snapshot) { whole(frame) }
    }

    /// Draws the pixels that the part touches and, where needed, their neighbours, so that interpolation continues
    /// across its edges; clips the overhang. Nothing is drawn twice, and parts that touch have no seam.
    private func draw(
        _ slices: TextureSlices, _ part: PointRect, isAlone: Bool, _ placement: Placement, into snapshot: Snapshot
    ) {
        guard let pixels = PixelRect(around: part, margin: isAlone ? 0 : 1, within: slices.bitmap.size) else { return }
        let toFrame = RectMap(part, to: placement.frame)
        let covering = toFrame(pixels.points)
        // Around a part of almost no size, the neighbours reach too far.
        guard covering.isWithinReach || !placement.frame.isWithinReach else { return }
        draw(placement, covering: covering, into: snapshot) {
            for piece in pieces(of: pixels, isAlone: isAlone, placement) {
                let frame = toFrame.place(of: piece, in: pixels, scale: placement.scale)
                guard placement.isSeen(frame), let texture = slices.texture(of: piece) else { continue }
                snapshot.draw(texture, in: frame)
            }
        }
    }

    /// The pieces to draw. A view far larger than its visible part gets tiles. A large part gets bands: it may grow a
    /// little in the next frame, which changes one band only. Otherwise the pieces are as large as renderers allow.
    private func pieces(of pixels: PixelRect, isAlone: Bool, _ placement: Placement) -> [PixelRect] {
        if placement.visible != nil { return pixels.pieces(ofAtMost: TileGrid.side) }
        let bands = isAlone && placement.isMore(than: 0.1) ? pixels.bands(ofRows: 128) : [pixels]
        return bands.flatMap { $0.pieces(ofAtMost: TextureSlices.maximumSide) }
    }

    /// - Parameter covering: The area that `body` covers, before mirroring.
    private func draw(
        _ placement: Placement, covering: PointRect, into snapshot: Snapshot, _ body: () -> Void
    ) {
        func drawMirrored() {
            snapshot.mirrored(
                in: placement.frame, horizontally: placement.isMirroredHorizontally,
                vertically: placement.isMirroredVertically, body)
        }
        let covered = covering.mirrored(
            in: placement.frame, horizontally: placement.isMirroredHorizontally,
            vertically: placement.isMirroredVertically)
        if let clip = placement.frame.clip(for: covered, tolerance: 0.01 / placement.scale) {
            snapshot.clipped(to: clip, drawMirrored)
        } else {
            drawMirrored()
        }
    }

    /// Renders `part` of the picture, and draws these pixels from now on. There are as many as are visible where the
    /// whole picture covers `frame`, in points, at `scale` pixels per point.
    func flatten(_ part: PointRect, of frame: PointRect, scale: Double) {
        guard case .paintable(let paintable) = form, !part.size.isEmpty else { return }
        // A little less, so that rounding up does not exceed the limit.
        let largest = (Double(TextureSlices.maximumSide) - 0.5) / max(part.size.width, part.size.height)
        let bitmap = Bitmap.drawn(size: part.size, scale: min(scale, largest)) { snapshot in
            snapshot.draw(paintable, in: frame.moved(byX: -part.x, y: -part.y))
        }
        form = .nothing
        if let bitmap { replace(by: bitmap) }
    }
}
