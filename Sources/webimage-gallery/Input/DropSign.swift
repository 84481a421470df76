import CGtk4

/// The sign in a window while files are above it: a frame around all that a drop replaces, and a text that says what
/// the drop will do.
final class DropSign {
    let widget = Make.label("Drop to show these pictures").classes("drop-sign")
    private let overlay: Widget

    /// - Parameter overlay: Lives as long as the sign.
    init(over overlay: Widget) {
        self.overlay = overlay
        g_object_ref_sink(widget)
        gtk_label_set_xalign(OpaquePointer(widget), 0.5)
        // The drop is for what lies below.
        gtk_widget_set_can_target(widget, 0)
    }

    isolated deinit { g_object_unref(widget) }

    /// Whether it is there. It comes last, also above the page of a picture.
    var isShown: Bool {
        get { gtk_widget_get_parent(widget) != nil }
        set {
            guard newValue != isShown else { return }
            if newValue {
                gtk_overlay_add_overlay(OpaquePointer(overlay), widget)
            } else {
                gtk_overlay_remove_overlay(OpaquePointer(overlay), widget)
            }
        }
    }
}
