import CGtk4
import Foundation
import WebImage
import WebImageGTK

/// A grid of the pictures that the command line names, by addresses or paths; a click opens one in a browser.
@MainActor
final class Pictures: PhotoBrowserDataSource {
    static let shared = Pictures()
    static let columns: guint = 5

    let addresses = CommandLine.arguments.dropFirst().compactMap { argument in
        argument.contains("://") ? URL(string: argument) : URL(filePath: argument)
    }
    /// The views that are bound to a picture, by its index.
    var views: [Int: ListRowView] = [:]
    /// One for all clicks: it has loaded the originals.
    private(set) lazy var browser = PhotoBrowser(dataSource: self)

    func open(_ index: Int) {
        guard let view = views[index] else { return }
        browser.setCurrentPhotoIndex(index)
        browser.displayNavArrows = true
        browser.present(from: view)
    }

    func numberOfPhotos(in browser: PhotoBrowser) -> Int { addresses.count }

    func photoBrowser(_ browser: PhotoBrowser, photoAt index: Int) -> Photo? { Photo(url: addresses[index]) }

    func photoBrowser(_ browser: PhotoBrowser, thumbPhotoAt index: Int) -> Photo? {
        let thumbnail = Photo(url: addresses[index])
        thumbnail.context.decodeOptions.thumbnailPixelSize = PixelSize(width: 320, height: 320)
        return thumbnail
    }

    /// The photo flies back into the cell that shows it now.
    func photoBrowser(_ browser: PhotoBrowser, thumbnailViewAt index: Int) -> (any WidgetView)? { views[index] }
}

@MainActor
func bind(_ item: OpaquePointer) {
    guard let view = ListRowView(listItem: item) else { return }
    let index = Int(gtk_list_item_get_position(item))
    view.fixedSize = PointSize(width: 180, height: 180)
    view.contentFit = .cover
    view.imageTransition = .fade
    view.setImage(with: Pictures.shared.addresses[index])
    Pictures.shared.views[index] = view
}

@MainActor
func unbind(_ item: OpaquePointer) {
    let picture = gtk_list_item_get_child(item)
    Pictures.shared.views = Pictures.shared.views.filter { $0.value.widget != picture }
}

@MainActor
func makeGrid() -> UnsafeMutablePointer<GtkWidget>? {
    guard let factory = gtk_signal_list_item_factory_new() else { return nil }
    connect(factory, "bind") { (item: OpaquePointer) in bind(item) }
    connect(factory, "unbind") { (item: OpaquePointer) in unbind(item) }
    let items = gtk_string_list_new(nil)
    for address in Pictures.shared.addresses { gtk_string_list_append(items, address.absoluteString) }
    guard let grid = gtk_grid_view_new(gtk_no_selection_new(items), factory) else { return nil }
    gtk_grid_view_set_min_columns(cast(grid), Pictures.columns)
    gtk_grid_view_set_max_columns(cast(grid), Pictures.columns)
    gtk_grid_view_set_single_click_activate(cast(grid), 1)
    connect(grid, "activate") { (index: Int) in Pictures.shared.open(index) }
    // So that a click opens them at once.
    Pictures.shared.browser.prefetchOriginals(in: grid)
    return grid
}

@MainActor
func showWindow(of application: UnsafeMutablePointer<GtkApplication>) {
    let scroller = gtk_scrolled_window_new()
    gtk_scrolled_window_set_child(cast(scroller), makeGrid())
    // The browser lies over it.
    let overlay = gtk_overlay_new()
    gtk_overlay_set_child(cast(overlay), scroller)
    let window = gtk_application_window_new(application)
    gtk_window_set_title(cast(window), "Browser")
    gtk_window_set_default_size(cast(window), 960, 720)
    gtk_window_set_child(cast(window), overlay)
    gtk_window_present(cast(window))
}

guard !Pictures.shared.addresses.isEmpty else {
    FileHandle.standardError.write(Data("usage: Browser PICTURE…  (paths or addresses)\n".utf8))
    exit(2)
}
guard let application = gtk_application_new("org.example.Browser", G_APPLICATION_NON_UNIQUE) else { exit(1) }
connect(application, "activate") { showWindow(of: application) }
exit(g_application_run(cast(application), 0, nil))
