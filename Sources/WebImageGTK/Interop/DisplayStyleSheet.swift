import CGtk4

/// CSS of this library, on every display that has a widget which needs it.
final class DisplayStyleSheet {
    private let provider: UnsafeMutablePointer<GtkCssProvider>
    private let priority: Int32
    /// Tells this sheet from others on a display.
    private let key: String

    /// - Parameter priority: One of GTK's `GTK_STYLE_PROVIDER_PRIORITY_…`.
    init(_ key: String, css: String = "", priority: Int32) {
        self.key = key
        self.priority = priority
        provider = gtk_css_provider_new()
        self.css = css
        gtk_css_provider_load_from_data(provider, css, -1)
    }

    isolated deinit { g_object_unref(provider) }

    /// What it says from now on.
    var css: String {
        didSet { gtk_css_provider_load_from_data(provider, css, -1) }
    }

    /// Puts it on the display of `widget`, and on that of any window that the widget comes into: until it is in one, a
    /// widget counts as being on the default display.
    func serve(_ widget: UnsafeMutablePointer<GtkWidget>) {
        guard mark(widget.object) else { return }
        install(for: widget)
        connect(UnsafeMutableRawPointer(widget), "realize") { [weak self] in self?.install(for: widget) }
    }

    private func install(for widget: UnsafeMutablePointer<GtkWidget>) {
        guard let display = gtk_widget_get_display(widget),
            mark(UnsafeMutableRawPointer(display).assumingMemoryBound(to: GObject.self))
        else { return }
        gtk_style_context_add_provider_for_display(display, OpaquePointer(provider), guint(priority))
    }

    /// Whether `object` had no mark of this sheet before; a display that comes after another one at its address has none.
    private func mark(_ object: UnsafeMutablePointer<GObject>) -> Bool {
        guard g_object_get_data(object, key) == nil else { return false }
        g_object_set_data(object, key, gpointer(provider))
        return true
    }
}
