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

    /// Draws strokes in order, whose surfaces have red and blue exchanged; false, and nothing is drawn, when there is no
    /// memory for `bounds` or when it exceeds a renderer's limits.
    ///
    /// - Parameters:
    ///   - bounds: What the strokes may cover, in points.
    ///   - scale: Device pixels per point.
    func draw(_ strokes: [CairoStroke], in bounds: PointRect, scale: Double, into snapshot: Snapshot) -> Bool {
        let place = PixelGrid(scale: scale).outset(bounds)
        let size = CairoMemory.size(of: place, scale: scale)
        guard max(size.width, size.height) <= TextureSlices.maximumSide, let surface = surface(of: size) else {
            return false
        }
        let context = cairo_create(surface)
        if let context {
            cairo_set_operator(context, CAIRO_OPERATOR_CLEAR)
            cairo_paint(context)
            cairo_set_operator(context, CAIRO_OPERATOR_OVER)
            cairo_scale(context, scale, scale)
            cairo_translate(context, -place.x, -place.y)
            for stroke in strokes { stroke.draw(into: context, hasSwappedColors: true) }
        }
        cairo_destroy(context)
        cairo_surface_flush(surface)
        append(surface, PixelRect(size), in: place, to: snapshot)
        return true
    }

    /// Parts of a frame that are drawn into pixels.
    typealias Drawing = (_ part: PixelRect, _ rows: UnsafeMutableRawPointer, _ bytesPerRow: Int) -> Void

    /// Draws parts of a frame pixel by pixel, with red and blue exchanged unless `isCairo`; false, and nothing is drawn,
    /// when there is no memory for `place` or when it exceeds a renderer's limits.
    ///
    /// - Parameters:
    ///   - parts: In device pixels from the corner of `place`.
    ///   - place: The frame, aligned to device pixels.
    ///   - isCairo: Whether GTK draws with cairo, which converts a texture in each frame.
    func draw(
        _ parts: [PixelRect], of place: PointRect, scale: Double, isCairo: Bool, into snapshot: Snapshot,
        _ drawing: Drawing
    ) -> Bool {
        // GTK keeps the cairo surface of the visible frame without a reference.
        let surface = surface(of: CairoMemory.size(of: place, scale: scale), isAnother: isCairo)
        guard let surface else { return false }
        cairo_surface_flush(surface)
        guard let rows = cairo_image_surface_get_data(surface) else { return false }
        let bytesPerRow = Int(cairo_image_surface_get_stride(surface))
        for part in parts { drawing(part, rows + part.y * bytesPerRow + part.x * 4, bytesPerRow) }
        cairo_surface_mark_dirty(surface)
        for part in parts {
            let frame = PointRect(
                x: place.x + Double(part.x) / scale, y: place.y + Double(part.y) / scale,
                width: Double(part.size.width) / scale, height: Double(part.size.height) / scale)
            if isCairo {
                snapshot.draw(surface, lyingIn: place, scale: scale, part: frame)
            } else {
                append(surface, part, in: frame, to: snapshot)
            }
        }
        return true
    }

    /// A surface whose texture GTK has released.
    ///
    /// - Parameter isAnother: Whether it must not be the one of the frame before.
    private func surface(of size: PixelSize, isAnother: Bool = false) -> OpaquePointer? {
        let reusable = isAnother ? surfaces.dropLast() : surfaces[...]
        if let free = reusable.firstIndex(where: { cairo_surface_get_reference_count($0) == 1 }) {
            let surface = surfaces[free]
            let isOfSize =
                cairo_image_surface_get_width(surface) == size.width
                && cairo_image_surface_get_height(surface) == size.height
            if isOfSize {
                surfaces.append(surfaces.remove(at: free))
                return surface
            }
            cairo_surface_destroy(surfaces.remove(at: free))
        }
        guard let made = CairoMemory.make(size, CAIRO_FORMAT_ARGB32) else { return nil }
        if surfaces.count == Self.capacity { cairo_surface_destroy(surfaces.removeFirst()) }
        surfaces.append(made)
        return made
    }

    private func append(
        _ surface: OpaquePointer, _ part: PixelRect, in place: PointRect, to snapshot: Snapshot
    ) {
        let bytesPerRow = Int(cairo_image_surface_get_stride(surface))
        guard let rows = cairo_image_surface_get_data(surface) else { return }
        let bytes = g_bytes_new_with_free_func(
            rows + part.y * bytesPerRow + part.x * 4,
            gsize(bytesPerRow * (part.size.height - 1) + part.size.width * 4),
            { cairo_surface_destroy($0.map { OpaquePointer($0) }) },
            UnsafeMutableRawPointer(cairo_surface_reference(surface)))
        // Cairo's pixels are 32-bit words: blue comes first in memory on little-endian machines, as all that run GTK
        // are. It has been exchanged with red, because OpenGL takes a millisecond to convert a megapixel.
        let texture = gdk_memory_texture_new(
            Int32(part.size.width), Int32(part.size.height), GDK_MEMORY_R8G8B8A8_PREMULTIPLIED, bytes,
            gsize(bytesPerRow))
        g_bytes_unref(bytes)
        var bounds = graphene_rect_t(place)
        gtk_snapshot_append_texture(snapshot.pointer, texture, &bounds)
        g_object_unref(UnsafeMutableRawPointer(texture))
    }
}

extension Snapshot {
    /// Draws a part of a surface at rest, in a cairo node.
    fileprivate func draw(_ surface: OpaquePointer, lyingIn place: PointRect, scale: Double, part: PointRect) {
        var bounds = graphene_rect_t(part)
        guard let context = gtk_snapshot_append_cairo(pointer, &bounds) else { return }
        cairo_rectangle(context, part.x, part.y, part.size.width, part.size.height)
        cairo_translate(context, place.x, place.y)
        cairo_scale(context, 1 / scale, 1 / scale)
        cairo_set_source_surface(context, surface, 0, 0)
        cairo_fill(context)
        cairo_destroy(context)
    }
}
