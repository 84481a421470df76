import CGtk4

/// A closure with one argument as an object that a signal's handler owns.
private final class ArgumentHandler<Argument> {
    let body: (Argument) -> Void
    init(_ body: @escaping (Argument) -> Void) { self.body = body }

    static func call(_ data: gpointer?, _ argument: Argument) {
        guard let data else { return }
        Unmanaged<ArgumentHandler<Argument>>.fromOpaque(data).takeUnretainedValue().body(argument)
    }

    static func connect(
        _ object: UnsafeMutableRawPointer, _ signal: String, _ callback: GCallback, _ body: @escaping (Argument) -> Void
    ) {
        g_signal_connect_data(
            object, signal, callback, Unmanaged.passRetained(ArgumentHandler(body)).toOpaque(),
            { data, _ in
                guard let data else { return }
                Unmanaged<AnyObject>.fromOpaque(data).release()
            }, GConnectFlags(rawValue: 0))
    }
}

/// A signal of a factory, with its list item.
func onListItem(_ factory: OpaquePointer, _ signal: String, _ body: @escaping (OpaquePointer) -> Void) {
    let callback: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, listItem, data in
        guard let listItem else { return }
        ArgumentHandler<OpaquePointer>.call(data, OpaquePointer(listItem))
    }
    ArgumentHandler.connect(
        UnsafeMutableRawPointer(factory), signal, unsafeBitCast(callback, to: GCallback.self), body)
}

/// A click or Enter on a cell of a grid view, with the index of its item.
func onActivate(_ grid: Widget, _ body: @escaping (Int) -> Void) {
    let callback: @convention(c) (gpointer?, guint, gpointer?) -> Void = { _, index, data in
        ArgumentHandler<Int>.call(data, Int(index))
    }
    ArgumentHandler.connect(
        UnsafeMutableRawPointer(grid), "activate", unsafeBitCast(callback, to: GCallback.self), body)
}
