import CGtk4

/// Makes the widgets of a browser's bars.
enum BrowserButton {
    /// A button with an icon; its label is for tooltips and screen readers.
    static func make(
        _ icon: String, _ label: String, pressed: @escaping () -> Void
    ) -> UnsafeMutablePointer<GtkWidget> {
        let button = make(icon, label)
        connect(UnsafeMutableRawPointer(button), "clicked", pressed)
        return button
    }

    static func make(_ icon: String, _ label: String) -> UnsafeMutablePointer<GtkWidget> {
        let button: UnsafeMutablePointer<GtkWidget> = gtk_button_new_from_icon_name(icon)
        // Keys go on to the pages after a click.
        gtk_widget_set_focus_on_click(button, 0)
        name(button, label)
        return button
    }

    /// - Parameter object: What the button is about, where that is seen only by its place: screen readers say it.
    static func name(_ widget: UnsafeMutablePointer<GtkWidget>, _ label: String, of object: String? = nil) {
        gtk_widget_set_tooltip_text(widget, label)
        widget.setAccessibleLabel(object.map { "\(label) \($0)" } ?? label)
    }

    static func setIcon(_ icon: String, of button: UnsafeMutablePointer<GtkWidget>) {
        gtk_button_set_icon_name(UnsafeMutableRawPointer(button).assumingMemoryBound(to: GtkButton.self), icon)
    }
}

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
