import CGtk4
import WebImage

/// Over a widget that draws a paintable and no children: as a child that the paintable draws.
///
/// Only while the indicator is visible does the widget hold another paintable than what it was given. What anybody gives it
/// meanwhile is covered too.
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
        // A picture that goes still names a paintable to which it has no right any more.
        if isDestroyed { listen(to: nil) } else { uncover() }
        child.leave(isDestroyed)
    }

    /// The paintable that the widget really holds.
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

    /// What the paintable within tells its widgets, the one that covers it tells them too.
    private func listen(to inner: PaintableHandle?) {
        ofInner?.cut()
        ofInner = inner.map { inner in
            let connections = SignalConnections(UnsafeMutableRawPointer(inner.pointer))
            connections.add("invalidate-contents") { [unowned self] in cover?.invalidateContents() }
            // A cover's size never changes: the new size needs a new one.
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
    /// What the widget asks for by itself, whoever lays it out.
    fileprivate var ownSize: GtkRequisition {
        GtkRequisition(
            width: ownExtent(GTK_ORIENTATION_HORIZONTAL).natural, height: ownExtent(GTK_ORIENTATION_VERTICAL).natural)
    }
}
