import CGtk4

/// A closure as the handler of a list's signal.
private final class ListHandler<Argument> {
    let body: (Argument) -> Void
    init(_ body: @escaping (Argument) -> Void) { self.body = body }

    static func call(_ data: gpointer?, _ argument: Argument) {
        guard let data else { return }
        Unmanaged<ListHandler<Argument>>.fromOpaque(data).takeUnretainedValue().body(argument)
    }

    static func connect(
        _ object: UnsafeMutableRawPointer, _ signal: String, _ callback: GCallback,
        _ body: @escaping (Argument) -> Void
    ) {
        g_signal_connect_data(
            object, signal, callback, Unmanaged.passRetained(ListHandler(body)).toOpaque(),
            { data, _ in
                guard let data else { return }
                Unmanaged<AnyObject>.fromOpaque(data).release()
            }, GConnectFlags(rawValue: 0))
    }
}

/// A signal of a `GtkSignalListItemFactory`, with its `GtkListItem`.
func onListItem(_ factory: OpaquePointer, _ signal: String, _ body: @escaping (OpaquePointer) -> Void) {
    let callback: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, item, data in
        guard let item else { return }
        ListHandler<OpaquePointer>.call(data, OpaquePointer(item))
    }
    ListHandler.connect(
        UnsafeMutableRawPointer(factory), signal, unsafeBitCast(callback, to: GCallback.self), body)
}

/// `activate` of a `GtkGridView`, with the index of the item.
func onActivate(_ grid: UnsafeMutablePointer<GtkWidget>, _ body: @escaping (Int) -> Void) {
    let callback: @convention(c) (gpointer?, guint, gpointer?) -> Void = { _, index, data in
        ListHandler<Int>.call(data, Int(index))
    }
    ListHandler.connect(UnsafeMutableRawPointer(grid), "activate", unsafeBitCast(callback, to: GCallback.self), body)
}
