import CGtk4
import Foundation
import WebImage
import WebImageGTK

/// A grid of the pictures that the command line names, by addresses or paths; a click opens one in a browser.
@MainActor
final class Pictures: PhotoBrowserDataSource {
    static let shared = Pictures()
    static let columns = 5

    let addresses = CommandLine.arguments.dropFirst().compactMap { argument in
        argument.contains("://") ? URL(string: argument) : URL(filePath: argument)
    }
    /// The views on the screen, by their widgets.
    var visible: [UnsafeMutablePointer<GtkWidget>: Int] = [:]
    /// One for all clicks: it has loaded the originals.
    private lazy var browser = PhotoBrowser(dataSource: self)

    func open(_ widget: UnsafeMutablePointer<GtkWidget>, at index: Int) {
        browser.setCurrentPhotoIndex(index)
        browser.displayNavArrows = true
        browser.present(from: PictureView(widget))
    }

    /// Loads the originals of what is seen, so that a click opens them at once.
    func prefetchOriginals(in scroller: UnsafeMutablePointer<GtkWidget>) {
        let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller))
        let rowCount = (addresses.count + Self.columns - 1) / Self.columns
        let height = gtk_adjustment_get_upper(adjustment) / Double(rowCount)
        guard height > 0 else { return }
        let (top, page) = (gtk_adjustment_get_value(adjustment), gtk_adjustment_get_page_size(adjustment))
        let (first, end) = (Int(top / height), Int(((top + page) / height).rounded(.up)))
        let shown = first * Self.columns..<max(first, end) * Self.columns
        browser.prefetchOriginals(of: shown.clamped(to: 0..<addresses.count), in: scroller)
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

let scroll: @convention(c) (gpointer?, gpointer?) -> Void = { _, scroller in
    MainActor.assumeIsolated {
        guard let scroller = scroller?.assumingMemoryBound(to: GtkWidget.self) else { return }
        Pictures.shared.prefetchOriginals(in: scroller)
    }
}

@MainActor
func connect(_ object: OpaquePointer?, _ signal: String, _ handler: GCallback, _ data: gpointer? = nil) {
    g_signal_connect_data(UnsafeMutableRawPointer(object), signal, handler, data, nil, G_CONNECT_DEFAULT)
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
    gtk_grid_view_set_min_columns(OpaquePointer(grid), guint(Pictures.columns))
    gtk_grid_view_set_max_columns(OpaquePointer(grid), guint(Pictures.columns))
    gtk_grid_view_set_single_click_activate(OpaquePointer(grid), 1)
    connect(OpaquePointer(grid), "activate", unsafeBitCast(open, to: GCallback.self))
    let scroller = gtk_scrolled_window_new()
    gtk_scrolled_window_set_child(OpaquePointer(scroller), grid)
    let adjustment = OpaquePointer(gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller)))
    for signal in ["changed", "value-changed"] {
        connect(adjustment, signal, unsafeBitCast(scroll, to: GCallback.self), scroller)
    }
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
guard !Pictures.shared.addresses.isEmpty else {
    FileHandle.standardError.write(Data("usage: Browser PICTURE…  (paths or addresses)\n".utf8))
    exit(2)
}
guard let application = gtk_application_new("org.example.Browser", G_APPLICATION_NON_UNIQUE) else { exit(1) }
g_signal_connect_data(
    application, "activate", unsafeBitCast(activate, to: GCallback.self), nil, nil, G_CONNECT_DEFAULT)
let status = application.withMemoryRebound(to: GApplication.self, capacity: 1) { g_application_run($0, 0, nil) }
exit(status)
