import CGtk4
import WebImage

/// Pixels into which cairo draws frames, which GTK then draws as one texture.
///
/// Where OpenGL is software, it takes several times as long for a pixel as cairo; so it had better draw each only once. The pixels of a frame serve again as soon as GTK has let go of its texture: new ones would have to be fetched
/// from the system page by page.
final class FrameCanvas {
    /// That of the frame that is seen, that of the next one, and one that GTK may still hold.
    private static let capacity = 3
    private var surfaces: [OpaquePointer] = []

    /// How many frames' pixels it has.
    var surfaceCount: Int { surfaces.count }

    isolated deinit { for surface in surfaces { cairo_surface_destroy(surface) } }

    /// Draws strokes over each other; false when there is no memory for `bounds`, or when it is larger than a renderer can
    /// take. Then nothing is drawn.
    ///
    /// - Parameters:
    ///   - bounds: What the strokes may cover, in points.
    ///   - scale: Device pixels per point.
    func draw(_ strokes: [CairoStroke], in bounds: PointRect, scale: Double, into snapshot: Snapshot) -> Bool {
        let place = PixelGrid(scale: scale).outset(bounds)
        guard let surface = surface(of: CairoMemory.size(of: place, scale: scale)) else { return false }
        let context = cairo_create(surface)
        if let context {
            cairo_set_operator(context, CAIRO_OPERATOR_CLEAR)
            cairo_paint(context)
            cairo_set_operator(context, CAIRO_OPERATOR_OVER)
            cairo_scale(context, scale, scale)
            cairo_translate(context, -place.x, -place.y)
            for stroke in strokes { stroke.draw(into: context) }
        }
        cairo_destroy(context)
        cairo_surface_flush(surface)
        append(surface, in: place, to: snapshot)
        return true
    }

    /// One that nobody else holds.
    private func surface(of size: PixelSize) -> OpaquePointer? {
        if let free = surfaces.firstIndex(where: { cairo_surface_get_reference_count($0) == 1 }) {
            let surface = surfaces[free]
            let isOfSize =
                cairo_image_surface_get_width(surface) == size.width
                && cairo_image_surface_get_height(surface) == size.height
            if isOfSize { return surface }
            cairo_surface_destroy(surfaces.remove(at: free))
        }
        guard let made = CairoMemory.make(size, CAIRO_FORMAT_ARGB32) else { return nil }
        if surfaces.count == Self.capacity { cairo_surface_destroy(surfaces.removeFirst()) }
        surfaces.append(made)
        return made
    }

    private func append(_ surface: OpaquePointer, in place: PointRect, to snapshot: Snapshot) {
        let (width, height) = (cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface))
        let bytesPerRow = gsize(cairo_image_surface_get_stride(surface))
        let bytes = g_bytes_new_with_free_func(
            cairo_image_surface_get_data(surface), bytesPerRow * gsize(height),
            { cairo_surface_destroy($0.map { OpaquePointer($0) }) },
            UnsafeMutableRawPointer(cairo_surface_reference(surface)))
        // A word of cairo's is blue first on machines that store its lowest byte first, which all of GTK's are.
        let texture = gdk_memory_texture_new(width, height, GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes, bytesPerRow)
        g_bytes_unref(bytes)
        var bounds = graphene_rect_t(place)
        gtk_snapshot_append_texture(snapshot.pointer, texture, &bounds)
        g_object_unref(UnsafeMutableRawPointer(texture))
    }
}
