import CGtk4
import Foundation
import WebImageGTK

/// One picture from the web, in a window of its own.
@MainActor
func showWindow(of application: UnsafeMutablePointer<GtkApplication>) {
    let view = WebImageView()
    view.imageTransition = .fade
    view.imageIndicator = ActivityIndicator.large
    view.onLoad = { result in
        if case .failure(let error) = result { print(error) }
    }
    view.url = CommandLine.arguments.dropFirst().first.flatMap { URL(string: $0) }

    let window = gtk_application_window_new(application)
    window?.withMemoryRebound(to: GtkWindow.self, capacity: 1) { window in
        gtk_window_set_title(window, "Picture")
        gtk_window_set_default_size(window, 800, 600)
        gtk_window_set_child(window, view.widget)
        gtk_window_present(window)
    }
}

let activate: @convention(c) (UnsafeMutablePointer<GtkApplication>, gpointer?) -> Void = { application, _ in
    MainActor.assumeIsolated { showWindow(of: application) }
}
guard let application = gtk_application_new("org.example.Picture", G_APPLICATION_NON_UNIQUE) else { exit(1) }
g_signal_connect_data(
    application, "activate", unsafeBitCast(activate, to: GCallback.self), nil, nil, G_CONNECT_DEFAULT)
let status = application.withMemoryRebound(to: GApplication.self, capacity: 1) { g_application_run($0, 0, nil) }
exit(status)
