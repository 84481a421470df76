import CGtk4

extension UnsafeMutablePointer<GtkWidget> {
    /// Whether GTK draws the widget's window by cairo, as it does where there is no OpenGL.
    var isDrawnByCairo: Bool {
        guard let native = gtk_widget_get_native(self), let renderer = gtk_native_get_renderer(native) else {
            return false
        }
        let instance = UnsafeMutableRawPointer(renderer).assumingMemoryBound(to: GTypeInstance.self)
        return g_type_name_from_instance(instance).map { String(cString: $0) == "GskCairoRenderer" } ?? false
    }
}
