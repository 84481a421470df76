import CGtk4

/// GTK's renderers, by GTK's names.
enum ScreenRenderer: String, CaseIterable {
    case cairo
    /// The name in all versions: `gl` was another renderer until GTK 4.18 removed it, with a warning.
    case openGL = "opengl"

    /// Makes this renderer draw the windows that `body` opens, where the display supports it.
    @MainActor
    func draws<Result>(whileDoing body: () throws -> Result) rethrows -> Result {
        guard let display = gdk_display_get_default() else { return try body() }
        drawsAll(of: display)
        defer { Self.set(nil, on: display) }
        return try body()
    }

    /// Makes this renderer draw all windows that are opened on `display`, where that supports it.
    @MainActor
    func drawsAll(of display: OpaquePointer) { Self.set(rawValue, on: display) }

    /// A display's own setting has precedence over the environment.
    @MainActor
    private static func set(_ name: String?, on display: OpaquePointer) {
        let object = UnsafeMutableRawPointer(display).assumingMemoryBound(to: GObject.self)
        g_object_set_data_full(object, "gsk-renderer", name.map { g_strdup($0) }, g_free)
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
