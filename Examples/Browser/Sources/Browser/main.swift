import CGtk4
import Foundation
import WebImage
import WebImageGTK

/// A grid of the pictures whose addresses are on the command line; a click opens one in a browser.
@MainActor
final class Pictures: PhotoBrowserDataSource {
    static let shared = Pictures()

    let addresses = CommandLine.arguments.dropFirst().compactMap { URL(string: $0) }
    /// The views on the screen, by their widgets.
    var visible: [UnsafeMutablePointer<GtkWidget>: Int] = [:]
    private var browser: PhotoBrowser?

    func open(_ widget: UnsafeMutablePointer<GtkWidget>, at index: Int) {
        let browser = PhotoBrowser(dataSource: self)
        browser.setCurrentPhotoIndex(index)
        browser.displayNavArrows = true
        browser.present(from: PictureView(widget))
        self.browser = browser
    }

    func numberOfPhotos(in browser: PhotoBrowser) -> Int { addresses.count }

    func photoBrowser(_ browser: PhotoBrowser, photoAt index: Int) -> Photo? { Photo(url: addresses[index]) }

    func photoBrowser(_ browser: PhotoBrowser, thumbPhotoAt index: Int) -> Photo? {
        let thumbnail = Photo(url: addresses[index])
        thumbnail.context.decodeOptions.thumbnailPixelSize = PixelSize(width: 320, height: 320)
        return thumbnail
    }

    /// The photo flies back into the cell that shows it now.
    func photoBrowser(_ browser: PhotoBrowser, thumbnailViewAt index: Int) -> (any WidgetView)? {
        visible.first { $0.value == index }.map { PictureView($0.key) }
    }
}

/// A handler of the signals of the grid's factory.
typealias ItemHandler = @convention(c) (gpointer?, OpaquePointer?, gpointer?) -> Void

let setUp: ItemHandler = { _, item, _ in
    MainActor.assumeIsolated {
        guard let picture = gtk_picture_new() else { return }
        let view = PictureView(picture)
        view.fixedSize = PointSize(width: 180, height: 180)
        view.contentFit = .cover
        view.imageTransition = .fade
        gtk_list_item_set_child(item, picture)
    }
}

let bind: ItemHandler = { _, item, _ in
    MainActor.assumeIsolated {
        guard let item, let picture = gtk_list_item_get_child(item) else { return }
        let index = Int(gtk_list_item_get_position(item))
        Pictures.shared.visible[picture] = index
        PictureView(picture).setImage(with: Pictures.shared.addresses[index])
    }
}

let unbind: ItemHandler = { _, item, _ in
    MainActor.assumeIsolated {
        guard let item, let picture = gtk_list_item_get_child(item) else { return }
        Pictures.shared.visible[picture] = nil
    }
}

let open: @convention(c) (gpointer?, guint, gpointer?) -> Void = { _, index, _ in
    MainActor.assumeIsolated {
        let pictures = Pictures.shared
        guard let cell = pictures.visible.first(where: { $0.value == Int(index) }) else { return }
        pictures.open(cell.key, at: Int(index))
    }
}

@MainActor
func connect(_ object: OpaquePointer?, _ signal: String, _ handler: GCallback) {
    g_signal_connect_data(UnsafeMutableRawPointer(object), signal, handler, nil, nil, G_CONNECT_DEFAULT)
}

@MainActor
func showWindow(of application: UnsafeMutablePointer<GtkApplication>) {
    let items = gtk_string_list_new(nil)
    for address in Pictures.shared.addresses { gtk_string_list_append(items, address.absoluteString) }
    let factory = gtk_signal_list_item_factory_new()
    for (signal, handler) in [("setup", setUp), ("bind", bind), ("unbind", unbind)] {
        connect(factory, signal, unsafeBitCast(handler, to: GCallback.self))
    }
    let grid = gtk_grid_view_new(gtk_no_selection_new(items), factory)
    gtk_grid_view_set_single_click_activate(OpaquePointer(grid), 1)
    connect(OpaquePointer(grid), "activate", unsafeBitCast(open, to: GCallback.self))
    let scroller = gtk_scrolled_window_new()
    gtk_scrolled_window_set_child(OpaquePointer(scroller), grid)
    // The browser lies over it.
    let overlay = gtk_overlay_new()
    gtk_overlay_set_child(OpaquePointer(overlay), scroller)
    let window = gtk_application_window_new(application)
    window?.withMemoryRebound(to: GtkWindow.self, capacity: 1) { window in
        gtk_window_set_title(window, "Browser")
        gtk_window_set_default_size(window, 960, 720)
        gtk_window_set_child(window, overlay)
        gtk_window_present(window)
    }
}

let activate: @convention(c) (UnsafeMutablePointer<GtkApplication>, gpointer?) -> Void = { application, _ in
    MainActor.assumeIsolated { showWindow(of: application) }
}
guard let application = gtk_application_new("org.example.Browser", G_APPLICATION_NON_UNIQUE) else { exit(1) }
g_signal_connect_data(
    application, "activate", unsafeBitCast(activate, to: GCallback.self), nil, nil, G_CONNECT_DEFAULT)
let status = application.withMemoryRebound(to: GApplication.self, capacity: 1) { g_application_run($0, 0, nil) }
exit(status)
