import CGtk4
import WebImage

/// Pixels in the form in which cairo draws them, of a rectangle of a view.
///
/// GTK's cairo renderer converts a texture in each frame anew, which takes longer than to draw it.
final class CairoSurface {
    /// Where the pixels lie, in points.
    let place: PointRect
    private let pointer: OpaquePointer

    /// What `draw` draws in `place`, which lies on edges of device pixels, of which a point has `scale`; nil when there
    /// is no memory for it, or when it is larger than cairo can draw.
    init?(_ place: PointRect, scale: Double, _ draw: (Snapshot) -> Void) {
        let pixels = PixelSize(
            width: Int((place.size.width * scale).rounded()), height: Int((place.size.height * scale).rounded()))
        guard !pixels.isEmpty, max(pixels.width, pixels.height) <= TextureSlices.maximumSide,
            let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(pixels.width), Int32(pixels.height))
        else { return nil }
        self.place = place
        pointer = surface
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else { return nil }
        cairo_surface_set_device_scale(surface, scale, scale)
        let snapshot: OpaquePointer = gtk_snapshot_new()
        Snapshot(pointer: snapshot).moved(toX: -place.x, y: -place.y) { draw(Snapshot(pointer: snapshot)) }
        guard let node = gtk_snapshot_free_to_node(snapshot) else { return }
        let context = cairo_create(surface)
        gsk_render_node_draw(node, context)
        cairo_destroy(context)
        gsk_render_node_unref(node)
    }

    isolated deinit { cairo_surface_destroy(pointer) }

    /// Draws the pixels where they lie.
    fileprivate func paint(into context: OpaquePointer, opacity: Double = 1) {
        cairo_set_source_surface(context, pointer, place.x, place.y)
        cairo_paint_with_alpha(context, opacity)
    }
}

extension Snapshot {
    /// Draws one surface, and another one over it that is seen through, by cairo itself.
    func drawByCairo(_ bottom: CairoSurface, under top: CairoSurface, opacity: Double, in bounds: PointRect) {
        var bounds = graphene_rect_t(bounds)
        guard let context = gtk_snapshot_append_cairo(pointer, &bounds) else { return }
        bottom.paint(into: context)
        top.paint(into: context, opacity: opacity)
        cairo_destroy(context)
    }
}
