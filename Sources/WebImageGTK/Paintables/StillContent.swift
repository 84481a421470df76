import CGtk4
import WebImage

/// A picture that does not move.
final class StillContent: PaintableContent {
    let image: Image
    private let texture: Texture

    init(_ image: Image) {
        self.image = image
        texture = Texture(image.bitmap)
    }

    var isOpaque: Bool { texture.isOpaque }

    let isImmutable = true

    var intrinsicSize: PointSize {
        PointSize(width: Double(texture.size.width) / image.scale, height: Double(texture.size.height) / image.scale)
    }

    /// The picture for one transition, whose end lets go of what was made for it alone.
    var transitionPicture: TransitionPicture { TransitionPicture(image.bitmap, texture: texture) }

    func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        var bounds = graphene_rect_t(
            origin: graphene_point_t(x: 0, y: 0),
            size: graphene_size_t(width: Float(width), height: Float(height)))
        gtk_snapshot_append_texture(snapshot, texture.pointer, &bounds)
    }

    func frozen() -> any PaintableContent { self }
}
