import CGtk4

/// A window of the browser's own.
final class WindowSeat: BrowserSeat {
    private let window: UnsafeMutablePointer<GtkWidget> = gtk_window_new()
    private let finish: () -> Void
    private var isClosed = false

    /// - Parameters:
    ///   - parent: The window that it belongs to; nil for none.
    ///   - finish: Called when the person closes the window.
    init(over parent: UnsafeMutablePointer<GtkWindow>?, finish: @escaping () -> Void) {
        self.finish = finish
        gtk_window_set_title(cast(window), "Photos")
        gtk_window_set_default_size(cast(window), 1000, 750)
        if let parent {
            gtk_window_set_transient_for(cast(window), parent)
            gtk_window_set_destroy_with_parent(cast(window), 1)
            if let application = gtk_window_get_application(parent) {
                gtk_window_set_application(cast(window), application)
            }
        }
        connect(window, "close-request") { [weak self] in
            self?.finish()
            return true
        }
        connect(UnsafeMutableRawPointer(window), "destroy") { [weak self] in self?.isClosed = true }
    }

    func take(_ widget: UnsafeMutablePointer<GtkWidget>) {
        gtk_window_set_child(cast(window), widget)
        gtk_window_present(cast(window))
    }

    func giveBack(_ widget: UnsafeMutablePointer<GtkWidget>) {
        guard !isClosed else { return }
        isClosed = true
        gtk_window_set_child(cast(window), nil)
        gtk_window_destroy(cast(window))
    }
}
