import CGtk4

/// An indicator's place over a widget: taken by `init`, left once by ``leave(_:)``.
protocol IndicatorSeat: AnyObject {
    /// Removes the indicator and restores the widget.
    ///
    /// - Parameter isDestroyed: Whether the widget is being destroyed. Its children and properties are gone then and
    ///   must not be touched.
    func leave(_ isDestroyed: Bool)
}

/// The ways to put an indicator over a widget.
enum IndicatorRoute {
    /// The widget is a `GtkOverlay`.
    case overlay
    /// The widget draws its children; the indicator becomes one more child.
    case child
    /// The widget draws a paintable, which draws the indicator as well.
    case paintable
    /// The widget cannot hold an indicator.
    case none

    init(_ widget: UnsafeMutablePointer<GtkWidget>, showing target: (any PaintableTarget)?) {
        // A fixed size stays in force while the indicator's layout manager replaces its own.
        let layout = gtk_widget_get_layout_manager(widget).flatMap { FixedSizeLayout.isOne($0) ? nil : $0 }
        let isLayoutOurs = layout.map { ButtonLayout.isReplaceable($0) } ?? widget.measuresItself
        if widget.isA(gtk_overlay_get_type()) {
            self = .overlay
        } else if isLayoutOurs && widget.drawsChildren {
            self = .child
        } else if layout == nil, target?.widget == widget, widget.hasProperty("paintable") {
            self = .paintable
        } else {
            self = .none
        }
    }
}
