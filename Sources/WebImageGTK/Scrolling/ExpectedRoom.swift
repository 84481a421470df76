import CGtk4
import WebImage

/// The room that empty views will take along one axis, once they have their pictures.
///
/// An empty `GtkPicture` in a row has a width and no height: GTK lays out a hundred such rows in the visible part of a
/// list, of which two remain when their pictures have come. Such a view counts as a square. In a `GtkListView` it may stay
/// empty even then; so all cells of a list count that are as high as one with such a view.
struct ExpectedRoom {
    typealias Widget = UnsafeMutablePointer<GtkWidget>

    /// The room of a view that has neither width nor height, in points.
    private static let usualSide = 64.0

    /// An empty view, or a cell that is as empty.
    private struct Place {
        let widget: Widget
        let along: Double
        let across: Double
        let room: Double
    }

    private let axis: GtkOrientation
    /// The distance by which each empty view, or a list's cell around it, will move.
    private var additions: [Widget: Double] = [:]
    /// The cells around empty views of lists.
    private var cells: [Widget: Widget] = [:]

    /// - Parameter views: Those that wait for pictures, in the order of their loads.
    init(of views: [Widget], along axis: GtkOrientation) {
        self.axis = axis
        var places: [Widget: [Place]] = [:]
        var lists: [Widget: (scroller: Widget, rooms: [Int32: Double])] = [:]
        for view in views where view.isMapped && isEmpty(view) {
            guard let scroller = view.scroller else { continue }
            if let cell = view.listCell, let list = gtk_widget_get_parent(cell) {
                cells[view] = cell
                lists[list, default: (scroller, [:])].rooms[length(of: cell)] = room(of: view)
            } else if let place = place(of: view, in: scroller, room: room(of: view)) {
                places[scroller, default: []].append(place)
            }
        }
        for (list, (scroller, rooms)) in lists {
            places[scroller, default: []] += list.children.filter(\.isMapped).compactMap { cell in
                rooms[length(of: cell)].flatMap { place(of: cell, in: scroller, room: $0) }
            }
        }
        for places in places.values { addUp(places) }
    }

    /// How far an empty view will move, or a cell of a list. A view that has a size is seen where it is.
    func addition(before widget: Widget) -> Double { additions[cells[widget] ?? widget] ?? 0 }

    /// nil for what is scrolled away: how it grows does not matter.
    private func place(of widget: Widget, in scroller: Widget, room: Double) -> Place? {
        var bounds = graphene_rect_t()
        guard gtk_widget_compute_bounds(widget, scroller, &bounds) != 0 else { return nil }
        let (x, y) = (Double(bounds.origin.x.rounded()), Double(bounds.origin.y.rounded()))
        let (along, across) = axis == GTK_ORIENTATION_VERTICAL ? (y, x) : (x, y)
        return along < 0 ? nil : Place(widget: widget, along: along, across: across, room: room)
    }

    /// Adds up the rooms of lines of places across the axis.
    private mutating func addUp(_ places: [Place]) {
        var former: Place?
        var (addition, room) = (0.0, 0.0)
        // A stable order: rows without any height are in one place.
        let order = places.indices.sorted { (places[$0].along, $0) < (places[$1].along, $1) }
        for place in order.map({ places[$0] }) {
            let isBeside = former.map { $0.along == place.along && $0.across < place.across } ?? false
            if !isBeside {
                addition += room
                room = 0
            }
            room = max(room, place.room)
            additions[place.widget] = addition
            former = place
        }
    }

    private func isEmpty(_ view: Widget) -> Bool {
        let (width, height) = (gtk_widget_get_width(view), gtk_widget_get_height(view))
        return axis == GTK_ORIENTATION_VERTICAL ? height == 0 : width == 0 && height > 0
    }

    private func length(of cell: Widget) -> Int32 {
        axis == GTK_ORIENTATION_VERTICAL ? gtk_widget_get_height(cell) : gtk_widget_get_width(cell)
    }

    private func room(of view: Widget) -> Double {
        let side = axis == GTK_ORIENTATION_VERTICAL ? gtk_widget_get_width(view) : gtk_widget_get_height(view)
        return side > 0 ? Double(side) : Self.usualSide
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// The cell of a `GtkListView` or `GtkGridView` that the widget is in.
    fileprivate var listCell: Self? {
        sequence(first: self) { gtk_widget_get_parent($0) }
            .first { gtk_widget_get_parent($0)?.isA(gtk_list_base_get_type()) ?? false }
    }
}
