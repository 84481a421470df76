import CGtk4

/// Tells when a widget is moved by the scrollers that it lies in, as long as this object lives.
final class ScrollWatch {
    private let connections: [SignalConnection]

    /// nil when the widget lies in no scroller.
    init?(_ widget: UnsafeMutablePointer<GtkWidget>, moved: @escaping () -> Void) {
        let scrollers = widget.scrollers
        guard !scrollers.isEmpty else { return nil }
        connections = scrollers.flatMap { scroller in
            let window = OpaquePointer(scroller)
            let adjustments = [
                gtk_scrolled_window_get_hadjustment(window), gtk_scrolled_window_get_vadjustment(window),
            ]
            return adjustments.compactMap { $0 }.map { SignalConnection($0, "value-changed", moved) }
        }
    }
}
