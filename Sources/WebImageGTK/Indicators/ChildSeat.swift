import CGtk4

/// Puts an indicator over a widget as one more child. A layout manager of this library replaces the widget's own.
final class ChildSeat: IndicatorSeat {
    let layout: IndicatorLayout.Instance
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let indicator: UnsafeMutablePointer<GtkWidget>
    private let formerLayout: UnsafeMutablePointer<GtkLayoutManager>?
    private let connections: SignalConnections

    init(_ indicator: UnsafeMutablePointer<GtkWidget>, over widget: UnsafeMutablePointer<GtkWidget>) {
        self.indicator = indicator
        self.widget = widget
        formerLayout = gtk_widget_get_layout_manager(widget)
        if let formerLayout { g_object_ref(formerLayout) }
        layout = IndicatorLayout.make(for: indicator)
        // A widget that is destroyed releases its layout manager before it emits its signal.
        g_object_ref(layout)
        connections = SignalConnections(UnsafeMutableRawPointer(widget))
        gtk_widget_set_layout_manager(widget, cast(layout))
        gtk_widget_set_parent(indicator, widget)
        // New content of the widget is its topmost child and would cover the indicator.
        connections.add("notify::child") { gtk_widget_insert_before(indicator, widget, nil) }
    }

    /// Whether this library's layout manager is still set; the app may have set another one.
    var isInForce: Bool { gtk_widget_get_layout_manager(widget) == cast(layout) }

    func leave(_ isDestroyed: Bool) {
        connections.cut()
        layout.pointee.indicator = nil
        if gtk_widget_get_parent(indicator) == widget { gtk_widget_unparent(indicator) }
        if !isDestroyed, isInForce {
            gtk_widget_set_layout_manager(widget, formerLayout)
        } else if let formerLayout {
            g_object_unref(formerLayout)
        }
        g_object_unref(layout)
    }
}
