import CGtk4
import WebImage

extension Snapshot {
    /// Draws what lies within a rectangle with round corners.
    func rounded(_ rect: PointRect, radius: Double, _ body: () -> Void) {
        guard radius > 0 else { return clipped(to: rect, body) }
        var bounds = graphene_rect_t(rect)
        var outline = GskRoundedRect()
        gsk_rounded_rect_init_from_rect(&outline, &bounds, Float(radius))
        gtk_snapshot_push_rounded_clip(pointer, &outline)
        body()
        gtk_snapshot_pop(pointer)
    }

    /// Draws turned clockwise, so that the result fills `size` at (0, 0).
    ///
    /// - Parameter body: Gets the size before the turn.
    func turned(byQuarters turns: Int, in size: PointSize, _ body: (PointSize) -> Void) {
        guard turns % 4 != 0 else { return body(size) }
        let isAcross = !turns.isMultiple(of: 2)
        let inner = isAcross ? PointSize(width: size.height, height: size.width) : size
        gtk_snapshot_save(pointer)
        var middle = graphene_point_t(x: Float(size.width / 2), y: Float(size.height / 2))
        gtk_snapshot_translate(pointer, &middle)
        gtk_snapshot_rotate(pointer, Float(turns % 4) * 90)
        var corner = graphene_point_t(x: Float(-inner.width / 2), y: Float(-inner.height / 2))
        gtk_snapshot_translate(pointer, &corner)
        body(inner)
        gtk_snapshot_restore(pointer)
    }
}
