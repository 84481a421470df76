import WebImage

/// What a transition leads from or to: drawn whole, or in parts of which none is a copy.
package final class TransitionPicture {
    /// Whether every pixel is known to be opaque.
    let isOpaque: Bool

    private var form: Form
    private var thumbnail: TransitionPicture?

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
        form = .bitmap(TextureSlices(bitmap), whole: texture)
        isOpaque = bitmap.isOpaque
    }

    /// What a paintable shows now; it must not change any more.
    init(_ paintable: PaintableHandle) {
        form = .paintable(paintable)
        isOpaque = false
    }

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

        /// More than half of the picture: drawing all of it and cutting off the rest needs no texture of its own.
        fileprivate var isMostOfThePicture: Bool { part.area * 2 > contentFrame.area }
    }

    /// Draws a part of the picture.
    func draw(_ placement: Placement, into snapshot: Snapshot) {
        switch form {
        case .nothing:
            break
        case .paintable(let paintable):
            if placement.isMostOfThePicture {
                draw(placement, into: snapshot) { snapshot.draw(paintable, in: $0) }
            } else {
                flatten(to: placement.contentFrame.size, scale: placement.scale)
                draw(placement, into: snapshot)
            }
        case .bitmap(let slices, let whole):
            if let whole, placement.isMostOfThePicture {
                draw(placement, into: snapshot) { snapshot.draw(whole, in: $0) }
            } else {
                draw(slices, placement, into: snapshot)
            }
        }
    }

    /// The picture so small that it is blurred where it is drawn; nil when there is no memory for it.
    func blurred() -> TransitionPicture? {
        if let thumbnail { return thumbnail }
        guard case .bitmap(let slices, _) = form, let bitmap = slices.bitmap.blurred() else { return nil }
        thumbnail = TransitionPicture(bitmap, texture: Texture(bitmap))
        return thumbnail
    }

    /// Draws all of the picture, of which only the part is seen.
    private func draw(_ placement: Placement, into snapshot: Snapshot, whole: (PointRect) -> Void) {
        let frame = RectMap(placement.part, to: placement.frame)(placement.contentFrame)
        draw(placement, covering: frame, into: snapshot) { whole(frame) }
    }

    /// Draws the pixels that the part touches and those beside them, so that interpolation goes on across its edges, and
    /// cuts off what hangs over: nothing is drawn twice, and there are no seams between parts that touch.
    private func draw(_ slices: TextureSlices, _ placement: Placement, into snapshot: Snapshot) {
        let size = slices.bitmap.size
        let exact = RectMap(placement.contentFrame, to: PixelRect(size).points)(placement.part)
        guard let pixels = PixelRect(around: exact, margin: 1, within: size) else { return }
        let toFrame = RectMap(exact, to: placement.frame)
        draw(placement, covering: toFrame(pixels.points), into: snapshot) {
            for piece in pixels.pieces(ofAtMost: TextureSlices.maximumSide) {
                guard let texture = slices.texture(of: piece) else { continue }
                snapshot.draw(texture, in: toFrame(piece.points))
            }
        }
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

    /// From now on the picture is pixels: as many as are seen at `size`, in points, with `scale` pixels each.
    func flatten(to size: PointSize, scale: Double) {
        guard case .paintable(let paintable) = form, !size.isEmpty else { return }
        let largest = Double(TextureSlices.maximumSide) / max(size.width, size.height)
        let bitmap = Bitmap.drawn(size: size, scale: min(scale, largest)) { snapshot in
            snapshot.draw(paintable, in: PointRect(x: 0, y: 0, size: size))
        }
        form = bitmap.map { .bitmap(TextureSlices($0), whole: Texture($0)) } ?? .nothing
    }
}

extension Bitmap {
    /// Pixels of the longer side from which a renderer's own interpolation makes a blurred picture.
    private static let blurredSide = 24.0

    fileprivate func blurred() -> Bitmap? {
        let factor = min(1, Self.blurredSide / Double(max(size.width, size.height)))
        let small = PointSize(
            width: max(1, (Double(size.width) * factor).rounded()),
            height: max(1, (Double(size.height) * factor).rounded()))
        return Image(bitmap: self).resized(to: small, scaleMode: .fill)?.bitmap
    }
}
