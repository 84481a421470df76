import CGtk4

/// The signals of event controllers with their arguments, as closures. Each handler is released with its controller.
private final class Handler<Body> {
    let body: Body
    init(_ body: Body) { self.body = body }

    static func body(_ data: gpointer?) -> Body? {
        data.map { Unmanaged<Handler<Body>>.fromOpaque($0).takeUnretainedValue().body }
    }

    static func connect(_ controller: OpaquePointer, _ signal: String, _ callback: GCallback, _ body: Body) {
        g_signal_connect_data(
            UnsafeMutableRawPointer(controller), signal, callback,
            Unmanaged.passRetained(Handler<Body>(body)).toOpaque(),
            { data, _ in
                guard let data else { return }
                Unmanaged<AnyObject>.fromOpaque(data).release()
            }, GConnectFlags(rawValue: 0))
    }
}

typealias PointBody = (_ x: Double, _ y: Double) -> Void
typealias ScaleBody = (_ factor: Double) -> Void
typealias KeyBody = (_ key: guint, _ state: GdkModifierType) -> Bool

/// `released` of a `GtkGestureClick`.
func onClick(_ controller: OpaquePointer, _ body: @escaping PointBody) {
    let callback: @convention(c) (gpointer?, gint, Double, Double, gpointer?) -> Void = { _, _, x, y, data in
        Handler<PointBody>.body(data)?(x, y)
    }
    Handler.connect(controller, "released", unsafeBitCast(callback, to: GCallback.self), body)
}

/// A signal with a point, such as those of a drag.
func onPoint(_ controller: OpaquePointer, _ signal: String, _ body: @escaping PointBody) {
    let callback: @convention(c) (gpointer?, Double, Double, gpointer?) -> Void = { _, x, y, data in
        Handler<PointBody>.body(data)?(x, y)
    }
    Handler.connect(controller, signal, unsafeBitCast(callback, to: GCallback.self), body)
}

/// `scale-changed` of a `GtkGestureZoom`.
func onZoom(_ controller: OpaquePointer, _ body: @escaping ScaleBody) {
    let callback: @convention(c) (gpointer?, Double, gpointer?) -> Void = { _, factor, data in
        Handler<ScaleBody>.body(data)?(factor)
    }
    Handler.connect(controller, "scale-changed", unsafeBitCast(callback, to: GCallback.self), body)
}

/// `scroll` of a `GtkEventControllerScroll`, which nothing else gets then.
func onScroll(_ controller: OpaquePointer, _ body: @escaping PointBody) {
    let callback: @convention(c) (gpointer?, Double, Double, gpointer?) -> gboolean = { _, x, y, data in
        Handler<PointBody>.body(data)?(x, y)
        return 1
    }
    Handler.connect(controller, "scroll", unsafeBitCast(callback, to: GCallback.self), body)
}

/// `key-pressed` of a `GtkEventControllerKey`; `body` says whether the key is done with.
func onKey(_ controller: OpaquePointer, _ body: @escaping KeyBody) {
    let callback: @convention(c) (gpointer?, guint, guint, GdkModifierType, gpointer?) -> gboolean = {
        _, key, _, state, data in
        Handler<KeyBody>.body(data)?(key, state) == true ? 1 : 0
    }
    Handler.connect(controller, "key-pressed", unsafeBitCast(callback, to: GCallback.self), body)
}
