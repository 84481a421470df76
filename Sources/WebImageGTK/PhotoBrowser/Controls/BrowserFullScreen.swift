import CGtk4

/// Makes the window that a browser is in full-screen, and gives it back as it was.
final class BrowserFullScreen {
    private let widget: UnsafeMutablePointer<GtkWidget>
    /// Whether the browser has made the window full-screen.
    private(set) var isOn = false
    /// The window that the widget is in, and leaves before it is freed.
    private var watched: (window: UnsafeMutablePointer<GtkWindow>, connections: SignalConnections)?

    init(of widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    isolated deinit {
        leave()
        watched?.connections.cut()
    }

    /// The widget is in another window, or in none. The window manager may end the full screen, too.
    func watchWindow() {
        leave()
        watched?.connections.cut()
        watched = widget.window.map { window in
            let connections = SignalConnections(window)
            connections.add("notify::fullscreened") { [weak self] in
                if gtk_window_is_fullscreen(window) == 0 { self?.isOn = false }
            }
            return (window, connections)
        }
    }

    func toggle() {
        guard let window = widget.window else { return }
        isOn = gtk_window_is_fullscreen(window) == 0
        isOn ? gtk_window_fullscreen(window) : gtk_window_unfullscreen(window)
    }

    /// The window becomes what it was before the browser has filled the screen.
    func leave() {
        guard isOn else { return }
        isOn = false
        guard let window = watched?.window else { return }
        let object: UnsafeMutablePointer<GtkWidget> = cast(window)
        if gtk_widget_in_destruction(object) == 0 { gtk_window_unfullscreen(window) }
    }
}
