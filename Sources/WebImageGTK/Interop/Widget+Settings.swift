import CGtk4

/// The settings of the desktop.
extension UnsafeMutablePointer<GtkWidget> {
    /// Whether the desktop allows animations.
    var allowsAnimations: Bool { setting("gtk-enable-animations") { g_value_get_boolean($0) != 0 } ?? true }

    /// The time in which the second click of a double click follows the first one; nil where it is not known.
    var doubleClickTime: Duration? { setting("gtk-double-click-time") { .milliseconds(Int(g_value_get_int($0))) } }

    /// How far the two clicks may be from each other, in points; nil where it is not known.
    var doubleClickDistance: Double? { setting("gtk-double-click-distance") { Double(g_value_get_int($0)) } }

    private func setting<Value>(_ name: String, _ read: (UnsafePointer<GValue>) -> Value) -> Value? {
        guard let settings = gtk_widget_get_settings(self) else { return nil }
        var value = GValue()
        g_object_get_property(UnsafeMutableRawPointer(settings).assumingMemoryBound(to: GObject.self), name, &value)
        defer { g_value_unset(&value) }
        return read(&value)
    }
}
