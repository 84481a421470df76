import CGtk4

/// The content of an app's window, which the browser covers.
final class ContentSeat: BrowserSeat {
    private let overlay: UnsafeMutablePointer<GtkWidget>
    private let formerFocus: WeakWidget
    /// The widgets under the browser.
    private var covered: [CoveredPart] = []

    /// A `GtkOverlay` stays as it is; any other content gets one around it, and keeps it.
    ///
    /// - Parameter content: As ``content(around:)`` finds it.
    init(over content: UnsafeMutablePointer<GtkWidget>) {
        formerFocus = WeakWidget(content.window.flatMap { gtk_window_get_focus($0) })
        overlay = content.isA(gtk_overlay_get_type()) ? content : Self.overlay(around: content)
        g_object_ref(overlay)
    }

    private static func overlay(around content: UnsafeMutablePointer<GtkWidget>) -> UnsafeMutablePointer<GtkWidget> {
        let overlay: UnsafeMutablePointer<GtkWidget> = gtk_overlay_new()
        g_object_ref(content)
        if let window = content.window { gtk_window_set_child(window, overlay) }
        gtk_overlay_set_child(OpaquePointer(overlay), content)
        g_object_unref(content)
        return overlay
    }

    /// The widget that a browser can cover around another one: the content of its window; nil for none.
    static func content(around widget: UnsafeMutablePointer<GtkWidget>) -> UnsafeMutablePointer<GtkWidget>? {
        guard let window = widget.window else { return nil }
        guard window.keepsItsChild else { return gtk_window_get_child(window) }
        return sequence(first: widget) { gtk_widget_get_parent($0) }.reversed().first { $0.isA(gtk_overlay_get_type()) }
    }

    isolated deinit { g_object_unref(overlay) }

    func take(_ widget: UnsafeMutablePointer<GtkWidget>) {
        covered = overlay.children.map(CoveredPart.of)
        gtk_overlay_add_overlay(OpaquePointer(overlay), widget)
    }

    func giveBack(_ widget: UnsafeMutablePointer<GtkWidget>) {
        covered = []
        guard gtk_widget_in_destruction(overlay) == 0 else { return }
        if gtk_widget_get_parent(widget) == overlay { gtk_overlay_remove_overlay(OpaquePointer(overlay), widget) }
        formerFocus.with { gtk_widget_grab_focus($0) }
    }
}

extension UnsafeMutablePointer<GtkWindow> {
    /// Whether apps must not replace its child: a window of libadwaita aborts then.
    fileprivate var keepsItsChild: Bool {
        ["AdwWindow", "AdwApplicationWindow", "GtkDialog", "GtkAssistant"].contains { name in
            let type = g_type_from_name(name)
            return type != 0 && UnsafeMutableRawPointer(self).assumingMemoryBound(to: GtkWidget.self).isA(type)
        }
    }
}
