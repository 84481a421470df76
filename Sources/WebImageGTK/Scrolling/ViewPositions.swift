import CGtk4
import WebImage

/// Where views are relative to the visible parts of the lists and scrollers around them, as of the latest layout.
///
/// A list lays out the visible cells only. GTK unmaps all others; they have no position, but stand in the list's order
/// among its children, and are taken to be as long as the visible ones are on average.
struct ViewPositions {
    /// The cells of one list.
    fileprivate struct Cells {
        var numbers: [UnsafeMutablePointer<GtkWidget>: Int] = [:]
        /// The visible ones; nil when there are none.
        var seen: ClosedRange<Int>?
        /// Where they begin and end in the scroller, in points along the list.
        var edges = 0.0...0.0
        /// The length of the visible part.
        var page = 1.0
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
        return cells(of: list, in: scroller).distance(of: cell)
    }

    private mutating func cells(of list: Widget, in scroller: Widget) -> Cells {
        if let known = lists[list] { return known }
        let orientation = gtk_orientable_get_orientation(OpaquePointer(list))
        var cells = Cells()
        let screen = scroller.screen
        cells.page = max(1, orientation == GTK_ORIENTATION_HORIZONTAL ? screen.width : screen.height)
        var next = gtk_widget_get_first_child(list)
        while let cell = next {
            let number = cells.numbers.count
            cells.numbers[cell] = number
            if cell.isMapped, cell.hasSize, distance(of: cell, in: scroller) == 0 {
                cells.add(number, edges: cell.edges(in: scroller, along: orientation))
            }
            next = gtk_widget_get_next_sibling(cell)
        }
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

extension ViewPositions.Cells {
    fileprivate mutating func add(_ number: Int, edges other: ClosedRange<Double>) {
        let former = seen == nil ? other : edges
        seen = (seen?.lowerBound ?? number)...number
        edges = min(former.lowerBound, other.lowerBound)...max(former.upperBound, other.upperBound)
    }

    /// In screens, to the far edge of a cell. Points change steadily where the number of visible cells goes up and down
    /// with each step.
    fileprivate func distance(of cell: UnsafeMutablePointer<GtkWidget>) -> Double {
        guard let number = numbers[cell], let seen else { return .infinity }
        let length = (edges.upperBound - edges.lowerBound) / Double(seen.count)
        if number < seen.lowerBound {
            let start = edges.lowerBound - Double(seen.lowerBound - number) * length
            return min(-.leastNonzeroMagnitude, start / page)
        }
        // A cell without a layout among visible ones is laid out soon.
        guard number > seen.upperBound else { return .leastNonzeroMagnitude }
        let end = edges.upperBound + Double(number - seen.upperBound) * length
        return max(.leastNonzeroMagnitude, (end - page) / page)
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

    fileprivate func edges(in ancestor: Self, along orientation: GtkOrientation) -> ClosedRange<Double> {
        guard let bounds = bounds(in: ancestor) else { return 0...0 }
        let isAcross = orientation == GTK_ORIENTATION_HORIZONTAL
        let start = Double(isAcross ? bounds.origin.x : bounds.origin.y)
        return start...(start + Double(isAcross ? bounds.size.width : bounds.size.height))
    }

    fileprivate func bounds(in ancestor: Self) -> graphene_rect_t? {
        var bounds = graphene_rect_t()
        return gtk_widget_compute_bounds(self, ancestor, &bounds) == 0 ? nil : bounds
    }
}
