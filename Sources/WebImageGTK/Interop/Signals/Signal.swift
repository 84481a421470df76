import CGtk4

/// Calls `body` whenever `object` emits `signal`, until the object is finalized. The signal's arguments are dropped;
/// signals with a return value are not supported.
///
/// - Parameter isLast: Whether it is called after all usual handlers, also those that are connected later.
/// - Returns: The handler's id, for disconnecting it.
@discardableResult
package func connect(
    _ object: UnsafeMutableRawPointer, _ signal: String, isLast: Bool = false, _ body: @escaping () -> Void
) -> gulong {
    let handler: @convention(c) (gpointer?) -> Void = { SignalHandler<() -> Void>.body($0)?() }
    return SignalHandler<() -> Void>.connect(
        object, signal, unsafeBitCast(handler, to: GCallback.self), body,
        // A swapped handler gets its data first, so it may ignore the further arguments of any signal.
        flags: GConnectFlags(rawValue: G_CONNECT_SWAPPED.rawValue | (isLast ? G_CONNECT_AFTER.rawValue : 0)))
}

/// Handlers on one object, disconnected together. The object is not retained and must be alive when they are
/// disconnected.
final class SignalConnections {
    private let object: UnsafeMutableRawPointer
    private var handlers: [gulong] = []

    init(_ object: UnsafeMutableRawPointer) { self.object = object }

    func add(_ signal: String, _ body: @escaping () -> Void) { handlers.append(connect(object, signal, body)) }

    func cut() {
        for handler in handlers { g_signal_handler_disconnect(object, handler) }
        handlers = []
    }
}

/// A handler that is disconnected with this object, which retains the emitter until then.
final class SignalConnection {
    private let object: UnsafeMutableRawPointer
    private let handler: gulong

    init(
        _ object: UnsafeMutableRawPointer, _ signal: String, isLast: Bool = false, _ body: @escaping () -> Void
    ) {
        self.object = g_object_ref(object)
        handler = connect(object, signal, isLast: isLast, body)
    }

    convenience init<Instance>(
        _ instance: UnsafeMutablePointer<Instance>, _ signal: String, _ body: @escaping () -> Void
    ) {
        self.init(UnsafeMutableRawPointer(instance), signal, body)
    }

    isolated deinit {
        // An object that was disposed of, such as the frame clock of a closed window, has disconnected it.
        if g_signal_handler_is_connected(object, handler) != 0 { g_signal_handler_disconnect(object, handler) }
        g_object_unref(object)
    }
}
