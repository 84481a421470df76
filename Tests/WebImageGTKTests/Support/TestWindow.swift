import CGtk4

@testable import WebImageGTK

/// Windows without a title bar, which takes room from the content where the compositor draws none.
@MainActor
enum TestWindow {
    static func make() -> UnsafeMutablePointer<GtkWidget> {
        let window: UnsafeMutablePointer<GtkWidget> = gtk_window_new()
        gtk_window_set_decorated(window.of(GtkWindow.self), 0)
        return window
    }
}
