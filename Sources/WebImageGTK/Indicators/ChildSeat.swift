import CGtk4

/// Over a widget as one more child of it, laid out by a layout manager in place of the widget's own.
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
        // A widget that goes lets go of its layout manager before it says so.
        g_object_ref(layout)
        connections = SignalConnections(UnsafeMutableRawPointer(widget))
        gtk_widget_set_layout_manager(widget, layout.manager)
        gtk_widget_set_parent(indicator, widget)
        // A new content of the widget would lie over the indicator.
        connections.add("notify::child") { gtk_widget_insert_before(indicator, widget, nil) }
    }

    /// Whether the widget is still laid out by us, and not by what somebody has set meanwhile.
    var isInForce: Bool { gtk_widget_get_layout_manager(widget) == layout.manager }

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

extension IndicatorLayout.Instance {
    fileprivate var manager: UnsafeMutablePointer<GtkLayoutManager> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: GtkLayoutManager.self)
    }
}
