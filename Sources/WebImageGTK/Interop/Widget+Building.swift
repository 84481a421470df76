import CGtk4

/// Calls that build a widget out of others, and change its state.
extension UnsafeMutablePointer<GtkWidget> {
    func setVisible(_ isVisible: Bool) { gtk_widget_set_visible(self, isVisible ? 1 : 0) }

    func setEnabled(_ isEnabled: Bool) { gtk_widget_set_sensitive(self, isEnabled ? 1 : 0) }

    func setStyle(_ name: String, _ isSet: Bool) {
        if isSet { gtk_widget_add_css_class(self, name) } else { gtk_widget_remove_css_class(self, name) }
    }

    /// Appends children to a `GtkBox`.
    func append(_ children: UnsafeMutablePointer<GtkWidget>...) {
        for child in children {
            gtk_box_append(UnsafeMutableRawPointer(self).assumingMemoryBound(to: GtkBox.self), child)
        }
    }

    static func box(_ orientation: GtkOrientation, style: String...) -> UnsafeMutablePointer<GtkWidget> {
        let box: UnsafeMutablePointer<GtkWidget> = gtk_box_new(orientation, 0)
        for name in style { gtk_widget_add_css_class(box, name) }
        return box
    }

    static func spacer() -> UnsafeMutablePointer<GtkWidget> {
        let spacer = box(GTK_ORIENTATION_HORIZONTAL)
        gtk_widget_set_hexpand(spacer, 1)
        return spacer
    }
}
