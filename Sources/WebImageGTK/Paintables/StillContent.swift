import CGtk4
import WebImage

/// A picture that does not move.
final class StillContent: PaintableContent {
    /// What is drawn; nil when it was let go, and its place is laid out all the same.
    var image: Image? {
        didSet { draw(image, isStandIn: false) }
    }
    /// Where it is seen, for a picture in tiles: asked whenever it is drawn; nil for all of it.
    var visibleArea: () -> VisibleArea? = { nil }
    /// Told while the picture is drawn, and at what size.
    var drawn: (PointSize) -> Void = { _ in }
    let intrinsicSize: PointSize

    private var form: Form?
    /// Of what stands in for a picture that was let go; nil for the picture itself.
    private var standInSize: PointSize?

    private enum Form {
        case texture(Texture)
        /// For a picture that is larger than renderers' textures.
        case tiles(TextureSlices)

        init(_ image: Image) {
            let bitmap = image.bitmap.displayable
            self =
                TileGrid.isNeeded(for: image.pixelSize) ? .tiles(TextureSlices(bitmap)) : .texture(Texture(bitmap))
        }
    }

    /// - Parameter size: The picture's own size, in points; nil for that of its pixels.
    init(_ image: Image, size: PointSize? = nil) {
        self.image = image
        form = Form(image)
        intrinsicSize = size ?? image.pointSize
    }

    /// Whether only the tiles are drawn that are seen, so that it must be drawn again when it is scrolled.
    var isTiled: Bool { if case .tiles = form { true } else { false } }

    var isImmutable: Bool { !isTiled }

    /// The picture for one transition, whose end lets go of what was made for it alone; nil when it was let go.
    var transitionPicture: TransitionPicture? {
        guard let image else { return nil }
        guard case .texture(let texture) = form else { return TransitionPicture(image.bitmap) }
        return TransitionPicture(image.bitmap, texture: texture)
    }

    /// Draws `image`, or nothing, in place of a picture that was let go: in its own proportions, in the middle.
    func standIn(_ image: Image?) {
        if self.image == nil { draw(image, isStandIn: true) }
    }

    private func draw(_ image: Image?, isStandIn: Bool) {
        form = image.map { Form($0) }
        standInSize = isStandIn ? image?.pointSize : nil
    }

    func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        let room = PointRect(x: 0, y: 0, width: width, height: height)
        let frame = standInSize.map { ContentFit.contain.frame(of: $0, in: room.size) } ?? room
        let snapshot = Snapshot(pointer: snapshot)
        switch form {
        case .texture(let texture): snapshot.draw(texture, in: frame)
        case .tiles(let slices): draw(slices, in: frame, into: snapshot)
        case nil: return
        }
        drawn(room.size)
    }

    func frozen() -> any PaintableContent { self }

    private func draw(_ slices: TextureSlices, in frame: PointRect, into snapshot: Snapshot) {
        let size = slices.bitmap.size
        let toPixels = RectMap(frame, to: PixelRect(size).points)
        let toFrame = RectMap(toPixels.target, to: frame)
        let visible = visibleArea()?.part(ofContent: intrinsicSize, drawnIn: frame)
        slices.beginFrame()
        for tile in TileGrid(size: size).tiles(in: visible.map { toPixels($0) }) {
            // Edges of whole points are edges of device pixels on every screen.
            let place = toFrame.place(of: tile, in: PixelRect(size), scale: 1)
            guard !place.size.isEmpty, let texture = slices.texture(of: tile) else { continue }
            snapshot.draw(texture, in: place)
        }
    }
}

extension Image {
    /// The size at which the pixels are drawn one to one, in points.
    fileprivate var pointSize: PointSize {
        PointSize(width: Double(pixelSize.width) / scale, height: Double(pixelSize.height) / scale)
    }
}
