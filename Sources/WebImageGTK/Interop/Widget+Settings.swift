import CGtk4

extension UnsafeMutablePointer<GtkWidget> {
    /// Whether the desktop allows animations.
    var allowsAnimations: Bool {
        guard let settings = gtk_widget_get_settings(self) else { return true }
        var value = GValue()
        let object = UnsafeMutableRawPointer(settings).assumingMemoryBound(to: GObject.self)
        g_object_get_property(object, "gtk-enable-animations", &value)
        defer { g_value_unset(&value) }
        return g_value_get_boolean(&value) != 0
    }
}
