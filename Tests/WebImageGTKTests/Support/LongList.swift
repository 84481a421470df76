import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting

@testable import WebImageGTK

/// A list or grid of pictures in a window, of which ten rows are seen.
@MainActor
final class LongList {
    /// The scroller that moves the list.
    enum Scroller {
        case scrolledWindow
        /// The list itself, or a viewport around it, in a widget that knows nothing of GTK's scrolling.
        case itself, viewport
    }

    static let itemSize = 50

    let loader = SuspendedLoader()
    let manager: WebImageManager
    let window = TestWindow.make()
    private var items: ItemList?
    private var scroller: UnsafeMutablePointer<GtkWidget>
    private let url: (Int) -> URL

    /// - Parameters:
    ///   - isBoundFirst: Whether the list has its model before it is in a window.
    ///   - manager: nil for one with the stage's own loader, which the test ends.
    ///   - bind: Binds a `GtkListItem`, in place of ``show(_:in:)``.
    ///   - place: Puts the list's scroller into the window's child, which it returns.
    init(
        _ kind: ItemList.Kind, count: Int = 500, height: Int32 = 500, in scroller: Scroller = .scrolledWindow,
        isBoundFirst: Bool = false, manager: WebImageManager? = nil,
        url: @escaping (Int) -> URL = { URL(filePath: "/pictures/\($0)") },
        itemSizes: @escaping (Int) -> Int32 = { _ in Int32(itemSize) },
        bind: (@MainActor (LongList, OpaquePointer, Int) -> Void)? = nil,
        place: (UnsafeMutablePointer<GtkWidget>) -> UnsafeMutablePointer<GtkWidget> = { $0 }
    ) {
        self.manager = manager ?? WebImageManager(cache: SuspendedCache(), loader: loader, coder: PosterCoder())
        self.url = url
        gtk_window_set_default_size(window.of(GtkWindow.self), 300, height)
        let outer = Self.makeScroller(scroller)
        self.scroller = outer
        if !isBoundFirst { gtk_window_set_child(window.of(GtkWindow.self), place(outer)) }
        let items = ItemList(kind, count: count, itemSizes: itemSizes) { [weak self] item, position in
            guard let self else { return }
            if let bind { bind(self, item, position) } else { show(position, in: item) }
        }
        self.items = items
        gtk_widget_add_css_class(items.widget, "plain")
        put(items.widget, into: outer, scroller)
        if isBoundFirst { gtk_window_set_child(window.of(GtkWindow.self), place(outer)) }
        // Tests hold the visible pictures back for as long as they like.
        loads?.patience = .seconds(3600)
        gtk_window_present(window.of(GtkWindow.self))
    }

    private static func makeScroller(_ kind: Scroller) -> UnsafeMutablePointer<GtkWidget> {
        guard kind == .scrolledWindow else { return RoomLayout.makeBox() }
        let scroller: UnsafeMutablePointer<GtkWidget> = gtk_scrolled_window_new()
        gtk_scrolled_window_set_policy(OpaquePointer(scroller), GTK_POLICY_NEVER, GTK_POLICY_EXTERNAL)
        return scroller
    }

    private func put(
        _ list: UnsafeMutablePointer<GtkWidget>, into outer: UnsafeMutablePointer<GtkWidget>, _ kind: Scroller
    ) {
        switch kind {
        case .scrolledWindow:
            gtk_scrolled_window_set_child(OpaquePointer(outer), list)
        case .itself:
            gtk_box_append(outer.of(GtkBox.self), list)
            scroller = list
        case .viewport:
            let viewport: UnsafeMutablePointer<GtkWidget> = gtk_viewport_new(nil, nil)
            gtk_viewport_set_child(OpaquePointer(viewport), list)
            gtk_box_append(outer.of(GtkBox.self), viewport)
            scroller = viewport
        }
    }

    var list: ItemList {
        guard let items else { preconditionFailure("GTK binds no cell before its list is made") }
        return items
    }

    /// Loads a picture into the `GtkPicture` of a list item.
    func show(_ number: Int, in item: OpaquePointer) {
        if gtk_list_item_get_child(item) == nil { gtk_list_item_set_child(item, gtk_picture_new()) }
        if let picture = gtk_list_item_get_child(item) { show(number, in: PictureView(picture)) }
    }

    /// Loads a picture.
    func show(_ number: Int, in view: some WidgetView) { view.setImage(with: url(number), context: context) }

    var context: WebImageContext {
        var context = WebImageContext()
        context.manager = manager
        return context
    }

    func close() { gtk_window_destroy(window.of(GtkWindow.self)) }

    /// The order of its loads.
    var loads: WindowLoads? { WindowLoads.around(list.widget) }

    /// The numbers of the pictures that the stage's own loader was asked for, in order.
    var asked: [String] { loader.loads.map(\.request.url.lastPathComponent) }

    func finishAll() {
        for load in loader.loads where !load.isEnded && !load.isCancelled { load.finish(Colour.red.file) }
    }

    /// The items whose widgets are mapped within the visible part.
    var seenItems: [Int] {
        list.bound.filter { widget, _ in
            var bounds = graphene_rect_t()
            guard gtk_widget_get_mapped(widget) != 0, gtk_widget_compute_bounds(widget, scroller, &bounds) != 0 else {
                return false
            }
            return bounds.origin.y + bounds.size.height > 0
                && bounds.origin.y < Float(gtk_widget_get_height(scroller)) && gtk_widget_get_height(scroller) > 0
        }.values.sorted()
    }

    var shown: [Int] { list.bound.filter { PictureView($0.key).image != nil }.values.sorted() }

    var shownCount: Int { list.bound.keys.count { PictureView($0).image != nil } }

    /// GTK makes no new cells for a jump beyond all that it has bound, but with the next movement: see
    /// ``GTKTestCase/jump(to:in:)``.
    func scroll(to position: Int) { gtk_adjustment_set_value(scroller.scrollAdjustments[1], Double(position)) }

    /// The end of what can be scrolled.
    var end: Int {
        let adjustment = scroller.scrollAdjustments[1]
        return Int(gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment))
    }

    func resize(height: Int32) { gtk_window_set_default_size(window.of(GtkWindow.self), 300, height) }
}

/// Gives a child all the room there is, however much it asks for: as an app's own scroller does.
@MainActor
enum RoomLayout {
    static func makeBox() -> UnsafeMutablePointer<GtkWidget> {
        let box: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        let layout = gtk_custom_layout_new(
            { _ in GTK_SIZE_REQUEST_CONSTANT_SIZE },
            { _, _, _, minimum, natural, _, _ in
                minimum?.pointee = 0
                natural?.pointee = 0
            },
            { widget, width, height, baseline in
                guard let child = gtk_widget_get_first_child(widget) else { return }
                // GTK warns about children that were not measured.
                for orientation in [GTK_ORIENTATION_HORIZONTAL, GTK_ORIENTATION_VERTICAL] {
                    _ = child.extent(orientation)
                }
                gtk_widget_allocate(child, width, height, baseline, nil)
            })
        gtk_widget_set_layout_manager(box, layout)
        return box
    }
}
