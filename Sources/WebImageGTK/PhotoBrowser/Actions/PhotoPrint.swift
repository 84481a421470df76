import CGtk4
import WebImage

/// Prints one picture on one page.
enum PhotoPrint {
    /// - Parameters:
    ///   - file: A PDF file, which is written without a dialog; nil to ask the person.
    ///   - failed: Gets the reason why nothing was printed.
    static func run(
        _ image: Image, over widget: UnsafeMutablePointer<GtkWidget>, into file: String? = nil,
        failed: @escaping (String) -> Void
    ) {
        guard let operation = gtk_print_operation_new() else { return }
        defer { g_object_unref(operation) }
        gtk_print_operation_set_n_pages(operation, 1)
        connect(operation, "draw-page") { (context: OpaquePointer) in draw(image, into: context) }
        let window: UnsafeMutablePointer<GtkWindow>? = cast(gtk_widget_get_root(widget))
        var error: UnsafeMutablePointer<GError>?
        if let file { gtk_print_operation_set_export_filename(operation, file) }
        let action = file == nil ? GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG : GTK_PRINT_OPERATION_ACTION_EXPORT
        let result = gtk_print_operation_run(operation, action, window, &error)
        guard result == GTK_PRINT_OPERATION_RESULT_ERROR else { return }
        failed("The photo was not printed: \(error.map { String(cString: $0.pointee.message) } ?? "no reason given")")
        g_clear_error(&error)
    }

    private static func draw(_ image: Image, into context: OpaquePointer) {
        guard let cairo = gtk_print_context_get_cairo_context(context) else { return }
        let page = PointSize(
            width: gtk_print_context_get_width(context), height: gtk_print_context_get_height(context))
        let size = image.pixelSize.points()
        let frame = ContentFit.contain.frame(of: size, in: page)
        let snapshot: OpaquePointer = gtk_snapshot_new()
        Snapshot(pointer: snapshot).moved(toX: frame.x, y: frame.y) {
            StillContent(image).draw(snapshot, width: frame.size.width, height: frame.size.height)
        }
        guard let node = gtk_snapshot_free_to_node(snapshot) else { return }
        gsk_render_node_draw(node, cairo)
        gsk_render_node_unref(node)
    }
}
