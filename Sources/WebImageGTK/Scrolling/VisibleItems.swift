import CGtk4
import WebImage

/// The items of a list whose cells are within its visible part, as of the latest layout.
struct VisibleItems {
    /// From the first to the last one; nil where no cell is visible, or none says which item it shows.
    let range: Range<Int>?
    /// Whether there are visible cells, none of which says so.
    let isUnknown: Bool

    /// - Parameter list: A list, a grid, a list box or a flow box; or a widget with one in it.
    init(of list: UnsafeMutablePointer<GtkWidget>) {
        let list = list.firstList ?? list
        let cells = list.children.filter { $0.isVisible(in: list.scroller ?? list) }
        let positions = cells.compactMap(\.itemPosition)
        range = positions.min().flatMap { first in positions.max().map { first..<$0 + 1 } }
        isUnknown = positions.isEmpty && !cells.isEmpty
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    private static var listTypes: [GType] {
        [gtk_list_base_get_type(), gtk_list_box_get_type(), gtk_flow_box_get_type()]
    }

    /// The widget itself, or the first list in it.
    var firstList: Self? {
        if Self.listTypes.contains(where: isA) { return self }
        return children.lazy.compactMap(\.firstList).first
    }

    /// The position of the item that a cell shows.
    fileprivate var itemPosition: Int? {
        if isA(gtk_list_box_row_get_type()) { return Int(gtk_list_box_row_get_index(cast(self))) }
        if isA(gtk_flow_box_child_get_type()) { return Int(gtk_flow_box_child_get_index(cast(self))) }
        return firstPicture(orImage: false).flatMap { ListItemPlace.position(of: $0) }
    }

    /// Whether a part of the widget lies within `scroller`.
    fileprivate func isVisible(in scroller: Self) -> Bool {
        guard isMapped, let area = area(in: scroller), !area.size.isEmpty else { return false }
        let room = scroller.pointSize
        return area.x < room.width && area.y < room.height && area.x + area.size.width > 0
            && area.y + area.size.height > 0
    }
}
