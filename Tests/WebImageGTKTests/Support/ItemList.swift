import CGtk4

@testable import WebImageGTK

/// A `GtkListView` or a `GtkGridView` whose factory repeatedly binds a few widgets to many items.
@MainActor
final class ItemList {
    enum Kind {
        case list, grid
    }

    let widget: UnsafeMutablePointer<GtkWidget>
    /// The item that each widget is bound to, visible or not.
    private(set) var bound: [UnsafeMutablePointer<GtkWidget>: Int] = [:]
    /// The number of binds.
    private(set) var binds = 0
    private let strings: OpaquePointer
    private let itemSize: (Int) -> Int32
    private let bind: (OpaquePointer, Int) -> Void

    /// - Parameters:
    ///   - itemSize: The requested size of each item's widget, in points.
    ///   - bind: Gets a `GtkListItem`, at first without a widget, and the index of the item.
    convenience init(_ kind: Kind, count: Int, itemSize: Int32, bind: @escaping (OpaquePointer, Int) -> Void) {
        self.init(kind, count: count, itemSizes: { _ in itemSize }, bind: bind)
    }

    init(
        _ kind: Kind, count: Int, itemSizes: @escaping (Int) -> Int32, bind: @escaping (OpaquePointer, Int) -> Void
    ) {
        itemSize = itemSizes
        self.bind = bind
        strings = gtk_string_list_new(nil)
        // A list that is filled later has other cells bound at a jump.
        Self.append(count, to: strings)
        let factory: OpaquePointer = gtk_signal_list_item_factory_new()
        let selection = gtk_no_selection_new(strings)
        widget = kind == .list ? gtk_list_view_new(selection, factory) : gtk_grid_view_new(selection, factory)
        connect(factory, "bind") { list, item in list.noteBind(item) }
        connect(factory, "unbind") { list, item in list.noteUnbind(item) }
    }

    /// Adds items at the end.
    func append(_ count: Int) { Self.append(count, to: strings) }

    private static func append(_ count: Int, to strings: OpaquePointer) {
        for _ in 0..<count { gtk_string_list_append(strings, "") }
    }

    private func noteBind(_ item: OpaquePointer) {
        let position = Int(gtk_list_item_get_position(item))
        binds += 1
        bind(item, position)
        guard let child = gtk_list_item_get_child(item) else { return }
        gtk_widget_set_size_request(child, itemSize(position), itemSize(position))
        bound[child] = position
    }

    private func noteUnbind(_ item: OpaquePointer) {
        if let child = gtk_list_item_get_child(item) { bound[child] = nil }
    }

    private func connect(
        _ factory: OpaquePointer, _ signal: String, _ body: @escaping @MainActor (ItemList, OpaquePointer) -> Void
    ) {
        WebImageGTK.connect(factory, signal) { [weak self] (item: OpaquePointer) in
            if let self { body(self, item) }
        }
    }
}
