import CGtk4
import WebImage
import WebImageTestSupport

extension Pixels {
    /// Those of a `GdkTexture`.
    init(of texture: OpaquePointer) {
        let size = PixelSize(
            width: Int(gdk_texture_get_width(texture)), height: Int(gdk_texture_get_height(texture)))
        var words = [UInt32](repeating: 0, count: size.area)
        words.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            gdk_texture_download(texture, base, gsize(size.width * 4))
        }
        self = words.withUnsafeBufferPointer { Pixels(size, words: $0) }
    }

    /// The result of `draw`, by cairo and without a display.
    @MainActor
    static func drawnByCairo(_ size: PixelSize, scale: Double = 1, _ draw: (OpaquePointer) -> Void) -> Pixels {
        let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height))
        defer { cairo_surface_destroy(surface) }
        withNode(draw) { node in
            let context = cairo_create(surface)
            cairo_scale(context, scale, scale)
            gsk_render_node_draw(node, context)
            cairo_destroy(context)
        }
        cairo_surface_flush(surface)
        guard let rows = cairo_image_surface_get_data(surface) else { return Pixels(size) }
        return rows.withMemoryRebound(to: UInt32.self, capacity: size.area) { words in
            Pixels(size, words: UnsafeBufferPointer(start: words, count: size.area))
        }
    }

    @MainActor
    private static func withNode(_ draw: (OpaquePointer) -> Void, _ body: (OpaquePointer) -> Void) {
        guard let node = Self.node(draw) else { return }
        body(node)
        gsk_render_node_unref(node)
    }

    /// The result of `draw` as a node, which the caller releases; nil when it draws nothing.
    @MainActor
    static func node(_ draw: (OpaquePointer) -> Void) -> OpaquePointer? {
        let snapshot: OpaquePointer = gtk_snapshot_new()
        draw(snapshot)
        return gtk_snapshot_free_to_node(snapshot)
    }
}
