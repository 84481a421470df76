import CGtk4
import WebImage

/// Pixels in the form in which cairo draws them, of a rectangle of a view.
///
/// GTK's cairo renderer converts a texture in each frame anew, which takes longer than to draw it.
final class CairoSurface {
    /// Where the pixels lie, in points.
    let place: PointRect
    /// Device pixels per point.
    let scale: Double
    private let pointer: OpaquePointer

    /// What `draw` draws in `place`, which lies on edges of device pixels, of which a point has `scale`; nil when there
    /// is no memory for it, or when it is larger than cairo can draw.
    ///
    /// - Parameter isOpaque: Whether every pixel of it is. Such pixels are copied, others mixed with what lies behind.
    init?(_ place: PointRect, scale: Double, isOpaque: Bool, _ draw: (Snapshot) -> Void) {
        let format = isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32
        guard let surface = CairoMemory.make(CairoMemory.size(of: place, scale: scale), format) else { return nil }
        self.place = place
        self.scale = scale
        pointer = surface
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

    /// Lets a context draw the pixels from now on, so that those of a rectangle of the view go where `map` says.
    func makeSource(of context: OpaquePointer, _ map: RectMap, isMirrored: CairoStroke.Mirroring) {
        let horizontal = map.source.size.width / map.target.size.width * (isMirrored.horizontally ? -1 : 1)
        let vertical = map.source.size.height / map.target.size.height * (isMirrored.vertically ? -1 : 1)
        let x = isMirrored.horizontally ? map.source.maxX : map.source.x
        let y = isMirrored.vertically ? map.source.maxY : map.source.y
        var matrix = cairo_matrix_t()
        cairo_matrix_init(
            &matrix, horizontal, 0, 0, vertical, x - place.x - map.target.x * horizontal,
            y - place.y - map.target.y * vertical)
        let pattern = cairo_pattern_create_for_surface(pointer)
        cairo_pattern_set_matrix(pattern, &matrix)
        // Cairo's own choice for what is squeezed takes four times as long, for what is gone in the next frame.
        cairo_pattern_set_filter(pattern, CAIRO_FILTER_BILINEAR)
        // The outermost pixels must not be mixed with the nothing beside them: edges are softened as they are filled.
        cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
        cairo_set_source(context, pattern)
        cairo_pattern_destroy(pattern)
    }
}
