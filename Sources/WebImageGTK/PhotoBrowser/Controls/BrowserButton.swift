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
        gtk_button_set_icon_name(cast(button), icon)
    }
}
