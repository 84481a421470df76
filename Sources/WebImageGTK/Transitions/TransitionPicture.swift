import WebImage

/// What a transition leads from or to: drawn whole, or in parts of which none is a copy.
package final class TransitionPicture {
    /// Whether every pixel is known to be opaque.
    let isOpaque: Bool

    private var form: Form
    private var thumbnail: TransitionPicture?
    private var surface: CairoSurface?

    private enum Form {
        /// Pixels of ours; the texture, where there is one, is the whole picture as a view shows it.
        case bitmap(TextureSlices, whole: Texture?)
        /// Something that draws itself, and in parts only once it has been brought to pixels.
        case paintable(PaintableHandle)
        case nothing
    }

    /// A picture of these pixels.
    package convenience init(_ bitmap: Bitmap) { self.init(bitmap, texture: nil) }

    /// - Parameter texture: The whole of `bitmap`, if there is one that a renderer may know already.
    init(_ bitmap: Bitmap, texture: Texture?) {
        form = .bitmap(TextureSlices(bitmap.displayable), whole: texture)
        isOpaque = bitmap.isOpaque
    }

    /// What a paintable shows now; it must not change any more.
    init(_ paintable: PaintableHandle) {
        form = .paintable(paintable)
        isOpaque = false
    }

    /// The pixels, where they are known.
    var bitmap: Bitmap? { if case .bitmap(let slices, _) = form { slices.bitmap } else { nil } }

    /// From now on, the same picture is drawn from other pixels.
    func replace(by bitmap: Bitmap) { form = .bitmap(TextureSlices(bitmap), whole: Texture(bitmap)) }

    /// A frame begins.
    func beginFrame() {
        if case .bitmap(let slices, _) = form { slices.beginFrame() }
        thumbnail?.beginFrame()
    }

    /// How a part of the picture is to be drawn.
    struct Placement {
        /// Where all of the picture lies at rest.
        var contentFrame: PointRect
        /// The part of that which is wanted.
        var part: PointRect
        /// Where the part goes.
        var frame: PointRect
        var isMirroredHorizontally = false
        var isMirroredVertically = false
        /// Device pixels per point.
        var scale: Double
        /// What is seen of the view, when the view is far larger.
        var visible: PointRect?

        /// Whether the part is more than so much of the picture.
        fileprivate func isMore(than share: Double) -> Bool { part.area > share * contentFrame.area }

        /// Whether the pixels beside the part are seen at its edges. Where it is whole pixels that are not enlarged, they
        /// would be half of one at most; without them nothing has to be cut off, which is a fifth of OpenGL's work.
        fileprivate func needsNeighbours(of pixels: PointRect) -> Bool {
            let isWhole = [pixels.x, pixels.y, pixels.maxX, pixels.maxY].allSatisfy { abs($0 - $0.rounded()) < 1e-3 }
            let isEnlarged =
                frame.size.width * scale > pixels.size.width + 0.5
                || frame.size.height * scale > pixels.size.height + 0.5
            return !isWhole || isEnlarged || min(pixels.size.width, pixels.size.height) < 4
        }

        /// Whether anything is seen of what goes into a part of the frame, before it is mirrored.
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

    /// The picture so small that it is blurred where it is drawn; nil when there is no memory for it.
    func blurred() -> TransitionPicture? {
        if let thumbnail { return thumbnail }
        guard let small = bitmap?.blurred() else { return nil }
        thumbnail = TransitionPicture(small, texture: Texture(small))
        return thumbnail
    }

    /// What of the picture is seen in `bounds`, for cairo; made once, and anew when it lies elsewhere.
    ///
    /// - Parameter frame: Where all of the picture lies.
    func surface(lyingIn frame: PointRect, seenIn bounds: PointRect, scale: Double) -> CairoSurface? {
        guard let part = frame.intersection(bounds) else { return nil }
        let place = PixelGrid(scale: scale).outset(part)
        if let surface, surface.place == place, surface.scale == scale { return surface }
        surface = nil
        surface = CairoSurface(place, scale: scale, isOpaque: isOpaque && part == place) {
            draw(Placement(contentFrame: frame, part: part, frame: part, scale: scale), into: $0)
        }
        return surface
    }

    /// Draws all of the picture, of which only the part is seen.
    private func draw(_ placement: Placement, into snapshot: Snapshot, whole: (PointRect) -> Void) {
        let frame = RectMap(placement.part, to: placement.frame)(placement.contentFrame)
        draw(placement, covering: frame, into: snapshot) { whole(frame) }
    }

    /// Draws the pixels that the part touches and, unless it can do without, those beside them, so that interpolation goes
    /// on across its edges, and cuts off what hangs over: nothing is drawn twice, and there are no seams between parts
    /// that touch.
    private func draw(
        _ slices: TextureSlices, _ part: PointRect, isAlone: Bool, _ placement: Placement, into snapshot: Snapshot
    ) {
        guard let pixels = PixelRect(around: part, margin: isAlone ? 0 : 1, within: slices.bitmap.size) else { return }
        let toFrame = RectMap(part, to: placement.frame)
        let covering = toFrame(pixels.points)
        // Of a part of next to no size, the pixels beside it would reach too far.
        guard covering.isWithinReach || !placement.frame.isWithinReach else { return }
        draw(placement, covering: covering, into: snapshot) {
            for piece in pieces(of: pixels, isAlone: isAlone, placement) {
                let frame = toFrame.place(of: piece, in: pixels, scale: placement.scale)
                guard placement.isSeen(frame), let texture = slices.texture(of: piece) else { continue }
                snapshot.draw(texture, in: frame)
            }
        }
    }

    /// Of a view that is far larger than what is seen of it, tiles; of a large part, which may be a little larger in the
    /// next frame, bands of which all but one will be the same; otherwise pieces as large as renderers can take them.
    private func pieces(of pixels: PixelRect, isAlone: Bool, _ placement: Placement) -> [PixelRect] {
        if placement.visible != nil { return pixels.pieces(ofAtMost: TileGrid.side) }
        let bands = isAlone && placement.isMore(than: 0.1) ? pixels.bands(ofRows: 128) : [pixels]
        return bands.flatMap { $0.pieces(ofAtMost: TextureSlices.maximumSide) }
    }

    /// - Parameter covering: What `body` covers, before it is mirrored.
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

    /// From now on the picture is pixels: those of its part `part`, as many as are seen where all of it lies in `frame`, in
    /// points, with `scale` pixels each.
    func flatten(_ part: PointRect, of frame: PointRect, scale: Double) {
        guard case .paintable(let paintable) = form, !part.size.isEmpty else { return }
        // A little less, lest rounding up make it one too many.
        let largest = (Double(TextureSlices.maximumSide) - 0.5) / max(part.size.width, part.size.height)
        let bitmap = Bitmap.drawn(size: part.size, scale: min(scale, largest)) { snapshot in
            snapshot.draw(paintable, in: frame.moved(byX: -part.x, y: -part.y))
        }
        form = .nothing
        if let bitmap { replace(by: bitmap) }
    }
}
