import CGtk4

/// Tells when a widget is moved by the scrollers that it lies in, as long as this object lives.
final class ScrollWatch {
    private let connections: [SignalConnection]

    /// nil when the widget lies in no scroller.
    init?(_ widget: UnsafeMutablePointer<GtkWidget>, moved: @escaping () -> Void) {
        let scrollers = widget.scrollers
        guard !scrollers.isEmpty else { return nil }
        connections = scrollers.flatMap(\.scrollAdjustments).map { SignalConnection($0, "value-changed", moved) }
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// What says where a scrolled window stands, across and down.
    var scrollAdjustments: [UnsafeMutablePointer<GtkAdjustment>] {
        let scroller = OpaquePointer(self)
        return [gtk_scrolled_window_get_hadjustment(scroller), gtk_scrolled_window_get_vadjustment(scroller)]
            .compactMap(\.self)
    }
}
