import CGtk4
import WebImage

/// Pixel buffers that cairo draws frames into; GTK then draws each frame as one texture.
///
/// OpenGL in software takes several times as long per pixel as cairo, so it should draw each pixel once. A buffer is
/// reused as soon as GTK releases its texture: a new one costs page faults.
final class FrameCanvas {
    /// One buffer for the visible frame, one for the next one, and one that GTK may still hold.
    private static let capacity = 3
    private var surfaces: [OpaquePointer] = []

    /// The number of buffers.
    var surfaceCount: Int { surfaces.count }

    isolated deinit { for surface in surfaces { cairo_surface_destroy(surface) } }

    /// Draws strokes in order; false, and nothing is drawn, when there is no memory for `bounds` or when it exceeds a
    /// renderer's limits.
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

    /// A surface whose texture GTK has released.
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
        // Cairo's pixels are 32-bit words: blue comes first in memory on little-endian machines, as all that run GTK
        // are.
        let texture = gdk_memory_texture_new(width, height, GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes, bytesPerRow)
        g_bytes_unref(bytes)
        var bounds = graphene_rect_t(place)
        gtk_snapshot_append_texture(snapshot.pointer, texture, &bounds)
        g_object_unref(UnsafeMutableRawPointer(texture))
    }
}
