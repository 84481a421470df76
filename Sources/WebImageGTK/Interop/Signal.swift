import CGtk4

/// A Swift closure as a signal's handler.
private final class SignalHandler {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
}

/// Calls `body` whenever `object` emits `signal`, until the object is gone. The signal's arguments are left out, and
/// signals that want an answer cannot be handled in this way.
///
/// - Returns: The handler's number, with which it can be taken off.
@discardableResult
package func connect(
    _ object: UnsafeMutableRawPointer, _ signal: String, _ body: @escaping () -> Void
) -> gulong {
    // Swapped, the data comes first and further arguments may be ignored, whatever the signal's own are.
    let handler: @convention(c) (gpointer?) -> Void = { data in
        guard let data else { return }
        Unmanaged<SignalHandler>.fromOpaque(data).takeUnretainedValue().body()
    }
    return g_signal_connect_data(
        object, signal, unsafeBitCast(handler, to: GCallback.self),
        Unmanaged.passRetained(SignalHandler(body)).toOpaque(),
        { data, _ in
            guard let data else { return }
            Unmanaged<SignalHandler>.fromOpaque(data).release()
        }, G_CONNECT_SWAPPED)
}

/// Signals of one object that are listened to for a while. The object is not kept, and must be alive when they are cut.
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

/// A signal's handler that is taken off with this object, which keeps the one that emits alive until then.
final class SignalConnection {
    private let object: UnsafeMutableRawPointer
    private let handler: gulong

    init<Instance>(_ instance: UnsafeMutablePointer<Instance>, _ signal: String, _ body: @escaping () -> Void) {
        object = g_object_ref(UnsafeMutableRawPointer(instance))
        handler = connect(object, signal, body)
    }

    isolated deinit {
        g_signal_handler_disconnect(object, handler)
        g_object_unref(object)
    }
}
