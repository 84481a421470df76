import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK

/// A scrolling grid of pictures, with enough cells to fill the window and a few more.
final class PictureGrid {
    let widget: Widget = gtk_scrolled_window_new()
    let grid: Widget
    private let model: OpaquePointer
    private let options: WebImageOptions
    private let context: WebImageContext
    private let ended: (Result<LoadResult, WebImageError>) -> Void
    private(set) var items: [GalleryItem] = []
    private var cells: [Unowned] = []
    private var layout: CellLayout
    /// How cells show a picture that has come.
    var transition = CellTransition.standard {
        didSet { for cell in liveCells { cell.transition = transition } }
    }
    /// Called with the index of a picture that was clicked, or chosen by Enter.
    var activated: (Int) -> Void = { _ in }
    /// Called when it has been scrolled.
    var scrolled: () -> Void = {}
    /// Called when other pictures may be seen than before.
    var moved: () -> Void = {}
    /// Called a moment after that, with the indices of the pictures that are seen.
    var rested: (Range<Int>) -> Void = { _ in }
    private var rest: DelayedCall?
    /// Called when the tabulator leads out of the grid: says whether the focus has gone elsewhere.
    var left: (GtkDirectionType) -> Bool = { _ in false }
    /// The wait for a cell that is to get the focus.
    var focusing: FrameTicks?
    /// Counts the cells that show their picture without delay.
    var appearances: Appearances?

    /// A weak reference: the widget owns its cell.
    private struct Unowned {
        weak var cell: PictureCell?
    }

    /// - Parameter ended: Called at the end of each load.
    init(
        width: Int, options: WebImageOptions = .lowPriority, context: WebImageContext,
        ended: @escaping (Result<LoadResult, WebImageError>) -> Void
    ) {
        self.options = options
        self.context = context
        self.ended = ended
        layout = CellLayout(gridWidth: width)
        model = gtk_string_list_new(nil)
        let factory: OpaquePointer = gtk_signal_list_item_factory_new()
        // The selection takes the model, and the grid takes both.
        grid = gtk_grid_view_new(gtk_no_selection_new(model), factory)
        gtk_scrolled_window_set_child(OpaquePointer(widget), grid)
        // The columns of a wide window must not keep it from becoming narrow: the number follows a frame later.
        gtk_scrolled_window_set_policy(OpaquePointer(widget), GTK_POLICY_EXTERNAL, GTK_POLICY_AUTOMATIC)
        gtk_widget_set_vexpand(widget, 1)
        setColumns()
        gtk_grid_view_set_single_click_activate(OpaquePointer(grid), 1)
        connect(grid, "activate") { [weak self] (index: Int) in self?.activated(index) }
        connectFactory(factory)
        followWidth()
        followMovement()
        leaveByTab()
    }

    private func followMovement() {
        rest = DelayedCall(after: Self.restAfter) { [weak self] in
            if let self { rested(visible) }
        }
        for signal in ["map", "unmap"] {
            connect(UnsafeMutableRawPointer(widget), signal) { [weak self] in self?.hasMoved() }
        }
        guard let adjustment else { return }
        connect(UnsafeMutableRawPointer(adjustment), "changed") { [weak self] in self?.hasMoved() }
        connect(UnsafeMutableRawPointer(adjustment), "value-changed") { [weak self] in
            guard let self else { return }
            hasMoved()
            // A window that goes has its grid without rows.
            if gtk_widget_get_mapped(widget) != 0 { scrolled() }
        }
    }

    /// Longer than between two notches of a wheel.
    private static let restAfter = Duration.milliseconds(150)

    func hasMoved() {
        moved()
        rest?.start()
    }

    /// Shows other pictures.
    func show(_ items: [GalleryItem]) {
        scrolling?.stop()
        splice(self.items.indices, with: [])
        splice(0..<0, with: items)
    }

    /// Replaces all at once: the grid reads its list once for each change. The strings are empty, as cells know only their
    /// position.
    private func splice(_ range: Range<Int>, with new: [GalleryItem]) {
        items.replaceSubrange(range, with: new)
        // Newer versions of GTK unbind the cells of rows that have gone with the next layout.
        for cell in liveCells where cell.isBound && range.contains(cell.position) { cell.unbind() }
        for cell in liveCells where cell.isBound && cell.position >= range.upperBound {
            cell.position += new.count - range.count
        }
        "".withCString { empty in
            let strings = [UnsafePointer<CChar>?](repeating: empty, count: new.count) + [nil]
            gtk_string_list_splice(model, guint(range.lowerBound), guint(range.count), strings)
        }
    }

    /// Shows other pictures in place of those that it has: what stays keeps its cell, its place and the focus.
    ///
    /// - Parameter changed: The addresses of files that are others now: their pictures are loaded again.
    func update(_ items: [GalleryItem], changed: Set<URL> = []) {
        let focused = focusedIndex
        for step in ListChange(from: self.items.map(\.url), to: items.map(\.url)).steps {
            splice(step.removed, with: Array(items[step.inserted]))
        }
        self.items = items
        for cell in liveCells where cell.isBound && changed.contains(items[cell.position].url) {
            bind(cell, to: cell.position)
        }
        if let focused, focusedIndex == nil { focus(on: min(focused, items.count - 1)) }
        hasMoved()
    }

    /// Whether it shows the pictures of these addresses, in this order.
    func has(_ items: [GalleryItem]) -> Bool {
        items.elementsEqual(self.items) { $0.url == $1.url && $0.number == $1.number }
    }

    /// Shows pictures from their first one, or with one of them at the top. Those that it shows already are loaded again,
    /// and stay where they are.
    func show(_ items: [GalleryItem], from index: Int) {
        guard !has(items) else {
            self.items = items
            return reload()
        }
        // Before its rows go: a list cannot scroll while it has no layout.
        gtk_adjustment_set_value(adjustment, 0)
        show(items)
        guard items.indices.contains(index), index > 0 else { return }
        scroll(to: index, atTop: true)
    }

    /// Scrolls so that a picture is seen, to the middle where it is not; or so that it is at the top.
    func scroll(to index: Int, atTop: Bool = false) {
        // The length of a list follows from its rows one or two frames after they are there.
        var frames = 0
        scrolling?.stop()
        scrolling = FrameTicks(of: widget, isOwn: false) { [weak self] _ in
            frames += 1
            if frames == 3 { self?.scrollNow(to: index, atTop) }
            return frames < 3
        }
    }

    /// The wait for a layout before a scroll. Other pictures end it: theirs comes later.
    private var scrolling: FrameTicks?

    /// GTK's own action complains about rows that have no place yet.
    private func scrollNow(to index: Int, _ isToTop: Bool) {
        guard items.indices.contains(index), isToTop || visibleCell(at: index) == nil else { return }
        let top = Double(index / columns) * rowHeight
        let space = gtk_adjustment_get_page_size(adjustment) - rowHeight
        gtk_adjustment_set_value(adjustment, isToTop ? top : top - space / 2)
    }

    /// All rows are of one height.
    private var rowHeight: Double {
        gtk_adjustment_get_upper(adjustment) / Double(max(1, (items.count + columns - 1) / columns))
    }

    private var adjustment: UnsafeMutablePointer<GtkAdjustment>? {
        gtk_scrolled_window_get_vadjustment(OpaquePointer(widget))
    }

    /// The cell of a picture, if any part of it is seen.
    func visibleCell(at index: Int) -> PictureCell? {
        liveCells.first { $0.isBound && $0.position == index && isSeen($0) }
    }

    /// The first picture that is seen, of a row that is seen by more than a tenth; nil for none.
    var firstVisible: GalleryItem? {
        guard rowHeight > 0 else { return items.first }
        let index = Int(gtk_adjustment_get_value(adjustment) / rowHeight + 0.1) * columns
        return items.indices.contains(index) ? items[index] : items.last
    }

    /// The indices of the pictures that are seen.
    var visible: Range<Int> {
        let seen = liveCells.filter { $0.isBound && isSeen($0) }.map(\.position)
        guard let first = seen.min(), let last = seen.max() else { return 0..<0 }
        return first..<last + 1
    }

    private func isSeen(_ cell: PictureCell) -> Bool {
        var bounds = graphene_rect_t()
        guard cell.isMapped, gtk_widget_compute_bounds(cell.view.widget, widget, &bounds) != 0 else { return false }
        return bounds.origin.y + bounds.size.height > 0 && bounds.origin.y < Float(gtk_widget_get_height(widget))
    }

    /// Loads what its cells show again; they stay where they are.
    func reload() {
        for cell in liveCells where cell.isBound { bind(cell, to: cell.position) }
        hasMoved()
    }

    /// Sets the columns again whenever the width has changed, by a resize of the user's, tiling or maximizing.
    private func followWidth() {
        guard let adjustment = gtk_scrolled_window_get_hadjustment(OpaquePointer(widget)) else { return }
        connect(UnsafeMutableRawPointer(adjustment), "notify::page-size") { [weak self] in
            guard let self else { return }
            // Called during the grid's layout, when its columns must not change.
            FrameTicks.next(of: widget, isOwn: false) { [weak self] in self?.resize() }
        }
    }

    private func resize() {
        let width = Int(gtk_widget_get_width(widget))
        let layout = CellLayout(gridWidth: width)
        guard width > 0, layout != self.layout else { return }
        self.layout = layout
        setColumns()
        for cell in liveCells { cell.apply(layout) }
    }

    /// The number of columns.
    var columns: Int { layout.columns }

    var liveCells: [PictureCell] { cells.compactMap(\.cell) }

    private func setColumns() {
        gtk_grid_view_set_min_columns(OpaquePointer(grid), guint(layout.columns))
        gtk_grid_view_set_max_columns(OpaquePointer(grid), guint(layout.columns))
    }

    private func connectFactory(_ factory: OpaquePointer) {
        connect(factory, "setup") { [weak self] (listItem: OpaquePointer) in
            let cell = PictureCell()
            if let self { cell.transition = transition }
            connect(UnsafeMutableRawPointer(cell.card), "map") { [weak self, weak cell] in
                if let cell, cell.hasPicture { self?.appearances?.note(cell) }
            }
            _ = AssociatedObject.of(Self.cellKey, on: cell.card) { cell }
            gtk_list_item_set_child(listItem, cell.card)
            self?.cells.removeAll { $0.cell == nil }
            self?.cells.append(Unowned(cell: cell))
        }
        connect(factory, "bind") { [weak self] (listItem: OpaquePointer) in
            guard let self, let cell = Self.cell(of: listItem) else { return }
            bind(cell, to: Int(gtk_list_item_get_position(listItem)))
        }
        connect(factory, "unbind") { (listItem: OpaquePointer) in Self.cell(of: listItem)?.unbind() }
    }

    private func bind(_ cell: PictureCell, to position: Int) {
        cell.position = position
        let (item, context) = (items[position], context.suited(to: items[position].url))
        let time = cell.bind(
            item, layout: layout, options: options.suited(to: item.url), context: context, ended: ended)
        guard cell.hasPicture else { return }
        appearances?.noteBind(taking: time)
        if cell.isMapped { appearances?.note(cell) }
    }

    private static let cellKey = "webimage-gallery-cell"

    private static func cell(of listItem: OpaquePointer) -> PictureCell? {
        gtk_list_item_get_child(listItem).flatMap { AssociatedObject.find(cellKey, on: $0) }
    }
}
