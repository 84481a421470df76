import CGtk4

/// The content of an app's window, which the browser covers.
final class ContentSeat: BrowserSeat {
    private let overlay: UnsafeMutablePointer<GtkWidget>
    private let formerFocus: UnsafeMutablePointer<GWeakRef>

    /// nil for a widget without a window, and for a window without content.
    ///
    /// A window whose child is a `GtkOverlay` stays as it is; any other child gets one around it, and keeps it.
    init?(around widget: UnsafeMutablePointer<GtkWidget>) {
        guard let window = widget.window, let child = gtk_window_get_child(window) else { return nil }
        formerFocus = .allocate(capacity: 1)
        g_weak_ref_init(formerFocus, gtk_window_get_focus(window))
        if child.isA(gtk_overlay_get_type()) {
            overlay = child
        } else {
            overlay = gtk_overlay_new()
            g_object_ref(child)
            gtk_window_set_child(window, overlay)
            gtk_overlay_set_child(OpaquePointer(overlay), child)
            g_object_unref(child)
        }
        g_object_ref(overlay)
    }

    /// The content of the window of a widget; nil for none.
    static func content(around widget: UnsafeMutablePointer<GtkWidget>) -> UnsafeMutablePointer<GtkWidget>? {
        widget.window.flatMap { gtk_window_get_child($0) }
    }

    isolated deinit {
        g_weak_ref_clear(formerFocus)
        formerFocus.deallocate()
        g_object_unref(overlay)
    }

    func take(_ widget: UnsafeMutablePointer<GtkWidget>) {
        gtk_overlay_add_overlay(OpaquePointer(overlay), widget)
        // The tabulator key stays in the browser.
        if let content = gtk_overlay_get_child(OpaquePointer(overlay)) { gtk_widget_set_can_focus(content, 0) }
    }

    func giveBack(_ widget: UnsafeMutablePointer<GtkWidget>) {
        guard gtk_widget_in_destruction(overlay) == 0 else { return }
        if let content = gtk_overlay_get_child(OpaquePointer(overlay)) { gtk_widget_set_can_focus(content, 1) }
        if gtk_widget_get_parent(widget) == overlay { gtk_overlay_remove_overlay(OpaquePointer(overlay), widget) }
        guard let focus = g_weak_ref_get(formerFocus) else { return }
        defer { g_object_unref(focus) }
        gtk_widget_grab_focus(focus.assumingMemoryBound(to: GtkWidget.self))
    }
}
