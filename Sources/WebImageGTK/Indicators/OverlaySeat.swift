import CGtk4

/// Puts an indicator over a `GtkOverlay`, which draws its overlay children and asks for their position.
final class OverlaySeat: IndicatorSeat {
    private let overlay: UnsafeMutablePointer<GtkWidget>
    private let indicator: UnsafeMutablePointer<GtkWidget>
    private let handler: gulong

    init(_ indicator: UnsafeMutablePointer<GtkWidget>, over overlay: UnsafeMutablePointer<GtkWidget>) {
        self.overlay = overlay
        self.indicator = indicator
        let place: Place = { overlay, child, frame, indicator in
            guard let overlay, let child, child == indicator else { return 0 }
            frame?.pointee = child.indicatorFrame(
                width: gtk_widget_get_width(overlay), height: gtk_widget_get_height(overlay))
            return 1
        }
        handler = g_signal_connect_data(
            UnsafeMutableRawPointer(overlay), "get-child-position", unsafeBitCast(place, to: GCallback.self),
            UnsafeMutableRawPointer(indicator), nil, GConnectFlags(rawValue: 0))
        gtk_overlay_add_overlay(OpaquePointer(overlay), indicator)
    }

    func leave(_ isDestroyed: Bool) {
        g_signal_handler_disconnect(UnsafeMutableRawPointer(overlay), handler)
        if gtk_widget_get_parent(indicator) == overlay {
            gtk_overlay_remove_overlay(OpaquePointer(overlay), indicator)
        }
    }

    /// Fills in the child's position and returns whether it is known.
    private typealias Place =
        @convention(c) (
            UnsafeMutablePointer<GtkWidget>?, UnsafeMutablePointer<GtkWidget>?, UnsafeMutablePointer<GdkRectangle>?,
            UnsafeMutablePointer<GtkWidget>?
        ) -> gboolean
}
