import CGtk4
import WebImage

/// The grid of all thumbnails of a browser.
final class PhotoGrid {
    let widget: UnsafeMutablePointer<GtkWidget> = gtk_scrolled_window_new()
    let view: UnsafeMutablePointer<GtkWidget>
    private unowned let browser: PhotoBrowser
    private let model: OpaquePointer
    private var columns = GridColumns(width: 0, height: 0)
    private var cells: [Weak] = []
    private var originals: OriginalPrefetcher?
    /// The position to which it was scrolled; nil before.
    private var position: Double?
    /// The index of the photo that it has scrolled to last.
    private var current: Int?
    private var placement = Placement.done

    /// Of a grid that was hidden: it scrolls to where it was.
    private enum Placement {
        /// Once it is laid out.
        case awaited
        /// In the next frames.
        case begun
        case done
    }

    private struct Weak {
        weak var cell: PhotoGridCell?
    }

    init(_ browser: PhotoBrowser) {
        self.browser = browser
        model = gtk_string_list_new(nil)
        let factory: OpaquePointer = gtk_signal_list_item_factory_new()
        // The selection takes the model, and the grid takes both.
        view = gtk_grid_view_new(gtk_no_selection_new(model), factory)
        gtk_grid_view_set_single_click_activate(OpaquePointer(view), 1)
        gtk_scrolled_window_set_child(OpaquePointer(widget), view)
        gtk_scrolled_window_set_policy(OpaquePointer(widget), GTK_POLICY_EXTERNAL, GTK_POLICY_AUTOMATIC)
        gtk_widget_add_css_class(widget, "grid")
        for part in [widget, view] {
            gtk_widget_set_hexpand(part, 1)
            gtk_widget_set_vexpand(part, 1)
        }
        view.setAccessibleLabel("Photos")
        connectFactory(factory)
        connect(view, "activate") { [weak self] (index: Int) in self?.browser.open(index) }
        watchScrolling()
        reload()
    }

    /// The cells that show a photo now.
    var liveCells: [PhotoGridCell] { cells.compactMap(\.cell) }

    func cell(at index: Int) -> PhotoGridCell? {
        liveCells.first { $0.index == index && gtk_widget_get_mapped($0.picture) != 0 }
    }

    /// Lets go of all photos, before they are asked for again.
    func letGo() {
        for cell in liveCells { cell.letGo() }
        originals?.stop()
        originals = nil
    }

    /// The number of photos, or what they are, has changed.
    func reload() {
        setCount(browser.numberOfPhotos)
        for cell in liveCells where cell.index >= 0 { cell.bind(cell.index, of: browser) }
        if browser.isGridVisible { beginInNextFrame() }
    }

    /// Adds or removes items at the end only: a list all of whose items change forgets where it is scrolled to.
    private func setCount(_ count: Int) {
        let former = Int(g_list_model_get_n_items(model))
        let kept = min(count, former)
        // The items are positions only, so that one name does for all.
        "photo".withCString { name in
            let names = [UnsafePointer<CChar>?](repeating: name, count: count - kept) + [nil]
            gtk_string_list_splice(model, guint(kept), guint(former - kept), names)
        }
    }

    /// The grid is being hidden: a hidden list forgets where it is, and no original is needed before the one that opens.
    func willHide() {
        originals?.stop()
        guard placement == .done else { return }
        position = gtk_scrolled_window_get_vadjustment(OpaquePointer(widget)).map { gtk_adjustment_get_value($0) }
    }

    /// The grid becomes visible: it scrolls to where it was as soon as it is laid out.
    func willShow() {
        placement = .awaited
        beginInNextFrame()
    }

    /// If the layout has not changed, no signal comes: this call begins the loads.
    private func beginInNextFrame() {
        FrameTicks.next(of: widget) { [weak self] in
            guard let self, let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(widget)) else { return }
            place(adjustment)
            prefetchOriginals(adjustment)
        }
    }

    private func place(_ adjustment: UnsafeMutablePointer<GtkAdjustment>) {
        guard placement == .awaited, browser.isGridVisible, gtk_adjustment_get_page_size(adjustment) > 0 else { return }
        placement = .begun
        // The list is in the middle of its layout.
        FrameTicks.next(of: widget) { [weak self] in
            guard let self, browser.isGridVisible else { return }
            // The list knows its length only around what it shows.
            gtk_widget_activate_action_variant(
                view, "list.scroll-to-item", g_variant_new_uint32(guint(browser.pages.deck.index)))
            FrameTicks.next(of: widget) { [weak self] in self?.returnToPosition(adjustment) }
        }
    }

    private func returnToPosition(_ adjustment: UnsafeMutablePointer<GtkAdjustment>) {
        guard placement == .begun, browser.isGridVisible else { return }
        if let position { gtk_adjustment_set_value(adjustment, position) }
        showCurrent()
        placement = .done
        prefetchOriginals(adjustment)
    }

    /// A grid that is loaded again stays where it is, as long as the current photo has the same index.
    func currentHasChanged() {
        if browser.pages.deck.index != current { showCurrent() }
    }

    /// Scrolls so that the current photo is visible.
    func showCurrent() {
        current = browser.pages.deck.index
        guard browser.isGridVisible, let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(widget)) else {
            return
        }
        let row = Double(browser.pages.deck.index / columns.count)
        let height = Double(columns.side) + GridColumns.gutter
        let (value, page) = (gtk_adjustment_get_value(adjustment), gtk_adjustment_get_page_size(adjustment))
        guard page > 0 else { return }
        if row * height < value { gtk_adjustment_set_value(adjustment, row * height) }
        if (row + 1) * height > value + page { gtk_adjustment_set_value(adjustment, (row + 1) * height - page) }
    }

    /// Lays the cells out in a view of another size.
    func resize(width: Double, height: Double) {
        let columns = GridColumns(width: width, height: height)
        guard width > 0, columns != self.columns else { return }
        self.columns = columns
        gtk_grid_view_set_min_columns(OpaquePointer(view), guint(columns.count))
        gtk_grid_view_set_max_columns(OpaquePointer(view), guint(columns.count))
        for cell in liveCells { cell.setSide(columns.side) }
    }

    func updateSelection() {
        for cell in liveCells { cell.updateSelection(browser) }
    }

    // MARK: Cells

    private func connectFactory(_ factory: OpaquePointer) {
        connect(factory, "setup") { [weak self] (item: OpaquePointer) in
            let cell = PhotoGridCell()
            gtk_list_item_set_child(item, cell.widget)
            self?.cells.removeAll { $0.cell == nil }
            self?.cells.append(Weak(cell: cell))
        }
        connect(factory, "bind") { [weak self] (item: OpaquePointer) in
            guard let self, let cell = PhotoGridCell.of(item) else { return }
            cell.setSide(columns.side)
            cell.bind(Int(gtk_list_item_get_position(item)), of: browser)
        }
        connect(factory, "unbind") { (item: OpaquePointer) in PhotoGridCell.of(item)?.unbind() }
    }

    // MARK: Originals

    private func watchScrolling() {
        guard let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(widget)) else { return }
        for signal in ["value-changed", "changed"] {
            connect(UnsafeMutableRawPointer(adjustment), signal) { [weak self] in
                self?.place(adjustment)
                self?.prefetchOriginals(adjustment)
            }
        }
        if let across = gtk_scrolled_window_get_hadjustment(OpaquePointer(widget)) {
            connect(UnsafeMutableRawPointer(across), "notify::page-size") { [weak self] in
                guard let self else { return }
                // The columns must not change during the layout of the grid.
                FrameTicks.next(of: widget) { [weak self] in
                    guard let self else { return }
                    resize(
                        width: Double(gtk_widget_get_width(widget)), height: Double(gtk_widget_get_height(widget)))
                }
            }
        }
    }

    /// Loads the originals of the thumbnails that are visible or near, at the size of a page: a click then opens the
    /// original.
    private func prefetchOriginals(_ adjustment: UnsafeMutablePointer<GtkAdjustment>) {
        guard browser.handoffStrategy == .prefetchedOriginal, browser.isGridVisible, placement == .done,
            columns.side > 1
        else { return }
        let height = Double(columns.side) + GridColumns.gutter
        let (value, page) = (gtk_adjustment_get_value(adjustment), gtk_adjustment_get_page_size(adjustment))
        let count = browser.numberOfPhotos
        let first = min(count, max(0, Int(value / height)) * columns.count)
        let last = min(count, max(0, Int(((value + page) / height).rounded(.up))) * columns.count)
        prefetcher.show(first..<max(first, last), itemCount: count)
    }

    private var prefetcher: OriginalPrefetcher {
        if let originals { return originals }
        let made = OriginalPrefetcher { [weak browser] index in
            guard let browser, let photo = browser.originalPhoto(at: index) else { return nil }
            return (photo, browser.pages.deck.pixels)
        }
        originals = made
        return made
    }
}
