import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK

/// A list or grid in a window: when its first frame was drawn, and when the one with the last visible picture.
final class FirstScreenStage {
    /// The visible pictures, as of the first frame.
    private(set) var seen: Set<Int> = []
    private(set) var firstFrame: ContinuousClock.Instant?
    /// The first frame in which all visible cells have their pictures.
    private(set) var completeFrame: ContinuousClock.Instant?
    /// The visible cells without a picture in the first frame.
    private(set) var missingCount = 0
    /// The pictures whose loads have ended.
    private(set) var ended: Set<Int> = []
    /// Called when the last visible picture has arrived, before anything else can begin.
    var allArrived: () -> Void = {}

    private let window: UnsafeMutablePointer<GtkWidget> = gtk_window_new()
    private let scroller: UnsafeMutablePointer<GtkWidget> = gtk_scrolled_window_new()
    private let manager: WebImageManager
    private let url: (Int) -> URL
    private let cellSize: (width: Int32, height: Int32)
    private var cells: [UnsafeMutablePointer<GtkWidget>: Int] = [:]

    /// - Parameter isGrid: Whether 24 cells are visible in a grid, of some 400 that GTK binds, and not ten in a list.
    init(isGrid: Bool, manager: WebImageManager, url: @escaping (Int) -> URL) {
        self.manager = manager
        self.url = url
        cellSize = isGrid ? (180, 130) : (48, 48)
        let items = gtk_string_list_new(nil)
        for _ in 0..<500 { gtk_string_list_append(items, "") }
        let factory: OpaquePointer = gtk_signal_list_item_factory_new()
        let selection = gtk_no_selection_new(items)
        let list: UnsafeMutablePointer<GtkWidget>
        if isGrid {
            list = gtk_grid_view_new(selection, factory)
            // GTK binds thirty rows of this many cells, although the window has room for six in a row.
            gtk_grid_view_set_max_columns(OpaquePointer(list), 14)
        } else {
            list = gtk_list_view_new(selection, factory)
        }
        connect(factory, "bind") { [weak self] (item: OpaquePointer) in self?.bind(item) }
        gtk_scrolled_window_set_policy(OpaquePointer(scroller), GTK_POLICY_NEVER, GTK_POLICY_EXTERNAL)
        gtk_scrolled_window_set_child(OpaquePointer(scroller), list)
        let topLevel = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_decorated(topLevel, 0)
        gtk_window_set_default_size(topLevel, isGrid ? 1200 : 300, isGrid ? 500 : 500)
        gtk_window_set_child(topLevel, scroller)
        gtk_window_present(topLevel)
        if let clock = gtk_widget_get_frame_clock(window) {
            connect(UnsafeMutableRawPointer(clock), "after-paint") { [weak self] in self?.noteFrame() }
        }
    }

    /// The number of cells that GTK has bound.
    var boundCount: Int { cells.count }

    func loadEverything() { PictureList(scroller).loadWindow = .everything }

    func close() { gtk_window_destroy(UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)) }

    private func bind(_ item: OpaquePointer) {
        let number = Int(gtk_list_item_get_position(item))
        guard let view = ListRowView(listItem: item) else { return }
        gtk_widget_set_size_request(view.widget, cellSize.width, cellSize.height)
        view.contentFit = .cover
        cells[view.widget] = number
        var context = WebImageContext()
        context.manager = manager
        view.setImage(with: url(number), context: context) { [weak self] result in self?.end(number, result) }
    }

    private func end(_ number: Int, _ result: Result<LoadResult, WebImageError>) {
        if case .failure(let error) = result, !error.isCancelled { fatalError("picture \(number): \(error)") }
        let wasComplete = hasAllSeen
        ended.insert(number)
        if hasAllSeen, !wasComplete { allArrived() }
    }

    private var hasAllSeen: Bool { !seen.isEmpty && seen.isSubset(of: ended) }

    private func noteFrame() {
        guard completeFrame == nil else { return }
        let visible = cells.filter { isVisible($0.key) }
        if firstFrame == nil {
            guard !visible.isEmpty else { return }
            firstFrame = .now
            seen = Set(visible.values)
            missingCount = visible.keys.count { PictureView($0).image == nil }
        }
        if visible.keys.allSatisfy({ PictureView($0).image != nil }) { completeFrame = .now }
    }

    private func isVisible(_ cell: UnsafeMutablePointer<GtkWidget>) -> Bool {
        var bounds = graphene_rect_t()
        guard gtk_widget_get_mapped(cell) != 0, gtk_widget_compute_bounds(cell, scroller, &bounds) != 0 else {
            return false
        }
        return bounds.origin.y + bounds.size.height > 0
            && bounds.origin.y < Float(gtk_widget_get_height(scroller))
    }
}
