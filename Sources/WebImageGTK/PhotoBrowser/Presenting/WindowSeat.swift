import CGtk4

/// A window of the browser's own.
final class WindowSeat: BrowserSeat {
    private let window: UnsafeMutablePointer<GtkWidget> = gtk_window_new()
    private let finish: () -> Void
    private var isClosed = false

    /// - Parameters:
    ///   - parent: The window that it belongs to; nil for none.
    ///   - finish: Called when the person closes the window.
    init(title: String, over parent: UnsafeMutablePointer<GtkWindow>?, finish: @escaping () -> Void) {
        self.finish = finish
        gtk_window_set_title(gtkWindow, title)
        gtk_window_set_default_size(gtkWindow, 1000, 750)
        if let parent {
            gtk_window_set_transient_for(gtkWindow, parent)
            gtk_window_set_destroy_with_parent(gtkWindow, 1)
            if let application = gtk_window_get_application(parent) {
                gtk_window_set_application(gtkWindow, application)
            }
        }
        connect(window, "close-request") { [weak self] in
            self?.finish()
            return true
        }
        connect(UnsafeMutableRawPointer(window), "destroy") { [weak self] in self?.isClosed = true }
    }

    private var gtkWindow: UnsafeMutablePointer<GtkWindow> {
        cast(window)
    }

    func take(_ widget: UnsafeMutablePointer<GtkWidget>) {
        gtk_window_set_child(gtkWindow, widget)
        gtk_window_present(gtkWindow)
    }

    func giveBack(_ widget: UnsafeMutablePointer<GtkWidget>) {
        guard !isClosed else { return }
        isClosed = true
        gtk_window_set_child(gtkWindow, nil)
        gtk_window_destroy(gtkWindow)
    }
}
