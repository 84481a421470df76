import CGtk4
import FoundationEssentials
import WebImage
import WebImageCommandLine

/// A window's contents as a file.
enum Screenshot {
    /// The result.
    enum Outcome: Equatable {
        case written
        /// The window has a pending redraw, or is not on the screen: it may work a moment later.
        case notDrawn
        /// The file cannot be written, or would be lost.
        case failed(reason: String)
    }

    /// Writes `window` as PNG, drawn again by its own renderer. Only a PNG file is replaced; a device or a pipe is written to.
    static func write(_ window: Widget, to path: String) -> Outcome {
        let (width, height) = (gtk_widget_get_width(window), gtk_widget_get_height(window))
        guard width > 0, height > 0, let renderer = gtk_native_get_renderer(gtk_widget_get_native(window)),
            let node = node(of: window, width: width, height: height)
        else { return .notDrawn }
        defer { gsk_render_node_unref(node) }
        var bounds = graphene_rect_t(
            origin: graphene_point_t(x: 0, y: 0),
            size: graphene_size_t(width: Float(width), height: Float(height)))
        guard let texture = gsk_renderer_render_texture(renderer, node, &bounds) else { return .notDrawn }
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        guard let bytes = gdk_texture_save_to_png_bytes(texture) else { return .notDrawn }
        defer { g_bytes_unref(bytes) }
        return save(data(of: bytes), to: path)
    }

    private static func save(_ png: Data, to path: String) -> Outcome {
        guard OutputDirectory(path.directoryName).exists else { return .failed(reason: "its directory is not there") }
        let file = OutputFile(path: path)
        do throws(WebImageError) {
            try file.checkReplaces(.png)
            try file.write(png)
            return .written
        } catch {
            return .failed(reason: error.reason)
        }
    }

    private static func data(of bytes: OpaquePointer) -> Data {
        var count: gsize = 0
        guard let start = g_bytes_get_data(bytes, &count) else { return Data() }
        return Data(bytes: start, count: Int(count))
    }

    /// nil after a change in the window until the frame that draws it.
    private static func node(of window: Widget, width: Int32, height: Int32) -> OpaquePointer? {
        let paintable: OpaquePointer = gtk_widget_paintable_new(window)
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        let snapshot: OpaquePointer = gtk_snapshot_new()
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        return gtk_snapshot_free_to_node(snapshot)
    }
}
