import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK

/// The window: a header bar, the grid, and the status line.
final class GalleryWindow {
    static let defaultWidth = 1280
    static let defaultHeight = 900

    let window: Widget
    private(set) var statistics = GalleryStatistics()
    let grid: PictureGrid
    /// The second screen: the last pictures, with hashes.
    let hashes: PictureGrid
    /// Animations that play.
    let animations: PictureGrid
    private let stack: Widget = gtk_stack_new()
    /// The pages that were not shown yet are filled when they are.
    private var unfilled: [GalleryPage: () async -> [GalleryItem]] = [:]
    private let firstPage: GalleryPage
    /// The current page.
    private(set) var page = GalleryPage.pictures
    /// Shows the next page.
    let pageButton: Widget = gtk_button_new_from_icon_name("go-next-symbolic")
    private let cellCount: Int?
    let status: StatusLine
    private let subtitle = Make.label(cut: PANGO_ELLIPSIZE_END).classes("subtitle")
    private let cache: ImageCache

    init(
        _ application: UnsafeMutablePointer<GtkApplication>, _ options: GalleryOptions, manager: WebImageManager,
        cache: ImageCache
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
        grid = PictureGrid(width: Self.defaultWidth, options: loadOptions, context: context) { count?($0) }
        hashes = PictureGrid(width: Self.defaultWidth, options: loadOptions, context: context) { count?($0) }
        animations = PictureGrid(width: Self.defaultWidth, options: loadOptions, context: context) { count?($0) }
        count = { [weak self] result in
            guard let self else { return }
            statistics.count(result)
            status.show(statistics)
        }
        build()
    }

    /// Shows pictures, and their source in the header.
    func show(_ urls: [URL], from place: String) {
        setText(subtitle, "\(urls.count) pictures · \(place)")
        guard !urls.isEmpty else { return grid.show([]) }
        grid.show((0..<(cellCount ?? urls.count)).map { GalleryItem(url: urls[$0 % urls.count], number: $0) })
    }

    /// Sets what a page has, which is made when it is shown first.
    func fill(_ page: GalleryPage, with items: @escaping () async -> [GalleryItem]) {
        unfilled[page] = items
        if page == firstPage { show(page) }
    }

    private func show(_ page: GalleryPage) {
        self.page = page
        let grid = grid(of: page)
        gtk_stack_set_visible_child(OpaquePointer(stack), grid.widget)
        gtk_widget_set_tooltip_text(pageButton, "Turn the page: \(page.next.description)")
        guard let items = unfilled.removeValue(forKey: page) else { return }
        Task { grid.show(await items()) }
    }

    private func grid(of page: GalleryPage) -> PictureGrid {
        switch page {
        case .pictures: grid
        case .hashes: hashes
        case .animations: animations
        }
    }

    private var liveCells: [PictureCell] { GalleryPage.allCases.flatMap { grid(of: $0).liveCells } }

    /// Presents the window, and calls `ready` when it is first visible: work done before that would wait for the start
    /// of the renderer.
    func present(ready: @escaping () -> Void) {
        var frames = 0
        Frames.each(of: window) {
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

    private func build() {
        gtk_window_set_default_size(window.of(GtkWindow.self), Int32(Self.defaultWidth), Int32(Self.defaultHeight))
        gtk_window_set_title(window.of(GtkWindow.self), "WebImage Gallery")
        gtk_window_set_titlebar(window.of(GtkWindow.self), header())
        for page in GalleryPage.allCases { gtk_stack_add_child(OpaquePointer(stack), grid(of: page).widget) }
        show(.pictures)
        let content = Make.box(GTK_ORIENTATION_VERTICAL, stack, status.widget)
        gtk_window_set_child(window.of(GtkWindow.self), content)
        _ = window.classes("gallery")
        status.show(statistics)
    }

    private func header() -> Widget {
        let header: Widget = gtk_header_bar_new()
        let title = Make.label("WebImage Gallery", cut: PANGO_ELLIPSIZE_END).classes("title")
        for label in [title, subtitle] { gtk_label_set_xalign(OpaquePointer(label), 0.5) }
        let titles = Make.box(GTK_ORIENTATION_VERTICAL, title, subtitle)
        gtk_widget_set_valign(titles, GTK_ALIGN_CENTER)
        gtk_header_bar_set_title_widget(OpaquePointer(header), titles)
        gtk_header_bar_pack_start(
            OpaquePointer(header),
            button("view-refresh-symbolic", "Load everything again, from the network") { [weak self] in
                self?.reload(forgetting: .all)
            })
        gtk_header_bar_pack_start(
            OpaquePointer(header),
            button("edit-clear-all-symbolic", "Forget what is in memory, and read it from disk") { [weak self] in
                self?.reload(forgetting: .memory)
            })
        gtk_header_bar_pack_end(
            OpaquePointer(header),
            prepared(pageButton) { [weak self] in
                guard let self else { return }
                show(page.next)
            })
        return header
    }

    private func button(_ icon: String, _ tooltip: String, clicked: @escaping () -> Void) -> Widget {
        let button: Widget = gtk_button_new_from_icon_name(icon)
        gtk_widget_set_tooltip_text(button, tooltip)
        return prepared(button, clicked: clicked)
    }

    private func prepared(_ button: Widget, clicked: @escaping () -> Void) -> Widget {
        gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
        connect(UnsafeMutableRawPointer(button), "clicked", clicked)
        return button
    }

    private func reload(forgetting tiers: ImageCacheType) {
        Task {
            await cache.clear(tiers)
            for page in GalleryPage.allCases { grid(of: page).reload() }
        }
    }
}
