import CGtk4

package typealias ListItemBody = (_ listItem: OpaquePointer) -> Void
package typealias PositionBody = (_ position: Int) -> Void

/// A signal of a `GtkSignalListItemFactory`, with its `GtkListItem`.
package func onListItem(_ factory: OpaquePointer, _ signal: String, _ body: @escaping ListItemBody) {
    let callback: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, listItem, data in
        guard let listItem else { return }
        SignalHandler<ListItemBody>.body(data)?(OpaquePointer(listItem))
    }
    SignalHandler<ListItemBody>.connect(
        UnsafeMutableRawPointer(factory), signal, unsafeBitCast(callback, to: GCallback.self), body)
}

/// A click or Enter on a cell of a `GtkGridView`, with the position of its item.
package func onActivate(_ grid: UnsafeMutablePointer<GtkWidget>, _ body: @escaping PositionBody) {
    let callback: @convention(c) (gpointer?, guint, gpointer?) -> Void = { _, position, data in
        SignalHandler<PositionBody>.body(data)?(Int(position))
    }
    SignalHandler<PositionBody>.connect(
        UnsafeMutableRawPointer(grid), "activate", unsafeBitCast(callback, to: GCallback.self), body)
}
