import CGtk4

/// An indicator's place over a widget: taken when it is made, and left once.
protocol IndicatorSeat: AnyObject {
    /// Takes the indicator away, after which the widget is as it was.
    ///
    /// - Parameter isDestroyed: That the widget is being destroyed. What it had is gone then, and must not be touched.
    func leave(_ isDestroyed: Bool)
}

/// How an indicator gets over a widget.
enum IndicatorRoute {
    /// A `GtkOverlay` does it.
    case overlay
    /// The widget draws its children, and we lay one more out.
    case child
    /// The widget draws a paintable, and that draws the child which we lay out.
    case paintable
    /// There is no way.
    case none

    init(_ widget: UnsafeMutablePointer<GtkWidget>, showing target: (any PaintableTarget)?) {
        let layout = gtk_widget_get_layout_manager(widget)
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
