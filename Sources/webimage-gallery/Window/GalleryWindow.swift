import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK

/// The window: a header bar, the grid, and the status line.
final class GalleryWindow {
    let window: Widget
    private(set) var statistics = GalleryStatistics()
    let grid: PictureGrid
    /// The second screen: the last pictures, with hashes.
    let hashes: PictureGrid
    /// Animations that play.
    let animations: PictureGrid
    private let stack: Widget = gtk_stack_new()
    /// What there is in place of pictures.
    let message = MessagePage()
    let header = GalleryHeader()
    /// Opens the pictures of each page.
    private(set) var browsing: [GalleryPage: PictureBrowsing] = [:]
    /// The pages that were not shown yet are filled when they are.
    private var unfilled: [GalleryPage: () async -> [GalleryItem]] = [:]
    private var fillings: [GalleryPage: Task<Void, Never>] = [:]
    /// The pages that have all that they will have.
    private var filled: Set<GalleryPage> = []
    /// Shown as soon as it is filled.
    private var firstPage: GalleryPage?
    /// The current page.
    private(set) var page = GalleryPage.pictures
    /// Shows the next page.
    var pageButton: Widget { header.pageButton }
    private let cellCount: Int?
    let status: StatusLine
    let cache: ImageCache
    private(set) var shelf = PictureShelf()
    private var place = ""
    /// The picture at the top of the first page; nil for the first one. Stays when the window goes.
    var top: URL?
    /// Why there are no pictures at all.
    private var problem: String?
    /// Called with files and folders that were dropped onto the window.
    var dropped: ([PictureSource]) -> Void = { _ in }
    /// Called after a change of what is remembered.
    var changed: () -> Void = {}
    /// Called when everything is to be read again.
    var refreshed: () -> Void = {}
    /// Called when the window goes, with its widgets.
    var closed: () -> Void = {}
    private var settings: SettingsWindow?

    init(
        _ application: UnsafeMutablePointer<GtkApplication>, _ options: GalleryOptions, manager: WebImageManager,
        cache: ImageCache, state: GalleryState = GalleryState()
    ) {
        cellCount = options.cells
        firstPage = options.firstPage
        window = gtk_application_window_new(application)
        self.cache = cache
        var context = WebImageContext()
        context.manager = manager
        // The files are on disk already; decoding a thumbnail from them is faster than writing and reading one.
        context.storeCacheType = .memory
        context.queryCacheType = .memory
        let status = StatusLine()
        self.status = status
        var count: ((Result<LoadResult, WebImageError>) -> Void)?
        let loadOptions: WebImageOptions = options.isEager ? [] : .lowPriority
        grid = PictureGrid(width: state.width, options: loadOptions, context: context) { count?($0) }
        hashes = PictureGrid(width: state.width, options: loadOptions, context: context) { count?($0) }
        animations = PictureGrid(width: state.width, options: loadOptions, context: context) { count?($0) }
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
        for page in GalleryPage.allCases { connectBrowsing(of: page, context) }
        grid.scrolled = { [weak self] in self?.noteTop() }
    }

    /// Shows pictures, and their source in the header.
    func show(_ urls: [URL], from place: String) {
        show(urls.enumerated().map { GalleryItem(url: $1, number: $0) }, from: place)
    }

    /// Shows pictures, whose numbers are their indices, and their source in the header; without any, a message. The one at
    /// the top stays there, if it is one of them.
    func show(_ items: [GalleryItem], from place: String, message: String? = nil) {
        self.place = "\(items.count == 1 ? "1 picture" : "\(items.count) pictures") · \(place)"
        reading = nil
        problem = message
        change(from: { [top] in $0.url == top }) { $0.all = repeated(items) }
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

    /// What is being read, for the header; nil for nothing.
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
        if !search.isEmpty { show(.pictures) }
        // At the end of a search, the first picture that was seen stays.
        let first = search.isEmpty ? grid.firstVisible?.number : nil
        change(from: { $0.number == first }) { $0.search = search }
    }

    /// Shows the changed list from its top, or from one of its pictures.
    private func change(
        from isFirst: (GalleryItem) -> Bool = { _ in false }, _ body: (inout PictureShelf) -> Void
    ) {
        body(&shelf)
        if !grid.has(shelf.shown) { browsing[.pictures]?.close() }
        grid.show(shelf.shown, from: shelf.shown.firstIndex(where: isFirst) ?? 0)
        showSubtitle()
        showPageOrMessage()
    }

    private func showPageOrMessage() {
        let isFilled = page == .pictures ? !place.isEmpty : filled.contains(page)
        let isEmpty = isFilled && grid(of: page).items.isEmpty
        gtk_stack_set_visible_child(OpaquePointer(stack), isEmpty ? message.widget : grid(of: page).widget)
        guard isEmpty else { return }
        if let problem {
            message.show(problem, "Drop files or folders here.")
        } else if page == .pictures, !shelf.search.isEmpty {
            message.show("No name has these words", "Escape ends the search.")
        } else {
            message.show(page.emptyMessage, "Drop files or folders here.")
        }
    }

    // MARK: Pages

    /// Sets what a page has, which is made when it is shown. What it had before, or was about to have, goes.
    func fill(_ page: GalleryPage, with items: @escaping () async -> [GalleryItem]) {
        fillings[page]?.cancel()
        browsing[page]?.close()
        grid(of: page).show([])
        filled.remove(page)
        unfilled[page] = items
        guard page == firstPage || page == self.page else { return }
        if page == firstPage { firstPage = nil }
        show(page)
    }

    func show(_ page: GalleryPage) {
        self.page = page
        showPageOrMessage()
        gtk_widget_set_tooltip_text(pageButton, "Turn the page: \(page.next.description)")
        guard let items = unfilled.removeValue(forKey: page) else { return }
        fillings[page] = Task { [weak self] in
            let items = await items()
            guard let self, !Task.isCancelled else { return }
            grid(of: page).show(items)
            filled.insert(page)
            showPageOrMessage()
        }
    }

    private func grid(of page: GalleryPage) -> PictureGrid {
        switch page {
        case .pictures: grid
        case .hashes: hashes
        case .animations: animations
        }
    }

    private func connectBrowsing(of page: GalleryPage, _ context: WebImageContext) {
        browsing[page] = PictureBrowsing(grid(of: page), context: context)
    }

    private var liveCells: [PictureCell] { GalleryPage.allCases.flatMap { grid(of: $0).liveCells } }

    /// Presents the window, and calls `ready` when it is first visible: work done before that would wait for the start
    /// of the renderer.
    func present(ready: @escaping () -> Void) {
        var frames = 0
        _ = FrameTicks(of: window, isOwn: false) { _ in
            frames += 1
            if frames == 2 { ready() }
            return frames < 2
        }
        gtk_window_present(window.of(GtkWindow.self))
    }

    /// The mapped cells; others do not count.
    var visibleCells: [PictureCell] { liveCells.filter(\.isMapped) }

    /// All cells that are bound to a picture, visible or not.
    var boundCells: [PictureCell] { liveCells.filter(\.isBound) }

    // MARK: Settings

    /// How cells show pictures that have come.
    var transition: CellTransition {
        didSet {
            for page in GalleryPage.allCases { grid(of: page).transition = transition }
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
            await cache.clear(.memory)
            for page in GalleryPage.allCases { grid(of: page).reload() }
        }
    }

    // MARK: Building

    /// Of the window without the maximising; the last one that it had when it is closed.
    private(set) var size: (width: Int, height: Int)
    private(set) var isMaximized = false

    private func build(_ state: GalleryState) {
        let gtkWindow = window.of(GtkWindow.self)
        gtk_window_set_default_size(gtkWindow, Int32(state.width), Int32(state.height))
        if state.isMaximized { gtk_window_maximize(gtkWindow) }
        gtk_window_set_title(gtkWindow, "WebImage Gallery")
        gtk_window_set_icon_name(gtkWindow, "org.webimage.Gallery")
        gtk_window_set_titlebar(gtkWindow, header.widget)
        for page in GalleryPage.allCases {
            grid(of: page).transition = transition
            gtk_stack_add_child(OpaquePointer(stack), grid(of: page).widget)
        }
        gtk_stack_add_child(OpaquePointer(stack), message.widget)
        show(.pictures)
        let content = Make.box(GTK_ORIENTATION_VERTICAL, stack, status.widget)
        // A browser lies over it: a list that gets another parent makes its cells anew.
        let overlay: Widget = gtk_overlay_new()
        gtk_overlay_set_child(OpaquePointer(overlay), content)
        gtk_window_set_child(gtkWindow, overlay)
        _ = window.classes("gallery")
        status.show(statistics)
        connectHeader()
        window.onEscape("win.end-search")
        followSize()
        connect(UnsafeMutableRawPointer(window), "destroy") { [weak self] in
            guard let self else { return }
            for filling in fillings.values { filling.cancel() }
            closed()
        }
        FileDrop.accept(on: window) { [weak self] in self?.dropped($0) }
    }

    private func connectHeader() {
        connect(UnsafeMutableRawPointer(pageButton), "clicked") { [weak self] in
            guard let self else { return }
            show(page.next)
        }
        status.narrowed = { [weak self] in self?.header.setNarrow($0) }
        header.searched = { [weak self] in self?.search($0) }
        header.chosen = { [weak self] in
            guard let self else { return }
            gtk_widget_child_focus(grid(of: page).widget, GTK_DIR_TAB_FORWARD)
        }
    }

    private func followSize() {
        for property in ["default-width", "default-height", "maximized"] {
            connect(UnsafeMutableRawPointer(window), "notify::\(property)") { [weak self] in self?.noteSize() }
        }
    }

    private func noteSize() {
        var (width, height): (Int32, Int32) = (0, 0)
        gtk_window_get_default_size(window.of(GtkWindow.self), &width, &height)
        isMaximized = gtk_window_is_maximized(window.of(GtkWindow.self)) != 0
        if !isMaximized, width > 0, height > 0 { size = (Int(width), Int(height)) }
        changed()
    }
}
