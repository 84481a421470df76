import CGtk4

/// Tells developers once that loads of views outside of any window are in no order.
///
/// Not a warning: a view may well be put into its window afterwards.
enum WindowlessLoads {
    static let message =
        "a view that is in no window loads its picture at once, before it is known where it will be: put it into its window or "
        + "its list first, so that visible pictures come before others"

    /// Whether it has been told.
    static var isTold = false

    /// A load of `widget` begins.
    ///
    /// - Parameter isInMemory: Whether memory has its picture, so that there is nothing to load.
    static func note(_ widget: UnsafeMutablePointer<GtkWidget>, isInMemory: () -> Bool) {
        guard !isTold, gtk_widget_get_root(widget) == nil, !isInMemory() else { return }
        isTold = true
        writeDebugMessage(message)
    }
}
