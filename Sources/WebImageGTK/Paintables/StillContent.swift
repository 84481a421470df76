import CGtk4
import WebImage

/// A picture that does not move.
final class StillContent: PaintableContent {
    let image: Image
    /// Where it is seen, for a picture in tiles: asked whenever it is drawn; nil for all of it.
    var visibleArea: () -> VisibleArea? = { nil }

    private let form: Form

    private enum Form {
        case texture(Texture)
        /// For a picture that is larger than renderers' textures.
        case tiles(TextureSlices)
    }

    init(_ image: Image) {
        self.image = image
        form =
            TileGrid.isNeeded(for: image.pixelSize)
            ? .tiles(TextureSlices(image.bitmap)) : .texture(Texture(image.bitmap))
    }

    /// Whether only the tiles are drawn that are seen, so that it must be drawn again when it is scrolled.
    var isTiled: Bool { if case .tiles = form { true } else { false } }

    var isImmutable: Bool { !isTiled }

    var intrinsicSize: PointSize {
        PointSize(
            width: Double(image.pixelSize.width) / image.scale, height: Double(image.pixelSize.height) / image.scale)
    }

    /// The picture for one transition, whose end lets go of what was made for it alone.
    var transitionPicture: TransitionPicture {
        guard case .texture(let texture) = form else { return TransitionPicture(image.bitmap) }
        return TransitionPicture(image.bitmap, texture: texture)
    }

    func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        let frame = PointRect(x: 0, y: 0, width: width, height: height)
        let snapshot = Snapshot(pointer: snapshot)
        switch form {
        case .texture(let texture): snapshot.draw(texture, in: frame)
        case .tiles(let slices): draw(slices, in: frame, into: snapshot)
        }
    }

    func frozen() -> any PaintableContent { self }

    private func draw(_ slices: TextureSlices, in frame: PointRect, into snapshot: Snapshot) {
        let toPixels = RectMap(frame, to: PixelRect(image.pixelSize).points)
        let toFrame = RectMap(toPixels.target, to: frame)
        let visible = visibleArea()?.part(ofContent: intrinsicSize, drawnIn: frame)
        slices.beginFrame()
        for tile in TileGrid(size: image.pixelSize).tiles(in: visible.map { toPixels($0) }) {
            guard let texture = slices.texture(of: tile) else { continue }
            snapshot.draw(texture, in: toFrame(tile.points))
        }
    }
}
