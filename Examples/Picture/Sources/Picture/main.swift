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
    gtk_window_set_title(cast(window), "Picture")
    gtk_window_set_default_size(cast(window), 800, 600)
    gtk_window_set_child(cast(window), view.widget)
    gtk_window_present(cast(window))
}

guard let application = gtk_application_new("org.example.Picture", G_APPLICATION_NON_UNIQUE) else { exit(1) }
connect(application, "activate") { showWindow(of: application) }
exit(g_application_run(cast(application), 0, nil))
