import CGtk4

/// A style sheet of this library, on every display with a widget that needs it.
final class DisplayStyleSheet {
    private let provider: UnsafeMutablePointer<GtkCssProvider>
    private let priority: Int32
    /// Identifies this sheet on a display.
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

    /// The sheet's text.
    var css: String {
        didSet { gtk_css_provider_load_from_data(provider, css, -1) }
    }

    /// Adds the sheet to the display of `widget`, and to the display of each window that the widget enters: a widget
    /// outside of a window reports the default display.
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

    /// Marks `object` and returns whether it was unmarked. A new display at the address of an old one is unmarked.
    private func mark(_ object: UnsafeMutablePointer<GObject>) -> Bool {
        guard g_object_get_data(object, key) == nil else { return false }
        g_object_set_data(object, key, gpointer(provider))
        return true
    }
}
