import CGtk4

extension UnsafeMutablePointer<GtkWidget> {
    /// Sets a number of the desktop's, for all windows of the widget's display.
    @MainActor
    func setSetting(_ name: String, to number: gint) {
        guard let settings = gtk_widget_get_settings(self) else { return }
        var value = GValue()
        g_value_init(&value, g_type_from_name("gint"))
        g_value_set_int(&value, number)
        g_object_set_property(
            UnsafeMutableRawPointer(settings).assumingMemoryBound(to: GObject.self), name, &value)
        g_value_unset(&value)
    }
}
