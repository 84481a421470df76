import CGtk4

/// Puts an indicator over a `GtkOverlay`, which draws its overlay children and asks for their position.
final class OverlaySeat: IndicatorSeat {
    private let overlay: UnsafeMutablePointer<GtkWidget>
    private let indicator: UnsafeMutablePointer<GtkWidget>
    private let handler: gulong

    init(_ indicator: UnsafeMutablePointer<GtkWidget>, over overlay: UnsafeMutablePointer<GtkWidget>) {
        self.overlay = overlay
        self.indicator = indicator
        handler = connect(overlay, "get-child-position") {
            (child: UnsafeMutablePointer<GtkWidget>, frame: UnsafeMutablePointer<GdkRectangle>) in
            guard child == indicator else { return false }
            frame.pointee = child.indicatorFrame(
                width: gtk_widget_get_width(overlay), height: gtk_widget_get_height(overlay))
            return true
        }
        gtk_overlay_add_overlay(OpaquePointer(overlay), indicator)
    }

    func leave(_ isDestroyed: Bool) {
        g_signal_handler_disconnect(UnsafeMutableRawPointer(overlay), handler)
        if gtk_widget_get_parent(indicator) == overlay {
            gtk_overlay_remove_overlay(OpaquePointer(overlay), indicator)
        }
    }
}
