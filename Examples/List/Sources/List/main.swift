import CGtk4
import Foundation
import WebImage
import WebImageGTK

let addresses = Array(CommandLine.arguments.dropFirst())
/// Each row draws these in the colour of its text.
var silhouette: Image?
var missing: Image?

/// Makes a row: a round picture and a text.
@MainActor
func setUp(_ item: OpaquePointer) {
    let avatar = WebImageView(size: PointSize(width: 48, height: 48))
    avatar.contentFit = .cover
    avatar.cornerRadius = 24
    avatar.imageTransition = .fade
    avatar.errorImage = missing
    let row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
    gtk_box_append(cast(row), avatar.widget)
    gtk_box_append(cast(row), gtk_label_new(nil))
    gtk_list_item_set_child(item, row)
}

/// Shows another item in a row, which GTK uses again and again.
@MainActor
func bind(_ item: OpaquePointer) {
    guard let avatar = ListRowView(listItem: item) else { return }
    let address = addresses[Int(gtk_list_item_get_position(item))]
    avatar.setImage(with: address, placeholder: silhouette)
    gtk_label_set_text(cast(gtk_widget_get_next_sibling(avatar.widget)), address)
}

@MainActor
func makeList() -> UnsafeMutablePointer<GtkWidget>? {
    guard let factory = gtk_signal_list_item_factory_new() else { return nil }
    let items = gtk_string_list_new(nil)
    for address in addresses { gtk_string_list_append(items, address) }
    connect(factory, "setup") { (item: OpaquePointer) in setUp(item) }
    connect(factory, "bind") { (item: OpaquePointer) in bind(item) }
    return gtk_list_view_new(gtk_no_selection_new(items), factory)
}

@MainActor
func showWindow(of application: UnsafeMutablePointer<GtkApplication>) {
    guard let list = makeList() else { return }
    silhouette = Image(iconNamed: "avatar-default-symbolic", size: 32, for: list)
    missing = Image(iconNamed: "image-missing-symbolic", size: 32, for: list)
    // Visible pictures come first; then one screen behind them and three ahead.
    PictureList(list).loadWindow = LoadWindow(behind: 1, ahead: 3)

    let scroller = gtk_scrolled_window_new()
    gtk_scrolled_window_set_child(cast(scroller), list)
    let window = gtk_application_window_new(application)
    gtk_window_set_title(cast(window), "List")
    gtk_window_set_default_size(cast(window), 480, 640)
    gtk_window_set_child(cast(window), scroller)
    gtk_window_present(cast(window))
}

guard let application = gtk_application_new("org.example.List", G_APPLICATION_NON_UNIQUE) else { exit(1) }
connect(application, "activate") { showWindow(of: application) }
exit(g_application_run(cast(application), 0, nil))
