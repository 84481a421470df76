import CGtk4
import WebImage
import WebImageTestSupport

/// GTK's OpenGL renderer, drawing to memory: that of a window that is never presented.
@MainActor
final class OffscreenRenderer {
    private let pointer: OpaquePointer
    private let window: UnsafeMutablePointer<GtkWidget>
    /// The renderer identifies textures by address, so the addresses must stay in use for some frames.
    private var recent: [OpaquePointer] = []

    /// nil without a display, and without OpenGL.
    static let openGL = OffscreenRenderer()

    private init?() {
        guard gdk_display_get_default() != nil else { return nil }
        let window = TestWindow.make()
        self.window = window
        // From GTK 4.14 on, its own choice may be another renderer.
        ScreenRenderer.openGL.draws { gtk_widget_realize(window) }
        guard let renderer = gtk_native_get_renderer(OpaquePointer(window)) else { return nil }
        let instance = UnsafeMutableRawPointer(renderer).assumingMemoryBound(to: GTypeInstance.self)
        guard let name = g_type_name_from_instance(instance), String(cString: name) != "GskCairoRenderer" else {
            return nil
        }
        pointer = renderer
    }

    /// The result of `draw` at `scale` pixels per point.
    func draw(_ size: PixelSize, scale: Double = 1, _ draw: (OpaquePointer) -> Void) -> Pixels {
        let node = Pixels.node { snapshot in
            gtk_snapshot_scale(snapshot, Float(scale), Float(scale))
            draw(snapshot)
        }
        guard let node else { return Pixels(size) }
        recent.append(node)
        if recent.count > 4 { gsk_render_node_unref(recent.removeFirst()) }
        var viewport = graphene_rect_t(
            origin: graphene_point_t(x: 0, y: 0),
            size: graphene_size_t(width: Float(size.width), height: Float(size.height)))
        guard let texture = gsk_renderer_render_texture(pointer, node, &viewport) else { return Pixels(size) }
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        return Pixels(of: texture)
    }
}
