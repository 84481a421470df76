import CGtk4

/// GTK's renderers, by GTK's names.
enum ScreenRenderer: String, CaseIterable {
    case cairo
    /// The name in all versions: `gl` was another renderer until GTK 4.18 removed it, with a warning.
    case openGL = "opengl"

    /// Makes this renderer draw the windows that `body` opens, where the display supports it: the display's setting has
    /// precedence over the environment.
    @MainActor
    func draws<Result>(whileDoing body: () throws -> Result) rethrows -> Result {
        let display = UnsafeMutableRawPointer(gdk_display_get_default())?.assumingMemoryBound(to: GObject.self)
        g_object_set_data_full(display, "gsk-renderer", g_strdup(rawValue), g_free)
        defer { g_object_set_data(display, "gsk-renderer", nil) }
        return try body()
    }

    /// Whether it draws `window`, which must be realized.
    @MainActor
    func draws(_ window: UnsafeMutablePointer<GtkWidget>) -> Bool {
        guard let renderer = gtk_native_get_renderer(OpaquePointer(window)) else { return false }
        let instance = UnsafeMutableRawPointer(renderer).assumingMemoryBound(to: GTypeInstance.self)
        let name = g_type_name_from_instance(instance).map { String(cString: $0) }
        return (name == "GskCairoRenderer") == (self == .cairo)
    }
}
