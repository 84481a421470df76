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

extension UnsafeMutablePointer<GtkWidget> {
    /// The window that the widget is in; nil for none.
    var window: UnsafeMutablePointer<GtkWindow>? {
        guard let root = gtk_widget_get_root(self) else { return nil }
        let object = UnsafeMutableRawPointer(root)
        return object.isInstance(of: gtk_window_get_type()) ? object.assumingMemoryBound(to: GtkWindow.self) : nil
    }

    /// Whether the keyboard goes to the widget or to a part of it, which can be used.
    var hasFocusInside: Bool {
        guard let root = gtk_widget_get_root(self), let focus = gtk_root_get_focus(root) else { return false }
        guard focus == self || gtk_widget_is_ancestor(focus, self) != 0 else { return false }
        return gtk_widget_get_mapped(focus) != 0 && gtk_widget_is_sensitive(focus) != 0
    }
}
