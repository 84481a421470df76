import CGtk4
import WebImage

extension NamedIcon {
    /// Draws the icon into `frame` with the colours that the style of `widget` has now.
    func draw(_ snapshot: OpaquePointer, in frame: PointRect, like widget: UnsafeMutablePointer<GtkWidget>) {
        let (width, height) = (frame.size.width, frame.size.height)
        var corner = graphene_point_t(x: Float(frame.x), y: Float(frame.y))
        gtk_snapshot_save(snapshot)
        gtk_snapshot_translate(snapshot, &corner)
        Icon.named(name).draw(snapshot, width: width, height: height, side: max(width, height), like: widget)
        gtk_snapshot_restore(snapshot)
    }

    /// The icon's pixels with those colours; nil when there is no memory for them.
    func bitmap(size: PointSize, like widget: UnsafeMutablePointer<GtkWidget>) -> Bitmap? {
        Bitmap.drawn(size: size, scale: Double(gtk_widget_get_scale_factor(widget))) {
            draw($0.pointer, in: PointRect(x: 0, y: 0, size: size), like: widget)
        }
    }
}
