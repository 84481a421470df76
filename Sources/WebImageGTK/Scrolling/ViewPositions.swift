import CGtk4
import WebImage

/// The places of views relative to the visible parts of the lists and scrollers around them, as of the latest layout.
///
/// A list lays out the visible cells only. GTK unmaps all others; they have no position, but stand in the list's order
/// among its children, so that their distance is counted in cells.
struct ViewPositions {
    /// The cells of one list.
    private struct Cells {
        var numbers: [UnsafeMutablePointer<GtkWidget>: Int] = [:]
        /// The visible ones; nil when there are none.
        var seen: ClosedRange<Int>?
        /// The number of cells that count as one screen.
        var perScreen = 1
    }

    private let root: UnsafeMutablePointer<GtkWidget>
    private let rooms: (across: ExpectedRoom, down: ExpectedRoom)
    private var lists: [UnsafeMutablePointer<GtkWidget>: Cells] = [:]

    /// - Parameter views: All views that wait for pictures, in the order of their loads.
    init(in root: UnsafeMutablePointer<GtkWidget>, of views: [UnsafeMutablePointer<GtkWidget>] = []) {
        self.root = root
        rooms = (
            ExpectedRoom(of: views, along: GTK_ORIENTATION_HORIZONTAL),
            ExpectedRoom(of: views, along: GTK_ORIENTATION_VERTICAL)
        )
    }

    mutating func standing(of widget: UnsafeMutablePointer<GtkWidget>) -> ViewStanding {
        let corner = widget.corner(in: root)
        let cellCorner = widget.cell.map { $0.corner(in: root) }
        var standing = ViewStanding(isHidden: !widget.isMapped, corner: corner, cellCorner: cellCorner)
        var (part, cell, list) = (widget, nil, nil) as (Widget, Widget?, Widget?)
        // The outermost one that scrolls by itself, outside of a scrolled window.
        var scrollable: Widget?
        var child = widget
        while let parent = gtk_widget_get_parent(child) {
            if parent.isScrollable { scrollable = parent }
            if parent.isA(gtk_list_base_get_type()) { (cell, list) = (child, parent) }
            if parent.isA(gtk_scrolled_window_get_type()) {
                move(&standing, by: distance(of: part, cell, in: list, scroller: parent), in: list, scroller: parent)
                (part, cell, list, scrollable) = (parent, nil, nil, nil)
            }
            child = parent
        }
        if let scrollable {
            let distance = distance(of: part, cell, in: list, scroller: scrollable)
            move(&standing, by: distance, in: list, scroller: scrollable)
        }
        return standing
    }

    private typealias Widget = UnsafeMutablePointer<GtkWidget>

    /// The screens from a view to the load window of the scroller around it, whatever else is around it: a quick answer
    /// for one that may be far away.
    func screensToWindow(of widget: UnsafeMutablePointer<GtkWidget>) -> Double {
        guard let scroller = widget.scroller else { return 0 }
        guard scroller.isMapped else { return .infinity }
        guard let part = widget.nearestMapped(below: scroller) else { return 0 }
        let window = scroller.loadWindow ?? LoadWindow()
        return abs(distance(of: part, in: scroller)) - max(window.behind, window.ahead)
    }

    private func move(_ standing: inout ViewStanding, by distance: Double, in list: Widget?, scroller: Widget) {
        let window = list?.loadWindow ?? scroller.loadWindow ?? LoadWindow()
        let area = ScrollArea.of(scroller)
        standing.move(by: distance, within: window, scrolling: area?.direction)
        guard let area, area.isFast else { return }
        standing.isFlying = true
        if area.direction == .forwards { standing.isFlyingForwards = true }
    }

    private mutating func distance(of part: Widget, _ cell: Widget?, in list: Widget?, scroller: Widget) -> Double {
        guard scroller.isMapped, scroller.hasSize else { return .infinity }
        guard let cell, let list else {
            return part.nearestMapped(below: scroller).map { distance(of: $0, in: scroller) } ?? 0
        }
        if cell.isMapped, cell.hasSize { return distance(of: part.isMapped ? part : cell, in: scroller) }
        let cells = cells(of: list, in: scroller)
        guard let number = cells.numbers[cell], let seen = cells.seen else { return .infinity }
        let outside = number < seen.lowerBound ? number - seen.lowerBound : max(0, number - seen.upperBound)
        // A cell without a layout among visible ones is laid out soon.
        return outside == 0 ? .leastNonzeroMagnitude : Double(outside) / Double(cells.perScreen)
    }

    private mutating func cells(of list: Widget, in scroller: Widget) -> Cells {
        if let known = lists[list] { return known }
        var cells = Cells()
        var next = gtk_widget_get_first_child(list)
        while let cell = next {
            let number = cells.numbers.count
            cells.numbers[cell] = number
            if cell.isMapped, cell.hasSize, distance(of: cell, in: scroller) == 0 {
                cells.seen = (cells.seen?.lowerBound ?? number)...number
            }
            next = gtk_widget_get_next_sibling(cell)
        }
        if let seen = cells.seen { cells.perScreen = ScreenOfCells.of(list).note(seen.count) }
        lists[list] = cells
        return cells
    }

    /// Screens of `scroller` outside of its visible part, along the axis that is farther away.
    private func distance(of widget: Widget, in scroller: Widget) -> Double {
        guard let bounds = widget.bounds(in: scroller) else { return 0 }
        let screen = scroller.screen
        let across = Self.distance(
            from: Double(bounds.origin.x) + rooms.across.addition(before: widget), length: Double(bounds.size.width),
            to: screen.width)
        let down = Self.distance(
            from: Double(bounds.origin.y) + rooms.down.addition(before: widget), length: Double(bounds.size.height),
            to: screen.height)
        return abs(across) > abs(down) ? across : down
    }

    private static func distance(from start: Double, length: Double, to screen: Double) -> Double {
        let page = max(1, screen)
        if start >= screen, screen > 0 { return max(.leastNonzeroMagnitude, (start - screen) / page) }
        // A picture may have no height before it is loaded.
        let end = start + length
        let isBefore = length > 0 ? end <= 0 : end < 0
        return isBefore ? min(-.leastNonzeroMagnitude, end / page) : 0
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    var isMapped: Bool { gtk_widget_get_mapped(self) != 0 }

    /// The cell of the list that the widget is in: pictures of a line of cells may differ in height.
    fileprivate var cell: Self? {
        sequence(first: self) { gtk_widget_get_parent($0) }.first { widget in
            widget.isA(gtk_list_box_row_get_type()) || widget.isA(gtk_flow_box_child_get_type())
                || gtk_widget_get_parent(widget)?.isA(gtk_list_base_get_type()) ?? false
        }
    }

    /// Not before the first layout: some layouts leave children out that are mapped, for instance that of a revealer at the
    /// beginning of its movement.
    fileprivate var hasSize: Bool { gtk_widget_get_width(self) > 0 || gtk_widget_get_height(self) > 0 }

    /// The widget itself or the nearest one around it that is mapped, below `ancestor`.
    fileprivate func nearestMapped(below ancestor: Self) -> Self? {
        var widget: Self? = self
        while let current = widget, current != ancestor {
            if current.isMapped { return current }
            widget = gtk_widget_get_parent(current)
        }
        return nil
    }

    fileprivate func corner(in ancestor: Self) -> PointSize {
        guard isMapped, let bounds = bounds(in: ancestor) else { return PointSize(width: 0, height: 0) }
        // Rounded, because sums of coordinates differ in the last digits along a line of cells.
        return PointSize(width: Double(bounds.origin.x.rounded()), height: Double(bounds.origin.y.rounded()))
    }

    /// The size of a scroller, as far as its window can show it: a revealer that slides makes its child many times as
    /// large.
    fileprivate var screen: PointSize {
        let native = gtk_widget_get_native(self).map {
            UnsafeMutableRawPointer($0).assumingMemoryBound(to: GtkWidget.self)
        }
        let window = native ?? self
        return PointSize(
            width: Double(min(gtk_widget_get_width(self), gtk_widget_get_width(window))),
            height: Double(min(gtk_widget_get_height(self), gtk_widget_get_height(window))))
    }

    fileprivate func bounds(in ancestor: Self) -> graphene_rect_t? {
        var bounds = graphene_rect_t()
        return gtk_widget_compute_bounds(self, ancestor, &bounds) == 0 ? nil : bounds
    }
}
