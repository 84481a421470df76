import CGtk4

/// Reports, as long as it lives, that the scrollers around a widget move it.
final class ScrollWatch {
    private let connections: [SignalConnection]

    /// nil when the widget is in no scroller.
    init?(_ widget: UnsafeMutablePointer<GtkWidget>, moved: @escaping () -> Void) {
        let scrollers = widget.scrollers
        guard !scrollers.isEmpty else { return nil }
        connections = scrollers.flatMap(\.scrollAdjustments).map { SignalConnection($0, "value-changed", moved) }
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// The horizontal and the vertical position of a scrolled window, or of a widget that scrolls by itself.
    var scrollAdjustments: [UnsafeMutablePointer<GtkAdjustment>] {
        let scroller = OpaquePointer(self)
        let adjustments =
            isScrollable
            ? [gtk_scrollable_get_hadjustment(scroller), gtk_scrollable_get_vadjustment(scroller)]
            : [gtk_scrolled_window_get_hadjustment(scroller), gtk_scrolled_window_get_vadjustment(scroller)]
        return adjustments.compactMap(\.self)
    }
}
