import CGtk4
import Foundation
import WebImage
import WebImageGTK

/// A handler of the signals of a list's factory.
typealias ListItemHandler = @convention(c) (gpointer?, OpaquePointer?, gpointer?) -> Void

let addresses = Array(CommandLine.arguments.dropFirst())
/// Each row draws these in the colour of its text.
var silhouette: Image?
var missing: Image?

/// Makes a row: a round picture and a text.
let setUp: ListItemHandler = { _, item, _ in
    MainActor.assumeIsolated {
        let avatar = WebImageView(size: PointSize(width: 48, height: 48))
        avatar.contentFit = .cover
        avatar.cornerRadius = 24
        avatar.imageTransition = .fade
        let row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
        row?.withMemoryRebound(to: GtkBox.self, capacity: 1) { box in
            gtk_box_append(box, avatar.widget)
            gtk_box_append(box, gtk_label_new(nil))
        }
        gtk_list_item_set_child(item, row)
    }
}

/// Shows another item in a row, which GTK uses again and again.
let bind: ListItemHandler = { _, item, _ in
    MainActor.assumeIsolated {
        guard let item, let avatar = ListRowView(listItem: item) else { return }
        let address = addresses[Int(gtk_list_item_get_position(item))]
        var context = WebImageContext()
        context.errorImage = missing
        avatar.setImage(with: address, placeholder: silhouette, context: context)
        gtk_label_set_text(OpaquePointer(gtk_widget_get_next_sibling(avatar.widget)), address)
    }
}

@MainActor
func makeList() -> UnsafeMutablePointer<GtkWidget>? {
    let items = gtk_string_list_new(nil)
    for address in addresses { gtk_string_list_append(items, address) }
    let factory = gtk_signal_list_item_factory_new()
    for (signal, handler) in [("setup", setUp), ("bind", bind)] {
        g_signal_connect_data(
            UnsafeMutableRawPointer(factory), signal, unsafeBitCast(handler, to: GCallback.self), nil, nil,
            G_CONNECT_DEFAULT)
    }
    return gtk_list_view_new(gtk_no_selection_new(items), factory)
}

@MainActor
func showWindow(of application: UnsafeMutablePointer<GtkApplication>) {
    guard let list = makeList() else { return }
    silhouette = Image(iconNamed: "avatar-default-symbolic", size: 32, for: list)
    missing = Image(iconNamed: "image-missing-symbolic", size: 32, for: list)
    // What is visible comes first; then one screen behind it and three ahead.
    PictureList(list).loadWindow = LoadWindow(behind: 1, ahead: 3)

    let scroller = gtk_scrolled_window_new()
    gtk_scrolled_window_set_child(OpaquePointer(scroller), list)
    let window = gtk_application_window_new(application)
    window?.withMemoryRebound(to: GtkWindow.self, capacity: 1) { window in
        gtk_window_set_title(window, "List")
        gtk_window_set_default_size(window, 480, 640)
        gtk_window_set_child(window, scroller)
        gtk_window_present(window)
    }
}

let activate: @convention(c) (UnsafeMutablePointer<GtkApplication>, gpointer?) -> Void = { application, _ in
    MainActor.assumeIsolated { showWindow(of: application) }
}
guard let application = gtk_application_new("org.example.List", G_APPLICATION_NON_UNIQUE) else { exit(1) }
g_signal_connect_data(
    application, "activate", unsafeBitCast(activate, to: GCallback.self), nil, nil, G_CONNECT_DEFAULT)
let status = application.withMemoryRebound(to: GApplication.self, capacity: 1) { g_application_run($0, 0, nil) }
exit(status)
