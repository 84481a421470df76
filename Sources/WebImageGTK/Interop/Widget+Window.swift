import CGtk4

extension UnsafeMutablePointer<GtkWidget> {
    /// Whether the widget's window is minimised; the widget stays mapped then.
    var isMinimized: Bool {
        guard let native = gtk_widget_get_native(self), let surface = gtk_native_get_surface(native) else {
            return false
        }
        guard UnsafeMutableRawPointer(surface).isInstance(of: gdk_toplevel_get_type()) else { return false }
        return gdk_toplevel_get_state(surface).rawValue & GDK_TOPLEVEL_STATE_MINIMIZED.rawValue != 0
    }
}
