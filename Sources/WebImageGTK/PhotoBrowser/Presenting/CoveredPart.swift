import CGtk4

/// A part of an app's window under browsers: no key, click, touch or turn of the wheel begins on it until all of them are
/// gone, and its animations rest.
final class CoveredPart {
    private struct Weak {
        weak var part: CoveredPart?
    }

    private static var parts: [UnsafeMutablePointer<GtkWidget>: Weak] = [:]

    /// Covers a widget, as long as the result is kept.
    static func of(_ widget: UnsafeMutablePointer<GtkWidget>) -> CoveredPart {
        if let part = parts[widget]?.part { return part }
        let part = CoveredPart(widget)
        parts[widget] = Weak(part: part)
        CoverWatch.tell()
        return part
    }

    /// Whether a widget is within such a part.
    static func contains(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        guard !parts.isEmpty else { return false }
        return sequence(first: widget) { gtk_widget_get_parent($0) }.contains { parts[$0]?.part != nil }
    }

    private let widget: UnsafeMutablePointer<GtkWidget>
    private let couldFocus: gboolean
    private let guardian: OpaquePointer

    private init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
        g_object_ref(widget)
        // The tabulator key stays in the browser.
        couldFocus = gtk_widget_get_can_focus(widget)
        gtk_widget_set_can_focus(widget, 0)
        guardian = Self.guardian()
        // The widget takes one reference.
        g_object_ref(UnsafeMutableRawPointer(guardian))
        gtk_widget_add_controller(widget, guardian)
    }

    isolated deinit {
        Self.parts[widget] = nil
        CoverWatch.tell()
        // A widget that was disposed of has removed it.
        if gtk_event_controller_get_widget(guardian) == widget { gtk_widget_remove_controller(widget, guardian) }
        g_object_unref(UnsafeMutableRawPointer(guardian))
        gtk_widget_set_can_focus(widget, couldFocus)
        g_object_unref(widget)
    }

    /// Keeps clicks away: until the pointer moves, GTK sends them to what was under it before the browser came. A press
    /// that began before is let through to its release.
    private static func guardian() -> OpaquePointer {
        let controller: OpaquePointer = gtk_event_controller_legacy_new()
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        connect(controller, "event") { (event: OpaquePointer) in
            [GDK_BUTTON_PRESS, GDK_TOUCH_BEGIN, GDK_SCROLL].contains(gdk_event_get_event_type(event))
        }
        return controller
    }
}
