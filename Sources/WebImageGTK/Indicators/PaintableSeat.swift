import CGtk4
import WebImage

/// Puts an indicator over a widget that draws a paintable and no children: the paintable draws the indicator.
///
/// The widget holds the covering paintable only while the indicator is visible. A paintable that is set meanwhile is
/// covered too.
final class PaintableSeat: IndicatorSeat {
    private let target: any PaintableTarget
    private let indicator: UnsafeMutablePointer<GtkWidget>
    private let child: ChildSeat
    private let ofWidget: SignalConnections
    private let ofIndicator: SignalConnections
    private var cover: PaintableHandle?
    private var ofInner: SignalConnections?

    init(_ indicator: UnsafeMutablePointer<GtkWidget>, over target: any PaintableTarget) {
        self.target = target
        self.indicator = indicator
        child = ChildSeat(indicator, over: target.widget)
        ofWidget = SignalConnections(UnsafeMutableRawPointer(target.widget))
        ofIndicator = SignalConnections(UnsafeMutableRawPointer(indicator))
        ofWidget.add("notify::paintable") { [unowned self] in update() }
        ofIndicator.add("notify::visible") { [unowned self] in update() }
        update()
    }

    func leave(_ isDestroyed: Bool) {
        ofWidget.cut()
        ofIndicator.cut()
        // A picture that is being destroyed still points to a paintable that it no longer owns.
        if isDestroyed { listen(to: nil) } else { uncover() }
        child.leave(isDestroyed)
    }

    /// The paintable that the widget holds, cover included.
    private var held: OpaquePointer? {
        var value = GValue()
        g_object_get_property(
            UnsafeMutableRawPointer(target.widget).assumingMemoryBound(to: GObject.self), "paintable", &value)
        defer { g_value_unset(&value) }
        return g_value_get_object(&value).map { OpaquePointer($0) }
    }

    private func update() {
        guard gtk_widget_get_visible(indicator) != 0 else { return uncover() }
        let held = held
        if cover == nil || cover?.pointer != held { coverUp(held.map { PaintableHandle(retaining: $0) }) }
    }

    private func coverUp(_ inner: PaintableHandle?) {
        let blank = inner == nil ? target.widget.ownSize : IndicatorLayout.notBlank
        let cover = OverlaidContent.handle(
            inner,
            drawBlank: { [weak self] in
                self?.target.drawIcon($0, width: $1, height: $2, side: Double(min(blank.width, blank.height)))
            }, drawIndicator: { [weak self] in self?.drawIndicator($0, over: $1) })
        listen(to: inner)
        child.layout.pointee.blank = blank
        self.cover = cover
        target.paintable = cover.pointer
    }

    private func uncover() {
        guard let cover else { return }
        listen(to: nil)
        self.cover = nil
        child.layout.pointee.blank = IndicatorLayout.notBlank
        if held == cover.pointer { target.paintable = OverlaidContent.uncovered(cover.pointer) }
    }

    /// Forwards the change signals of the inner paintable to the widgets of its cover.
    private func listen(to inner: PaintableHandle?) {
        ofInner?.cut()
        ofInner = inner.map { inner in
            let connections = SignalConnections(UnsafeMutableRawPointer(inner.pointer))
            connections.add("invalidate-contents") { [unowned self] in cover?.invalidateContents() }
            // The size of a cover is fixed: a new size needs a new cover.
            connections.add("invalidate-size") { [unowned self] in
                if let cover {
                    coverUp(OverlaidContent.uncovered(cover.pointer).map { PaintableHandle(retaining: $0) })
                }
            }
            return connections
        }
    }

    private func drawIndicator(_ snapshot: OpaquePointer, over contentSize: PointSize) {
        guard child.isInForce, gtk_widget_get_parent(indicator) == target.widget else { return }
        let size = PointSize(
            width: Double(gtk_widget_get_width(target.widget)), height: Double(gtk_widget_get_height(target.widget)))
        let frame = target.contentFit.frame(of: contentSize, in: size)
        var corner = graphene_point_t(x: Float(-frame.x), y: Float(-frame.y))
        gtk_snapshot_save(snapshot)
        gtk_snapshot_translate(snapshot, &corner)
        gtk_widget_snapshot_child(target.widget, indicator, snapshot)
        gtk_snapshot_restore(snapshot)
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// The size that the widget's class measures, without its layout manager.
    fileprivate var ownSize: GtkRequisition {
        GtkRequisition(
            width: ownExtent(GTK_ORIENTATION_HORIZONTAL).natural, height: ownExtent(GTK_ORIENTATION_VERTICAL).natural)
    }
}
