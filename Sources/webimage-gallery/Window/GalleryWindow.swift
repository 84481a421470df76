import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK

/// The window: a header bar, the grid, and the status line.
final class GalleryWindow {
    let window: Widget
    private(set) var statistics = GalleryStatistics()
    let pages: GalleryPages
    let header = GalleryHeader()
    /// The first page.
    var grid: PictureGrid { pages[.pictures] }
    private let cellCount: Int?
    let status: StatusLine
    let cache: ImageCache
    let manager: WebImageManager
    private(set) var shelf = PictureShelf()
    private var place = ""
    /// The picture at the top of the first page; nil for the first one. Stays when the window goes.
    var top: URL?
    /// Called with files and folders that were dropped onto the window.
    var dropped: ([PictureSource]) -> Void = { _ in }
    /// Called after a change of what is remembered.
    var changed: () -> Void = {}
    /// Called when everything is to be read again.
    var refreshed: () -> Void = {}
    /// Called when the window goes, with its widgets.
    var closed: () -> Void = {}
    private var settings: SettingsWindow?
    private(set) var dropSign: DropSign?

    init(
        _ application: UnsafeMutablePointer<GtkApplication>, _ options: GalleryOptions, manager: WebImageManager,
        cache: ImageCache, state: GalleryState = GalleryState()
    ) {
        cellCount = options.cells
        window = gtk_application_window_new(application)
        self.cache = cache
        self.manager = manager
        let context = WebImageContext(ofGallery: manager)
        let status = StatusLine()
        self.status = status
        var count: ((Result<LoadResult, WebImageError>) -> Void)?
        let loadOptions: WebImageOptions = options.isEager ? [] : .lowPriority
        pages = GalleryPages(first: options.firstPage, context: context) {
            PictureGrid(width: state.width, options: loadOptions, context: context) { count?($0) }
        }
        size = (state.width, state.height)
        order = state.order
        transition = state.transition
        count = { [weak self] result in
            guard let self else { return }
            statistics.count(result)
            status.show(statistics)
        }
        shelf.order = order
        build(state)
        WindowActions(window, application).addAll(to: self)
        grid.scrolled = { [weak self] in self?.noteTop() }
    }

    /// Shows pictures, and their source in the header.
    func show(_ urls: [URL], from place: String) {
        show(urls.enumerated().map { GalleryItem(url: $1, number: $0) }, from: place)
    }

    /// Shows pictures, whose numbers are their indices, and their source in the header; without any, a message. The one at
    /// the top stays there, if it is one of them.
    func show(_ items: [GalleryItem], from place: String, message: String? = nil) {
        note(items, place, message)
        change(from: { [top] in $0.url == top }) { $0.all = repeated(items) }
        focusPictures()
    }

    /// Shows other pictures of the same sources: what stays keeps its place, also in the browser.
    ///
    /// - Parameter changed: The addresses of files that are others now.
    func update(_ items: [GalleryItem], from place: String, message: String? = nil, changed: Set<URL> = []) {
        note(items, place, message)
        shelf.all = repeated(items)
        pages.updateFirst(with: shelf.shown, changed: changed)
        showSubtitle()
    }

    private func note(_ items: [GalleryItem], _ place: String, _ message: String?) {
        self.place = "\(items.count == 1 ? "1 picture" : "\(items.count) pictures") · \(place)"
        reading = nil
        pages.problem = message
    }

    /// Shows one picture large, before its neighbours are known.
    ///
    /// - Parameter photo: The same picture, where it is being loaded already.
    func open(_ item: GalleryItem, _ photo: Photo? = nil) {
        header.endSearch()
        pages.show(.pictures)
        pages.browsing(of: .pictures).open(item, photo)
    }

    /// The keys are for the pictures at once, unless the person is typing.
    private func focusPictures() {
        guard pages.current == .pictures, !header.isSearching, grid.focusedIndex == nil else { return }
        // It scrolls there by itself.
        grid.focus(on: top.flatMap { top in grid.items.firstIndex { $0.url == top } } ?? 0, scrolls: false)
    }

    /// As many as `--cells` asks for.
    private func repeated(_ items: [GalleryItem]) -> [GalleryItem] {
        guard let cellCount, !items.isEmpty else { return items }
        return (0..<cellCount).map { number in
            var item = items[number % items.count]
            item.number = number
            return item
        }
    }

    /// The name of the place that is being read, for the header; nil for none.
    var reading: String? { didSet { showSubtitle() } }

    private func showSubtitle() {
        let found = shelf.search.isEmpty ? "" : "\(shelf.shown.count) of "
        header.setSubtitle(reading.map { "reading \($0)…" } ?? found + place)
    }

    // MARK: Order and search

    /// The order of the pictures.
    var order: PictureOrder {
        didSet {
            guard order != oldValue else { return }
            change { $0.order = order }
            changed()
        }
    }

    /// Shows the pictures with these words in their names; all for none.
    func search(_ text: String) {
        let search = PictureSearch(text)
        guard search != shelf.search else { return }
        if !search.isEmpty { pages.show(.pictures) }
        // At the end of a search, the first picture that was seen stays.
        let first = search.isEmpty ? grid.firstVisible?.number : nil
        change(from: { $0.number == first }) { $0.search = search }
    }

    /// Shows the changed list from its top, or from one of its pictures.
    private func change(
        from isFirst: (GalleryItem) -> Bool = { _ in false }, _ body: (inout PictureShelf) -> Void
    ) {
        body(&shelf)
        pages.isSearching = !shelf.search.isEmpty
        if !place.isEmpty { pages.fillFirst(with: shelf.shown, from: shelf.shown.firstIndex(where: isFirst) ?? 0) }
        showSubtitle()
    }

    private var liveCells: [PictureCell] { pages.all.flatMap(\.liveCells) }

    /// Presents the window, and calls `ready` when it is first visible: work done before that would wait for the start
    /// of the renderer.
    func present(ready: @escaping () -> Void) {
        var frames = 0
        _ = FrameTicks(of: window, isOwn: false) { _ in
            frames += 1
            if frames == 2 { ready() }
            return frames < 2
        }
        gtk_window_present(cast(window))
    }

    /// The mapped cells; others do not count.
    var visibleCells: [PictureCell] { liveCells.filter(\.isMapped) }

    /// All cells that are bound to a picture, visible or not.
    var boundCells: [PictureCell] { liveCells.filter(\.isBound) }

    // MARK: Settings

    /// How cells show pictures that have come.
    var transition: CellTransition {
        didSet {
            for grid in pages.all { grid.transition = transition }
            changed()
        }
    }

    /// Opens the settings.
    func showSettings() {
        let settings = settings ?? SettingsWindow(self)
        self.settings = settings
        settings.present()
    }

    /// Loads the pictures again, after the memory has forgotten them.
    func reload() {
        Task {
            manager.removeAllFailedURLs()
            await cache.clear(.memory)
            for grid in pages.all { grid.reload() }
        }
    }

    // MARK: Building

    /// Of the window without the maximising; the last one that it had when it is closed.
    private(set) var size: (width: Int, height: Int)
    private(set) var isMaximized = false

    private func build(_ state: GalleryState) {
        let gtkWindow: UnsafeMutablePointer<GtkWindow> = cast(window)
        gtk_window_set_default_size(gtkWindow, Int32(state.width), Int32(state.height))
        if state.isMaximized { gtk_window_maximize(gtkWindow) }
        gtk_window_set_title(gtkWindow, "WebImage Gallery")
        gtk_window_set_icon_name(gtkWindow, "org.webimage.Gallery")
        gtk_window_set_titlebar(gtkWindow, header.widget)
        for grid in pages.all { grid.transition = transition }
        let content = Make.box(GTK_ORIENTATION_VERTICAL, pages.widget, status.widget)
        // A browser lies over it: a list that gets another parent makes its cells anew.
        let overlay: Widget = gtk_overlay_new()
        gtk_overlay_set_child(OpaquePointer(overlay), content)
        gtk_window_set_child(gtkWindow, overlay)
        _ = window.classes("gallery")
        status.show(statistics)
        connectHeader()
        pages.show(.pictures)
        window.onEscape("win.end-search")
        followSize()
        connect(UnsafeMutableRawPointer(window), "destroy") { [weak self] in
            guard let self else { return }
            pages.end()
            closed()
        }
        let sign = DropSign(over: overlay)
        dropSign = sign
        FileDrop.accept(on: window, hovers: { [weak sign] in sign?.isShown = $0 }) { [weak self] in self?.dropped($0) }
    }

    private func connectHeader() {
        pages.turned = { [header] page in
            header.pageButton.setTitle("Turn the page: \(page.next.description)")
        }
        connect(UnsafeMutableRawPointer(header.pageButton), "clicked") { [pages] in pages.show(pages.current.next) }
        status.narrowed = { [weak self] in self?.header.setNarrow($0) }
        header.searched = { [weak self] in self?.search($0) }
        header.chosen = { [weak self] in self?.grid.focus(on: 0) }
        header.ended = { [weak self] in
            guard let self else { return }
            gtk_widget_child_focus(pages[pages.current].widget, GTK_DIR_TAB_FORWARD)
        }
        for grid in pages.all { grid.left = { [header] in gtk_widget_child_focus(header.widget, $0) != 0 } }
    }

    private func followSize() {
        for property in ["default-width", "default-height", "maximized"] {
            connect(UnsafeMutableRawPointer(window), "notify::\(property)") { [weak self] in self?.noteSize() }
        }
    }

    private func noteSize() {
        var (width, height): (Int32, Int32) = (0, 0)
        gtk_window_get_default_size(cast(window), &width, &height)
        isMaximized = gtk_window_is_maximized(cast(window)) != 0
        if !isMaximized, width > 0, height > 0 { size = (Int(width), Int(height)) }
        changed()
    }
}
