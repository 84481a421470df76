import CGtk4
import WebImage

/// Pixels of a rectangle of a view, in cairo's own format.
///
/// GTK's cairo renderer converts a texture in every frame, which takes longer than drawing it.
final class CairoSurface {
    /// The place of the pixels, in points.
    let place: PointRect
    /// Device pixels per point.
    let scale: Double
    private let pointer: OpaquePointer
    private let hasSwappedColors: Bool
    private var transposed: UnsafeMutablePointer<UInt8>?

    /// Renders `draw` over `place`, which is aligned to device pixels at `scale` pixels per point; nil when there is no
    /// memory for it, or when it exceeds cairo's limits.
    ///
    /// - Parameters:
    ///   - isOpaque: Whether every pixel is opaque. Opaque pixels are copied, others blended.
    ///   - hasSwappedColors: Whether red and blue are exchanged, for an ``FrameCanvas`` that is drawn by OpenGL.
    init?(
        _ place: PointRect, scale: Double, isOpaque: Bool, hasSwappedColors: Bool = false, _ draw: (Snapshot) -> Void
    ) {
        let format = isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32
        guard let surface = CairoMemory.make(CairoMemory.size(of: place, scale: scale), format) else { return nil }
        self.place = place
        self.scale = scale
        self.hasSwappedColors = hasSwappedColors
        pointer = surface
        cairo_surface_set_device_scale(surface, scale, scale)
        let snapshot: OpaquePointer = gtk_snapshot_new()
        Snapshot(pointer: snapshot).moved(toX: -place.x, y: -place.y) { draw(Snapshot(pointer: snapshot)) }
        guard let node = gtk_snapshot_free_to_node(snapshot) else { return }
        let context = cairo_create(surface)
        gsk_render_node_draw(node, context)
        cairo_destroy(context)
        gsk_render_node_unref(node)
        cairo_surface_flush(surface)
        correctPixels(isOpaque: isOpaque)
    }

    /// Sets the fourth byte of each pixel, which cairo leaves undefined where all are opaque, and the order of colours.
    private func correctPixels(isOpaque: Bool) {
        guard let pixels = cairo_image_surface_get_data(pointer) else { return }
        let count = Int(cairo_image_surface_get_stride(pointer) / 4 * cairo_image_surface_get_height(pointer))
        if isOpaque { PagePicture.setOpaque(pixels, count: count) }
        if hasSwappedColors { PagePicture.swapColors(pixels, count: count) }
        cairo_surface_mark_dirty(pointer)
    }

    /// The pixels, valid as long as the surface.
    ///
    /// - Parameters:
    ///   - isShaded: Whether the content is opaque.
    ///   - isTransposed: Whether they are needed with rows and columns exchanged.
    func pagePicture(isShaded: Bool, isTransposed: Bool) -> PagePicture? {
        guard let pixels = cairo_image_surface_get_data(pointer) else { return nil }
        let bytesPerRow = Int(cairo_image_surface_get_stride(pointer))
        let size = CairoMemory.size(of: place, scale: scale)
        let (x, y) = (Int((place.x * scale).rounded()), Int((place.y * scale).rounded()))
        guard isTransposed else {
            return PagePicture(pixels, bytesPerRow: bytesPerRow, x: x, y: y, size: size, isShaded: isShaded)
        }
        let columns = transposed ?? .allocate(capacity: size.area * 4)
        if transposed == nil { PagePicture.transpose(pixels, bytesPerRow: bytesPerRow, size: size, into: columns) }
        transposed = columns
        return PagePicture(
            columns, bytesPerRow: size.height * 4, x: x, y: y, size: size, isShaded: isShaded, isTransposed: true)
    }

    isolated deinit {
        cairo_surface_destroy(pointer)
        transposed?.deallocate()
    }

    /// Whether it has these properties.
    func isSame(_ place: PointRect, scale: Double, hasSwappedColors: Bool) -> Bool {
        self.place == place && self.scale == scale && self.hasSwappedColors == hasSwappedColors
    }

    /// Makes the pixels the source of a context, so that a rectangle of the view is drawn where `map` puts it.
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
        // Cairo's default filter for reduced pictures takes four times as long, for pixels that the next frame
        // replaces.
        cairo_pattern_set_filter(pattern, CAIRO_FILTER_BILINEAR)
        // The outermost pixels must not blend with transparency: edges are antialiased when they are filled.
        cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
        cairo_set_source(context, pattern)
        cairo_pattern_destroy(pattern)
    }
}
